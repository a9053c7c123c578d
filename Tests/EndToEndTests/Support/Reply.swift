#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A received response.
struct Reply: Sendable {
    var status: Int
    /// The fields in order, with the names as sent.
    var fields: [(name: String, value: String)]
    /// The content, without its transfer coding.
    var body: [UInt8]

    /// Returns the value of the first field with a name, ignoring case.
    subscript(name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    var text: String { String(decoding: body, as: UTF8.self) }

    func json<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: Data(body))
    }
}
