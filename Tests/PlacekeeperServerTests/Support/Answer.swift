import PlacekeeperHTTP
import PlacekeeperAPI

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A response with accessors for tests.
struct Answer {
    var response: Response

    init(_ response: Response) { self.response = response }

    var status: Int { Int(response.status.rawValue) }
    var body: [UInt8] { if case .bytes(let bytes) = response.body { bytes } else { [] } }
    var text: String { String(decoding: body, as: UTF8.self) }

    subscript(_ name: FieldName) -> String? { response.fields[name] }

    func json<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try JSONDecoder().decode(type, from: Data(body))
    }

    /// The problem document. Nil if the response is not a problem.
    var problem: Wire.Problem? {
        guard self[.contentType] == "application/problem+json" else { return nil }
        return try? json(Wire.Problem.self)
    }

    var code: ProblemCode? { problem.flatMap { ProblemCode(rawValue: $0.code) } }

    /// The whole response without the request id, for comparisons.
    var comparable: String {
        let fields = String(decoding: response.fields.bytes, as: UTF8.self).split(separator: "\r\n")
        return (["\(status)"] + fields.filter { !$0.hasPrefix("X-Request-ID") } + [text[...]]).joined(separator: "\n")
    }
}
