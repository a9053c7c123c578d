import PlacekeeperCore
import PlacekeeperMatching
import PlacekeeperService

/// The rows that a statement returned.
///
/// `@unchecked Sendable`: the result never changes, and libpq only reads it.
final class Rows: @unchecked Sendable {
    private let libpq: Libpq
    private let result: OpaquePointer
    let count: Int
    private let columnCount: Int32

    init(_ result: OpaquePointer, _ libpq: Libpq) {
        self.libpq = libpq
        self.result = result
        count = Int(libpq.rowCount(result))
        columnCount = libpq.columnCount(result)
    }

    deinit { libpq.clear(result) }

    /// Reads each row with a closure.
    func map<Element>(_ read: (inout Row) throws(StoreError) -> Element) throws(StoreError) -> [Element] {
        var elements: [Element] = []
        elements.reserveCapacity(count)
        for index in 0..<count {
            var row = Row(self, index)
            elements.append(try read(&row))
        }
        return elements
    }

    /// Reads each row, skipping damaged ones.
    ///
    /// - Parameters:
    ///   - noun: what the rows are called in the report.
    ///   - id: the column of the identifier to report.
    func map<Element>(
        leavingOut damaged: DamagedRows, _ noun: String, id column: Int32? = nil,
        _ read: (inout Row) throws(StoreError) -> Element
    ) throws(StoreError) -> [Element] {
        var elements: [Element] = []
        for index in 0..<count {
            var row = Row(self, index)
            let element = try damaged.leaveOut(column.map { "\(noun) \(id(index, $0))" } ?? noun) {
                () throws(StoreError) in try read(&row)
            }
            if let element { elements.append(element) }
        }
        return elements
    }

    private func id(_ row: Int, _ column: Int32) -> String {
        withBytes(row, column) { bytes in
            guard let bytes, bytes.count == 16 else { return "without an id" }
            return ID<Void>(high: bytes.word(0), low: bytes.word(1)).description
        }
    }

    /// Reads the last row, or returns `nil` if there is none.
    func last<Element>(_ read: (inout Row) throws(StoreError) -> Element) throws(StoreError) -> Element? {
        guard count > 0 else { return nil }
        var row = Row(self, count - 1)
        return try read(&row)
    }

    /// Reads the first row, or returns `nil` if there is none.
    func first<Element>(_ read: (inout Row) throws(StoreError) -> Element) throws(StoreError) -> Element? {
        guard count > 0 else { return nil }
        var row = Row(self, 0)
        return try read(&row)
    }

    /// Calls the closure with a value's bytes, or `nil` for NULL.
    fileprivate func withBytes<Result, Failure: Error>(
        _ row: Int, _ column: Int32, _ body: (UnsafeRawBufferPointer?) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard column < columnCount, libpq.isNull(result, Int32(row), column) == 0,
            let start = libpq.value(result, Int32(row), column)
        else { return try body(nil) }
        let count = Int(libpq.length(result, Int32(row), column))
        return try body(UnsafeRawBufferPointer(start: start, count: count))
    }
}

/// Reads the columns of a row from left to right. Throws `corrupt` if a value is missing or has another type.
struct Row {
    private let rows: Rows
    private let index: Int
    private var column: Int32 = 0

    init(_ rows: Rows, _ index: Int) {
        self.rows = rows
        self.index = index
    }

    private mutating func next<Result>(
        _ read: (UnsafeRawBufferPointer) throws(StoreError) -> Result
    ) throws(StoreError) -> Result? {
        defer { column += 1 }
        return try rows.withBytes(index, column) { bytes throws(StoreError) in try bytes.map(read) }
    }

    private func required<Result>(_ value: Result?) throws(StoreError) -> Result {
        guard let value else { throw .corrupt("A value is missing in the database.") }
        return value
    }

