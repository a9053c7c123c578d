import CPlacekeeperSQLite
import PlacekeeperCore
import PlacekeeperMatching

/// A value for one parameter of a statement, or for several consecutive parameters.
///
/// Parameters are numbered from 1. Binding fails only if the number is wrong or memory runs out. The value is then
/// NULL, which the schema rejects, so result codes aren't checked.
protocol Bindable {
    /// Binds the value to the parameters starting at `index`, and advances `index` past them.
    func bind(to statement: OpaquePointer, at index: inout Int32)
}

extension Int64: Bindable {
    func bind(to statement: OpaquePointer, at index: inout Int32) {
        sqlite3_bind_int64(statement, index, self)
        index += 1
    }
}

extension Int: Bindable {
    func bind(to statement: OpaquePointer, at index: inout Int32) { Int64(self).bind(to: statement, at: &index) }
}

extension Timestamp: Bindable {
    func bind(to statement: OpaquePointer, at index: inout Int32) { milliseconds.bind(to: statement, at: &index) }
}

extension Revision: Bindable {
    func bind(to statement: OpaquePointer, at index: inout Int32) { rawValue.bind(to: statement, at: &index) }
}

extension Optional: Bindable where Wrapped: Bindable {
    func bind(to statement: OpaquePointer, at index: inout Int32) {
        if let self { return self.bind(to: statement, at: &index) }
        sqlite3_bind_null(statement, index)
        index += 1
    }
}

extension String: Bindable {
    func bind(to statement: OpaquePointer, at index: inout Int32) {
        var text = self
        text.withUTF8 { Text.bind($0, to: statement, at: &index) }
    }
}

/// Text in UTF-8.
struct Text: Bindable {
    let utf8: [UInt8]

    func bind(to statement: OpaquePointer, at index: inout Int32) {
        utf8.withUnsafeBufferPointer { Text.bind($0, to: statement, at: &index) }
    }

    fileprivate static func bind(
        _ utf8: UnsafeBufferPointer<UInt8>, to statement: OpaquePointer, at index: inout Int32
    ) {
        utf8.withMemoryRebound(to: CChar.self) { characters in
            // An empty string's pointer can be nil, which would bind NULL.
            _ =
                characters.isEmpty
                ? placekeeper_sqlite_bind_text(statement, index, "", 0)
                : placekeeper_sqlite_bind_text(statement, index, characters.baseAddress, Int32(characters.count))
        }
        index += 1
    }
}

extension [UInt8]: Bindable {
    func bind(to statement: OpaquePointer, at index: inout Int32) {
        withUnsafeBytes { Self.bind($0, to: statement, at: &index) }
    }

    /// Binds the bytes of a tuple of words that are already big-endian.
    static func bind<Words: BitwiseCopyable>(words: Words, to statement: OpaquePointer, at index: inout Int32) {
        Swift.withUnsafeBytes(of: words) { bind($0, to: statement, at: &index) }
    }

    private static func bind(_ bytes: UnsafeRawBufferPointer, to statement: OpaquePointer, at index: inout Int32) {
        // An empty array's pointer can be nil, which would bind NULL.
        if let start = bytes.baseAddress {
            placekeeper_sqlite_bind_blob(statement, index, start, Int32(bytes.count))
        } else {
            sqlite3_bind_zeroblob(statement, index, 0)
        }
        index += 1
    }
}

extension ID: Bindable {
    func bind(to statement: OpaquePointer, at index: inout Int32) {
        [UInt8].bind(words: (high.bigEndian, low.bigEndian), to: statement, at: &index)
    }
}

extension Digest: Bindable {
    func bind(to statement: OpaquePointer, at index: inout Int32) {
        let words = words
        [UInt8].bind(
            words: (words.0.bigEndian, words.1.bigEndian, words.2.bigEndian, words.3.bigEndian), to: statement,
            at: &index)
    }
}

extension ItemDigest: Bindable {
    func bind(to statement: OpaquePointer, at index: inout Int32) {
        [UInt8].bind(words: (high.bigEndian, low.bigEndian), to: statement, at: &index)
    }
}

/// A value, or an empty BLOB instead of NULL.
struct OrNoBytes<Value: Bindable>: Bindable {
    let value: Value?

    init(_ value: Value?) { self.value = value }

    func bind(to statement: OpaquePointer, at index: inout Int32) {
        if let value { value.bind(to: statement, at: &index) } else { [UInt8]().bind(to: statement, at: &index) }
    }
}

/// The app and the user.
extension UserKey: Bindable {
    func bind(to statement: OpaquePointer, at index: inout Int32) {
        app.bind(to: statement, at: &index)
        user.bind(to: statement, at: &index)
    }
}

/// The app, the user and the scene's name.
extension SceneKey: Bindable {
    func bind(to statement: OpaquePointer, at index: inout Int32) {
        owner.bind(to: statement, at: &index)
        name.bind(to: statement, at: &index)
    }
}

/// The app, the user and the data source.
extension ItemList: Bindable {
    func bind(to statement: OpaquePointer, at index: inout Int32) {
        owner.bind(to: statement, at: &index)
        dataSource.bind(to: statement, at: &index)
    }
}

/// The idiom, the layout, the bundle version, the system version and the state version.
extension Context: Bindable {
    func bind(to statement: OpaquePointer, at index: inout Int32) {
        idiom.rawValue.bind(to: statement, at: &index)
        layout.map { Int64($0.rawValue) }.bind(to: statement, at: &index)
        bundleVersion.bind(to: statement, at: &index)
        systemVersion.bind(to: statement, at: &index)
        stateVersion.bind(to: statement, at: &index)
    }
}
