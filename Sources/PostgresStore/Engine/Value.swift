import RestorationService

/// A parameter of a statement in PostgreSQL's binary format. Integers have 8 bytes, the most significant byte first.
struct Value: Sendable {
    /// The object identifier of a type. These numbers are the same in every database.
    enum Kind: UInt32, Sendable {
        case bool = 16
        case bytes = 17
        case integer = 20
        case text = 25
        case id = 2950
        case byteArrays = 1001
        case texts = 1009
        case integers = 1016
        case ids = 2951
        case bools = 1000
    }

    let kind: Kind
    /// Nil for NULL.
    let bytes: [UInt8]?

    private init(_ kind: Kind, _ bytes: [UInt8]?) {
        self.kind = kind
        self.bytes = bytes
    }

    static func bool(_ value: Bool) -> Value { Value(.bool, [value ? 1 : 0]) }
    static func bytes(_ value: [UInt8]?) -> Value { Value(.bytes, value) }
    static func int(_ value: Int64?) -> Value { Value(.integer, value.map(bigEndian)) }
    static func int(_ value: Int) -> Value { int(Int64(value)) }
    static func text(_ value: String?) -> Value { Value(.text, value.map { Array($0.utf8) }) }
    /// A text of any characters. A column of the type `text` cannot hold the character 0, so such texts are bytes.
    static func anyText(_ value: String?) -> Value { Value(.bytes, value.map { Array($0.utf8) }) }
    static func id<Entity>(_ value: ID<Entity>?) -> Value { Value(.id, value.map(\.bytes)) }
    static func digest(_ value: Digest?) -> Value { Value(.bytes, value?.bytes) }
    static func time(_ value: Timestamp?) -> Value { int(value?.milliseconds) }
    static func revision(_ value: Revision?) -> Value { int(value?.rawValue) }
    static func digest(_ value: ItemDigest) -> Value { Value(.bytes, bigEndian(value.high) + bigEndian(value.low)) }

    static func ints(_ values: [Int64?]) -> Value { array(.integers, of: .integer, values.map { $0.map(bigEndian) }) }
    static func texts(_ values: [String?]) -> Value {
        array(.texts, of: .text, values.map { $0.map { Array($0.utf8) } })
    }
    static func byteArrays(_ values: [[UInt8]?]) -> Value { array(.byteArrays, of: .bytes, values) }
    static func ids<Entity>(_ values: [ID<Entity>?]) -> Value { array(.ids, of: .id, values.map { $0?.bytes }) }
    static func bools(_ values: [Bool]) -> Value { array(.bools, of: .bool, values.map { [$0 ? 1 : 0] }) }

    /// An array of one dimension: the number of dimensions, a flag, the element's type, the count, the first index, and
    /// then each element after its length.
    static func array(_ kind: Kind, of element: Kind, _ values: [[UInt8]?]) -> Value {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(values.reduce(20) { $0 + 4 + ($1?.count ?? 0) })
        func append(_ number: Int) {
            withUnsafeBytes(of: Int32(truncatingIfNeeded: number).bigEndian) { bytes.append(contentsOf: $0) }
        }
        append(values.isEmpty ? 0 : 1)
        append(values.contains { $0 == nil } ? 1 : 0)
        append(Int(element.rawValue))
        guard !values.isEmpty else { return Value(kind, bytes) }
        append(values.count)
        append(1)
        for value in values {
            append(value?.count ?? -1)
            if let value { bytes += value }
        }
        return Value(kind, bytes)
    }

    private static func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian, Array.init)
    }
}

extension ID {
    /// A value before all identifiers. No entity has it.
    static var least: ID { ID(high: 0, low: 0) }

    var bytes: [UInt8] {
        withUnsafeBytes(of: high.bigEndian, Array.init) + withUnsafeBytes(of: low.bigEndian, Array.init)
    }
}

/// An SQL statement with its parameters. The text is constant, because each connection prepares each text once.
struct Statement: Sendable {
    let sql: String
    let values: [Value]

    init(_ sql: String, _ values: Value...) {
        self.sql = sql
        self.values = values
    }

    init(_ sql: String, _ values: [Value]) {
        self.sql = sql
        self.values = values
    }
}
