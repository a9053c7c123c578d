import FoundationEssentials
import RestorationService

extension InspectedValue {
    /// The value on one line, if it fits there: everything but containers and objects with something in them.
    var inline: String {
        switch self {
        case .null: "nil"
        case .boolean(let value): value ? "true" : "false"
        case .integer(let value): "\(value)"
        case .unsigned(let value): "\(value)"
        case .real(let value): "\(value)"
        case .date(let seconds): Timestamp(referenceSeconds: seconds).text
        case .text(let text): quoted(text)
        case .name(let text): harmless(text)
        case .data(let bytes): "\(bytes.count) bytes" + (bytes.isEmpty ? "" : ": " + Self.hexadecimal(bytes))
        case .array(let elements): shortList ?? (elements.count == 1 ? "1 element" : "\(elements.count) elements")
        case .dictionary(let fields):
            fields.isEmpty ? "{}" : fields.count == 1 ? "1 entry" : "\(fields.count) entries"
        case .object(let className, let number, _): "\(harmless(className)) #\(number)"
        case .again(let number): "→ #\(number)"
        case .proxy(let path): "Object Identifier Proxy: \(harmless(path))"
        case .reference(let index): "Model Reference: \(index)"
        case .instance(let index): "Instance: \(index)"
        case .elided: "…"
        }
    }

    /// An array of a few plain values on one line.
    private var shortList: String? {
        guard case .array(let elements) = self, elements.count <= 8, elements.allSatisfy(\.isPlain) else { return nil }
        let list = "[" + elements.map(\.inline).joined(separator: ", ") + "]"
        return list.count <= 80 ? list : nil
    }

    private var isPlain: Bool {
        switch self {
        case .array, .dictionary, .object: false
        default: true
        }
    }

    /// What stands below a value's own line.
    var fields: [Field] {
        switch self {
        case .array(let elements) where shortList == nil:
            elements.enumerated().map { Field(key: "[\($0.offset)]", value: $0.element) }
        case .dictionary(let fields): fields
        case .object(_, _, let fields): fields
        default: []
        }
    }

    /// Lines of `key.... value`, padded with dots to the longest key and three more; what is in a value stands below it.
    static func lines(_ fields: [Field], indentation: Int = 0) -> [String] {
        let width = (fields.map(\.key.count).max() ?? 0) + 3
        let margin = String(repeating: " ", count: indentation)
        return fields.flatMap { field in
            let dots = String(repeating: ".", count: width - field.key.count)
            return ["\(margin)\(harmless(field.key))\(dots) \(field.value.inline)"]
                + lines(field.value.fields, indentation: indentation + 2)
        }
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = bytes.prefix(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        return digits.joined() + (bytes.count > 16 ? "…" : "")
    }

    static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}
