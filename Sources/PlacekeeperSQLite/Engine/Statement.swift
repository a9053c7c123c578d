import CPlacekeeperSQLite
import PlacekeeperCore
import PlacekeeperService

/// A cached statement in use. When this value goes out of scope, the statement is reset, which ends its read
/// transaction.
struct Statement: ~Copyable {
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) { self.handle = handle }

    deinit { sqlite3_reset(handle) }

    /// Steps to the next row. Returns false after the last one.
    func step() throws(StoreError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw StoreError(sqlite: code)
        }
    }

    /// Runs a statement that returns no rows.
    func run() throws(StoreError) {
        while try step() {}
    }

    /// Resets the statement so it can run again. Parameters keep their values until they are bound again.
    func reset() { sqlite3_reset(handle) }

    /// Runs the statement with bytes bound without a copy.
    func run(binding bytes: [UInt8], at index: Int32) throws(StoreError) {
        let code = bytes.withUnsafeBytes { buffer in
            // An empty array's pointer can be nil, which would bind NULL, so pass any other pointer.
            let start = buffer.baseAddress ?? UnsafeRawPointer(handle)
            placekeeper_sqlite_bind_blob_in_place(handle, index, start, Int32(buffer.count))
            let code = sqlite3_step(handle)
            sqlite3_reset(handle)
            sqlite3_bind_null(handle, index)
            return code
        }
        guard code == SQLITE_DONE else { throw StoreError(sqlite: code) }
    }
}

extension Statement {
    /// Binds a value to the parameters starting at `index`.
    func bind(_ value: some Bindable, at index: Int32) {
        var index = index
        value.bind(to: handle, at: &index)
    }

    /// Binds values to the parameters, starting at the first.
    func bind<each Value: Bindable>(_ values: repeat each Value) {
        var index: Int32 = 1
        repeat (each values).bind(to: handle, at: &index)
    }
}

extension Connection {
    /// Returns the statement of a query, with its parameters bound.
    func statement<each Value: Bindable>(_ query: Query, _ values: repeat each Value) throws(StoreError) -> Statement {
        let statement = try statement(query)
        statement.bind(repeat each values)
        return statement
    }

    /// Runs a query that returns no rows.
    func run<each Value: Bindable>(_ query: Query, _ values: repeat each Value) throws(StoreError) {
        try statement(query, repeat each values).run()
    }
}

// Columns of the current row are numbered from 0. Every number is read as one of the kinds of `StoredNumber`.
extension Statement {
    func type(_ column: Int32) -> Int32 { sqlite3_column_type(handle, column) }

    func isNull(_ column: Int32) -> Bool { type(column) == SQLITE_NULL }

    func number(_ column: Int32, _ kind: StoredNumber) throws(StoreError) -> Int64 {
        guard type(column) == SQLITE_INTEGER else { throw .corrupt("The column \(name(of: column)) has no number.") }
        return try kind.checked(sqlite3_column_int64(handle, column), in: name(of: column))
    }

    func optionalNumber(_ column: Int32, _ kind: StoredNumber) throws(StoreError) -> Int64? {
        isNull(column) ? nil : try number(column, kind)
    }

    /// Reads a number, clamped to the range of its kind. For counts that no invariant depends on, and for rows about to
    /// be deleted.
    func clampedNumber(_ column: Int32, _ kind: StoredNumber) -> Int64 {
        kind.clamped(sqlite3_column_int64(handle, column))
    }

    /// Reads an internal key of the database, or a number that the app defines.
    func key(_ column: Int32) throws(StoreError) -> Int64 { try number(column, .any) }

    func optionalKey(_ column: Int32) throws(StoreError) -> Int64? { try optionalNumber(column, .any) }

    func flag(_ column: Int32) throws(StoreError) -> Bool { try number(column, .flag) != 0 }

    func time(_ column: Int32) throws(StoreError) -> Timestamp { Timestamp(milliseconds: try number(column, .time)) }

    func optionalTime(_ column: Int32) throws(StoreError) -> Timestamp? { isNull(column) ? nil : try time(column) }

    func revision(_ column: Int32) throws(StoreError) -> Revision { Revision(rawValue: try number(column, .revision)) }

    func count(_ column: Int32) throws(StoreError) -> Int { Int(try number(column, .count)) }

    /// Reads rows until there are `limit` elements, skipping damaged rows.
    ///
    /// - Parameter name: identifies the current row in the report, for example by its user.
    func rows<Element>(
        atMost limit: Int = .max, leavingOut damaged: DamagedRows, named name: (borrowing Statement) -> String,
        _ read: (borrowing Statement) throws(StoreError) -> Element
    ) throws(StoreError) -> [Element] {
        var elements: [Element] = []
        while elements.count < limit, try step() {
            let element = try damaged.leaveOut(name(self)) { () throws(StoreError) in try read(self) }
            if let element { elements.append(element) }
        }
        return elements
    }

    /// The text of an identifier, for reporting a damaged row.
    func idText(_ column: Int32) -> String {
        let id: ID<Void>? = try? id(column)
        return id?.description ?? "without a readable id"
    }

    private func name(of column: Int32) -> String {
        sqlite3_column_name(handle, column).map { String(cString: $0) } ?? "\(column)"
    }

    func text(_ column: Int32) -> String {
        // Get the pointer before the count: reading text may convert the value.
        guard let start = sqlite3_column_text(handle, column) else { return "" }
        let count = Int(sqlite3_column_bytes(handle, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

    /// Calls the closure with the column's bytes, which are valid until the next step.
    func withBytes<Result, Failure: Error>(
        _ column: Int32, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let start = sqlite3_column_blob(handle, column)
        return try body(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
    }

    func bytes(_ column: Int32) -> [UInt8] { withBytes(column) { Array($0) } }

    func id<Entity>(_ column: Int32) throws(StoreError) -> ID<Entity> {
        try withBytes(column) { bytes throws(StoreError) in
            guard bytes.count == 16 else { throw .corrupt("An identifier is not 16 bytes long.") }
            return ID(high: bytes.word(0), low: bytes.word(1))
        }
    }

    func optionalID<Entity>(_ column: Int32) throws(StoreError) -> ID<Entity>? {
        if isNull(column) { nil } else { try id(column) }
    }

    func digest(_ column: Int32) throws(StoreError) -> Digest {
        try withBytes(column) { bytes throws(StoreError) in
            guard bytes.count == 32 else { throw .corrupt("A digest is not 32 bytes long.") }
            return Digest(bytes.word(0), bytes.word(1), bytes.word(2), bytes.word(3))
        }
    }
}

extension UnsafeRawBufferPointer {
    func word(_ index: Int) -> UInt64 {
        UInt64(bigEndian: loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
    }
}
