import PlacekeeperJSON
import PlacekeeperAPI

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Decodes the JSON bodies of requests and encodes the JSON bodies of responses (RFC 8259).
enum JSONBody {
    /// Decodes a request's body in time proportional to its size. A missing or repeated member, a wrong type or an
    /// unknown word is `invalid-body`, with a pointer to the member. Unknown members are ignored.
    static func decode<Body: Decodable>(_ type: Body.Type, from document: JSONDocument) throws(Problem) -> Body {
        do { return try document.decode(type, userInfo: [.refusesUnknownWords: true]) } catch { throw Problem(error) }
    }

    /// Checks the syntax of a request's body. Invalid JSON is `malformed-json`, and too many values are
    /// `content-too-large`.
    static func document(_ bytes: [UInt8], depth: Int, values: Int = .max) throws(Problem) -> JSONDocument {
        do { return try JSONDocument(bytes, depth: depth, values: values) } catch { throw Problem(error) }
    }

    static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return [UInt8](try encoder.encode(value))
    }
}

extension Problem {
    init(_ fault: JSONGrammar.Fault) {
        let code: ProblemCode =
            switch fault.kind {
            case .malformed: .malformedJSON
            case .tooManyValues: .contentTooLarge
            case .longCombiningRun: .invalidBody
            }
        self.init(code, fault.message)
        document.offset = fault.offset
    }

    fileprivate init(_ error: any Error) {
        var path: [any CodingKey] = []
        var detail = "The body cannot be decoded."
        switch error as? DecodingError {
        case .keyNotFound(let key, let context):
            path = context.codingPath + [key]
            detail = "The member is missing."
        case .valueNotFound(_, let context):
            path = context.codingPath
            detail = "The member must not be null."
        case .typeMismatch(let type, let context):
            path = context.codingPath
            detail =
                switch type {
                case is Int64.Type: "The member must be a 64-bit integer."
                case is Double.Type: "The member must be a number."
                default: "The member has the wrong type."
                }
        case .dataCorrupted(let context):
            path = context.codingPath
            detail = (context.underlyingError as? InvalidMember)?.detail ?? "A value is not allowed here."
        case nil: break
        @unknown default: break
        }
        self.init(.invalidBody, detail)
        point(to: path.map { $0.intValue.map(String.init) ?? $0.stringValue })
    }
}