    mutating func optionalNumber(_ kind: StoredNumber) throws(StoreError) -> Int64? {
        try next { bytes throws(StoreError) in
            guard bytes.count == 8 else { throw .corrupt("A number does not have 8 bytes.") }
            return try kind.checked(Int64(bitPattern: bytes.word(0)))
        }
    }

    mutating func number(_ kind: StoredNumber) throws(StoreError) -> Int64 { try required(try optionalNumber(kind)) }

    /// Reads a number, clamped to the range of its kind. For counts that no invariant depends on.
    mutating func clampedNumber(_ kind: StoredNumber) throws(StoreError) -> Int64 { kind.clamped(try key()) }

    /// Reads an internal key of the database, or a number that the app defines.
    mutating func key() throws(StoreError) -> Int64 { try number(.any) }
    mutating func optionalKey() throws(StoreError) -> Int64? { try optionalNumber(.any) }
    mutating func count() throws(StoreError) -> Int { Int(try number(.count)) }
    mutating func revision() throws(StoreError) -> Revision { Revision(rawValue: try number(.revision)) }
    mutating func time() throws(StoreError) -> Timestamp { Timestamp(milliseconds: try number(.time)) }
    mutating func optionalTime() throws(StoreError) -> Timestamp? {
        try optionalNumber(.time).map(Timestamp.init(milliseconds:))
    }

    mutating func optionalBool() throws(StoreError) -> Bool? {
        try next { bytes throws(StoreError) in
            guard bytes.count == 1 else { throw .corrupt("A flag does not have 1 byte.") }
            return bytes[0] != 0
        }
    }

    mutating func bool() throws(StoreError) -> Bool { try required(try optionalBool()) }

    mutating func optionalBytes() throws(StoreError) -> [UInt8]? { try next { bytes in Array(bytes) } }
    mutating func bytes() throws(StoreError) -> [UInt8] { try required(try optionalBytes()) }

    /// Reads text from a column of type `text` or `bytea`.
    mutating func optionalText() throws(StoreError) -> String? {
        try next { bytes in String(decoding: bytes, as: UTF8.self) }
    }
    mutating func text() throws(StoreError) -> String { try required(try optionalText()) }

    mutating func optionalID<Entity>() throws(StoreError) -> ID<Entity>? {
        try next { bytes throws(StoreError) in
            guard bytes.count == 16 else { throw .corrupt("An identifier does not have 16 bytes.") }
            return ID(high: bytes.word(0), low: bytes.word(1))
        }
    }

    mutating func id<Entity>() throws(StoreError) -> ID<Entity> { try required(try optionalID()) }

    mutating func optionalDigest() throws(StoreError) -> Digest? {
        try next { bytes throws(StoreError) in
            guard bytes.count == 32 else { throw .corrupt("A digest does not have 32 bytes.") }
            return Digest(bytes.word(0), bytes.word(1), bytes.word(2), bytes.word(3))
        }
    }

    mutating func digest() throws(StoreError) -> Digest { try required(try optionalDigest()) }

    mutating func itemDigest() throws(StoreError) -> ItemDigest {
        try required(
            try next { bytes throws(StoreError) in
                guard bytes.count == 16 else { throw .corrupt("The digest of items does not have 16 bytes.") }
                return ItemDigest(high: bytes.word(0), low: bytes.word(1))
            })
    }

    mutating func netstrings() throws(StoreError) -> [String] { try required(try next(Netstrings.split)) }

    mutating func keys() throws(StoreError) -> [LookupKey] {
        try required(
            try next { bytes throws(StoreError) in
                guard bytes.count % 8 == 0 else { throw .corrupt("The aliases of an item do not have 8 bytes each.") }
                return (0..<bytes.count / 8).map { LookupKey(rawValue: Int64(bitPattern: bytes.word($0))) }
            })
    }
}

extension UnsafeRawBufferPointer {
    /// Reads the word at an index. The caller checks the number of bytes.
    fileprivate func word(_ index: Int) -> UInt64 {
        UInt64(bigEndian: loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
    }
}
