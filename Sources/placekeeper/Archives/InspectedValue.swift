/// What stands in an archive, as a tree that can be printed.
indirect enum InspectedValue: Sendable, Equatable {
    struct Field: Sendable, Equatable {
        var key: String
        var value: InspectedValue
    }

    case null
    case boolean(Bool)
    case integer(Int64)
    case unsigned(UInt64)
    case real(Double)
    /// Seconds since the start of 2001, UTC.
    case date(Double)
    case text(String)
    /// A text that is a name, told without quotation marks.
    case name(String)
    case data([UInt8])
    case array([InspectedValue])
    case dictionary([Field])
    /// An encoded object under its number in the archive.
    case object(className: String, number: UInt64, fields: [Field])
    /// An object that was told before: archives share objects, and go in circles.
    case again(number: UInt64)
    /// A restorable object, by its restoration path.
    case proxy(path: String)
    /// A model reference, by its place in the archive's table.
    case reference(Int)
    /// An object of the app's own that was saved by copy, by its place in the archive's table.
    case instance(Int)
    /// Too deep, or too much, to be told.
    case elided
}

extension InspectedValue: Encodable {
    private struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }

    /// As JSON where JSON has it; else an object whose first member begins with `$`.
    func encode(to encoder: any Encoder) throws {
        switch self {
        case .null: try encodeSingle(nil as Bool?, to: encoder)
        case .boolean(let value): try encodeSingle(value, to: encoder)
        case .integer(let value): try encodeSingle(value, to: encoder)
        case .unsigned(let value): try encodeSingle(value, to: encoder)
        case .real(let value) where value.isFinite: try encodeSingle(value, to: encoder)
        case .real(let value): try encodeSingle("\(value)", to: encoder)
        case .text(let value), .name(let value): try encodeSingle(value, to: encoder)
        case .array(let elements): try encodeSingle(elements, to: encoder)
        case .date: try encode([("$date", .text(inline))], to: encoder)
        case .data(let bytes): try encode([("$data", .text(Self.base64(bytes)))], to: encoder)
        case .again(let number): try encode([("$again", .unsigned(number))], to: encoder)
        case .proxy(let path): try encode([("$object", .text(path))], to: encoder)
        case .reference(let index): try encode([("$reference", .integer(Int64(index)))], to: encoder)
        case .instance(let index): try encode([("$instance", .integer(Int64(index)))], to: encoder)
        case .elided: try encode([("$elided", .boolean(true))], to: encoder)
        case .dictionary(let fields): try encode(fields.map { ($0.key, $0.value) }, to: encoder)
        case .object(let className, let number, let fields):
            let own: [(String, InspectedValue)] = [("$class", .text(className)), ("$number", .unsigned(number))]
            try encode(own + fields.map { ($0.key, $0.value) }, to: encoder)
        }
    }

    private func encodeSingle(_ value: some Encodable, to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }

    private func encode(_ members: [(String, InspectedValue)], to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        for (key, value) in members { try container.encode(value, forKey: Key(key)) }
    }
}
