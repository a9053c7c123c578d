import FoundationEssentials
import PlacekeeperAPI

/// Bodies of JSON (RFC 8259), read strictly: the grammar is checked before Foundation's decoder sees a byte, since that
/// takes trailing commas.
enum JSONBody {
    /// Decodes a body. What is no JSON is `malformed-json`, and too much of it `content-too-large`; a missing member or a
    /// wrong type is `invalid-body`, with a pointer to it. Members that are not known are left aside.
    static func decode<Body: Decodable>(
        _ type: Body.Type, from bytes: [UInt8], depth: Int, values: Int = .max
    ) throws(Problem) -> Body {
        do {
            try JSONGrammar.check(bytes, depth: depth, values: values)
        } catch {
            throw Problem(error)
        }
        do {
            return try JSONDecoder().decode(type, from: Data(bytes))
        } catch let error as DecodingError {
            throw Problem(error)
        } catch {
            throw Problem(.invalidBody, "The body cannot be read.")
        }
    }

    static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return [UInt8](try encoder.encode(value))
    }
}

extension Problem {
    init(_ fault: JSONGrammar.Fault) {
        self.init(fault.code, fault.message)
        document.offset = fault.offset
    }

    /// What Foundation's decoder found wrong.
    fileprivate init(_ error: DecodingError) {
        let path: [any CodingKey]
        let detail: String
        switch error {
        case .keyNotFound(let key, let context):
            path = context.codingPath + [key]
            detail = "The member is missing."
        case .valueNotFound(_, let context):
            path = context.codingPath
            detail = "The member may not be null."
        case .typeMismatch(_, let context):
            path = context.codingPath
            detail = "The member is of the wrong type."
        case .dataCorrupted(let context):
            // Of a lone surrogate's escape, Foundation does not say where it is.
            path = context.codingPath
            detail =
                (context.underlyingError as? InvalidMember)?.detail ?? "A value is none of those that it may be."
        @unknown default:
            path = []
            detail = "The body cannot be read."
        }
        self.init(.invalidBody, detail)
        document.pointer = path.reduce(into: "") { pointer, key in
            // RFC 6901 section 3.
            pointer += "/"
            for character in key.intValue.map(String.init) ?? key.stringValue {
                pointer += character == "~" ? "~0" : character == "/" ? "~1" : String(character)
            }
        }
    }
}
