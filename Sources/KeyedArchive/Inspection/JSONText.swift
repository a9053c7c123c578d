/// JSON text in one line (RFC 8259). The members of an object keep their order.
struct JSONText {
    enum Value {
        case null, boolean(Bool), number(String), string(String), array([Value]), object([(String, Value)])
    }

    private(set) var text = ""

    init(_ value: Value) { append(value) }

    private mutating func append(_ value: Value) {
        switch value {
        case .null: text += "null"
        case .boolean(let value): text += value ? "true" : "false"
        case .number(let digits): text += digits
        case .string(let value): append(value)
        case .array(let elements):
            text += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { text += "," }
                append(element)
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (index, (name, member)) in members.enumerated() {
                if index > 0 { text += "," }
                append(name)
                text += ":"
                append(member)
            }
            text += "}"
        }
    }

    private mutating func append(_ string: String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\u{0}"..<" ", "\u{7F}"..."\u{9F}", "\u{2028}"..."\u{2029}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
