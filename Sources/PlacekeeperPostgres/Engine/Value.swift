import PlacekeeperCore
import PlacekeeperMatching
import PlacekeeperService

/// A statement parameter in PostgreSQL's binary format. Integers have 8 bytes, most significant byte first.
struct Value: Sendable {
    /// A type's object identifier, which is the same in every database.
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

        /// The array type of this type. Arrays of arrays don't exist.
        fileprivate var array: Kind {
            switch self {
            case .bool: .bools
            case .integer: .integers
            case .text: .texts
            case .id: .ids
            default: .byteArrays
            }
        }
    }

    /// The content, encoded when the statement is sent.
    private enum Content: Sendable {
        case null
        case byte(UInt8)
        case word(UInt64)
        case words(UInt64, UInt64)
        case digest(Digest)
        case bytes([UInt8])
        case text(String)
        case array(Kind, [Value])
    }

    let kind: Kind
    private let content: Content

    private init(_ kind: Kind, _ content: Content?) {
        self.kind = kind
        self.content = content ?? .null
    }

    static func bool(_ value: Bool) -> Value { Value(.bool, .byte(value ? 1 : 0)) }
    static func bytes(_ value: [UInt8]?) -> Value { Value(.bytes, value.map(Content.bytes)) }
    static func int(_ value: Int64?) -> Value { Value(.integer, value.map { .word(UInt64(bitPattern: $0)) }) }
    static func int(_ value: Int) -> Value { int(Int64(value)) }
    static func text(_ value: String?) -> Value { Value(.text, value.map(Content.text)) }
    /// Arbitrary text. A `text` column can't contain the character 0, so it is stored as bytes.
    static func anyText(_ value: String?) -> Value { Value(.bytes, value.map(Content.text)) }
    static func id<Entity>(_ value: ID<Entity>?) -> Value { Value(.id, value.map { .words($0.high, $0.low) }) }
    static func digest(_ value: Digest?) -> Value { Value(.bytes, value.map(Content.digest)) }
    /// A value in PostgreSQL's binary format.
    static func encoded(_ kind: Kind, _ bytes: [UInt8]?) -> Value { Value(kind, bytes.map(Content.bytes)) }
    static func time(_ value: Timestamp?) -> Value { int(value?.milliseconds) }
    static func revision(_ value: Revision?) -> Value { int(value?.rawValue) }
    static func digest(_ value: ItemDigest) -> Value { Value(.bytes, .words(value.high, value.low)) }

    static func ints(_ values: [Int64?]) -> Value { array(of: .integer, values.map(int)) }
    static func texts(_ values: [String?]) -> Value { array(of: .text, values.map(text)) }
    static func byteArrays(_ values: [[UInt8]?]) -> Value { array(of: .bytes, values.map(bytes)) }
    static func ids<Entity>(_ values: [ID<Entity>?]) -> Value { array(of: .id, values.map(id)) }
    static func bools(_ values: [Bool]) -> Value { array(of: .bool, values.map(bool)) }

    /// A one-dimensional array.
    static func array(of element: Kind, _ values: [Value]) -> Value { Value(element.array, .array(element, values)) }

    var isNull: Bool { if case .null = content { true } else { false } }

    /// The encoded size in bytes.
    var size: Int {
        switch content {
        case .null: 0
        case .byte: 1
        case .word: 8
        case .words: 16
        case .digest: 32
        case .bytes(let bytes): bytes.count
        case .text(let text): text.utf8.count
        case .array(_, let values): values.reduce(20) { $0 + 4 + $1.size }
        }
    }

    /// Appends the encoded bytes to a buffer.
    func append(to buffer: inout [UInt8]) {
        switch content {
        case .null: break
        case .byte(let byte): buffer.append(byte)
        case .word(let word): buffer.append(bigEndian: word)
        case .words(let high, let low):
            buffer.append(bigEndian: high)
            buffer.append(bigEndian: low)
        case .digest(let digest):
            buffer.append(bigEndian: digest.words.0)
            buffer.append(bigEndian: digest.words.1)
            buffer.append(bigEndian: digest.words.2)
            buffer.append(bigEndian: digest.words.3)
        case .bytes(let bytes): buffer += bytes
        case .text(let text): buffer += text.utf8
        case .array(let element, let values): Self.append(values, of: element, to: &buffer)
        }
    }

    /// Appends the number of dimensions, a flag, the element type, the count, the first index, and then each element,
    /// prefixed with its length.
    private static func append(_ values: [Value], of element: Kind, to buffer: inout [UInt8]) {
        buffer.append(bigEndian: Int32(values.isEmpty ? 0 : 1))
        buffer.append(bigEndian: Int32(values.contains(where: \.isNull) ? 1 : 0))
        buffer.append(bigEndian: element.rawValue)
        guard !values.isEmpty else { return }
        buffer.append(bigEndian: Int32(truncatingIfNeeded: values.count))
        buffer.append(bigEndian: Int32(1))
        for value in values {
            buffer.append(bigEndian: value.isNull ? -1 : Int32(truncatingIfNeeded: value.size))
            value.append(to: &buffer)
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(bigEndian number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }
}

extension ID {
    /// Sorts before all identifiers. No entity has it.
    static var least: ID { ID(high: 0, low: 0) }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        Value.id(self).append(to: &bytes)
        return bytes
    }
}

/// An SQL statement with its parameters. The text must be constant, because each connection prepares each text once.
struct Statement: Sendable {
    let sql: String
    let values: [Value]
    /// The number of rows that the statement must return. Any other number means that another write came first, and
    /// nothing of the batch takes effect.
    var requiredRows: Int?

    init(_ sql: String, _ values: Value...) {
        self.sql = sql
        self.values = values
    }

    init(_ sql: String, _ values: [Value]) {
        self.sql = sql
        self.values = values
    }

    /// Returns a statement that must return this number of rows.
    func requiring(_ rows: Int) -> Statement {
        var statement = self
        statement.requiredRows = rows
        return statement
    }

    /// The size of the parameters in bytes.
    var size: Int { values.reduce(0) { $0 + $1.size } }
}
