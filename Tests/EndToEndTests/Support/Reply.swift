import FoundationEssentials

/// A response as it came over the wire.
struct Reply: Sendable {
    var status: Int
    /// In the order they came in, names as sent.
    var fields: [(name: String, value: String)]
    /// The content, without its transfer coding.
    var body: [UInt8]

    /// The value of the first field of this name, whatever its case.
    subscript(name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    var text: String { String(decoding: body, as: UTF8.self) }

    func json<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: Data(body))
    }
}
