/// JSON as text (RFC 8259), two spaces deep, members in the order given.
struct JSONText {
    indirect enum Value {
        case null, boolean(Bool), number(String), string(String), array([Value]), object([(String, Value)])
    }

    private(set) var text = ""

    init(_ value: Value) { append(value, indentation: "\n") }

    private mutating func append(_ value: Value, indentation: String) {
        switch value {
        case .null: text += "null"
        case .boolean(let value): text += value ? "true" : "false"
        case .number(let digits): text += digits
        case .string(let value): append(value)
        case .array(let elements):
            appendAll(elements, "[", "]", indentation) { $0.append($1, indentation: indentation + "  ") }
        case .object(let members):
            appendAll(members, "{", "}", indentation) {
                $0.append($1.0)
                $0.text += ": "
                $0.append($1.1, indentation: indentation + "  ")
            }
        }
    }

    private mutating func appendAll<Element>(
        _ elements: [Element], _ open: String, _ close: String, _ indentation: String,
        _ append: (inout JSONText, Element) -> Void
    ) {
        text += open
        for (index, element) in elements.enumerated() {
            if index > 0 { text += "," }
            text += indentation + "  "
            append(&self, element)
        }
        text += elements.isEmpty ? close : indentation + close
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
