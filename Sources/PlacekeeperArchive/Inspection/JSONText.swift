/// JSON text on one line (RFC 8259). Object members keep their order.
struct JSONText {
    enum Value {
        case null, boolean(Bool), number(String), string(String), array([Value]), object([(String, Value)])
        case shown(ArchiveInspection.Value)
        /// Only the value's type, and the number of elements of an array or dictionary.
        case redacted(ArchiveInspection.Value)
    }

    /// The text in UTF-8.
    private(set) var bytes: [UInt8] = []
    private var meter = WorkMeter()

    var text: String { String(decoding: bytes, as: UTF8.self) }

    init(_ value: Value) { append(value) }

    private mutating func append(_ value: Value) {
        switch value {
        case .null: append("null")
        case .boolean(let value): append(value ? "true" : "false")
        case .number(let digits): bytes += digits.utf8
        case .string(let value): append(string: value)
        case .array(let elements): appendList(elements) { $0.append($1) }
        case .object(let members): appendObject(members) { $0.append($1) }
        case .shown(let value): append(value)
        case .redacted(let value): append(redacted: value)
        }
    }

    private mutating func append(_ value: ArchiveInspection.Value) {
        meter.consume(8)
        switch value {
        case .null: append("null")
        case .boolean(let value): append(value ? "true" : "false")
        case .integer(let value): append(number: value)
        case .unsigned(let value): append(number: value)
        // JSON has neither infinities nor NaN.
        case .real(let value): if value.isFinite { append(number: value) } else { append(string: "\(value)") }
        case .string(let value): append(string: value)
        case .date: appendMember("date") { $0.append(string: value.text) }
        case .data(let data):
            appendMember("data") {
                $0.append("\"")
                $0.meter.consume(bytes: 2 * data.count)
                for byte in data {
                    $0.bytes.append(Self.digits[Int(byte >> 4)])
                    $0.bytes.append(Self.digits[Int(byte & 0xF)])
                }
                $0.append("\"")
            }
        case .array(let elements): appendList(elements) { $0.append($1) }
        case .dictionary(let entries): appendObject(entries.lazy.map { ($0.key, $0.value) }) { $0.append($1) }
        case .object(let path): appendMember("object") { $0.append(string: path) }
        case .reference(let index): appendMember("reference") { $0.append(number: index) }
        case .numbered(let index, let className):
            append("{\"numbered\":")
            append(number: index)
            append(",\"class\":")
            append(string: className)
            append("}")
        case .elided: append("{\"elided\":true}")
        }
    }

    /// Appends the type of a value. Links to other objects of the archive are not content, so they are kept.
    private mutating func append(redacted value: ArchiveInspection.Value) {
        switch value {
        case .null, .object, .reference, .numbered, .elided: append(value)
        case .boolean: append(type: "boolean")
        case .integer, .unsigned: append(type: "integer")
        case .real: append(type: "real")
        case .string: append(type: "string")
        case .date: append(type: "date")
        case .data: append(type: "data")
        case .array(let elements): append(type: "array", elements.count)
        case .dictionary(let entries): append(type: "dictionary", entries.count)
        }
    }

    private mutating func append(type: StaticString, _ count: Int? = nil) {
        meter.consume(8)
        append("{\"redacted\":\"")
        append(type)
        append("\"")
        if let count {
            append(",\"count\":")
            append(number: count)
        }
        append("}")
    }

    private mutating func appendMember(_ name: StaticString, _ value: (inout JSONText) -> Void) {
        append("{\"")
        append(name)
        append("\":")
        value(&self)
        append("}")
    }

    private mutating func appendList<Element>(
        _ elements: some Sequence<Element>, _ element: (inout JSONText, Element) -> Void
    ) {
        append("[")
        for (index, value) in elements.enumerated() {
            if index > 0 { append(",") }
            element(&self, value)
        }
        append("]")
    }

    private mutating func appendObject<Element>(
        _ members: some Sequence<(String, Element)>, _ member: (inout JSONText, Element) -> Void
    ) {
        append("{")
        for (index, (name, value)) in members.enumerated() {
            if index > 0 { append(",") }
            append(string: name)
            append(":")
            member(&self, value)
        }
        append("}")
    }

    private mutating func append(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func append(number: some Numeric) { bytes += "\(number)".utf8 }

    private mutating func append(string: String) {
        var string = string
        append("\"")
        string.withUTF8 { text in
            var start = 0
            for index in text.indices where Self.isEscaped(at: index, in: text) {
                meter.consume(1)
                bytes.append(contentsOf: text[start..<index])
                start = index + appendEscape(at: index, in: text)
            }
            bytes.append(contentsOf: text[start...])
            meter.consume(1 + text.count >> 5)
        }
        append("\"")
    }

    /// Returns whether the scalar at `index` is escaped: `"`, `\`, a control character (up to U+009F), U+2028 or U+2029.
    @inline(__always)
    private static func isEscaped(at index: Int, in text: UnsafeBufferPointer<UInt8>) -> Bool {
        switch text[index] {
        case 0..<0x20, 0x22, 0x5C, 0x7F: true
        case 0xC2: text[index + 1] < 0xA0
        case 0xE2: text[index + 1] == 0x80 && text[index + 2] & 0xFE == 0xA8
        default: false
        }
    }

    /// Appends the escape sequence of the scalar at `index`, and returns the scalar's length in UTF-8 bytes.
    private mutating func appendEscape(at index: Int, in text: UnsafeBufferPointer<UInt8>) -> Int {
        let byte = text[index]
        guard byte != 0x22, byte != 0x5C else {
            bytes += [0x5C, byte]
            return 1
        }
        let (code, count) =
            switch byte {
            case 0xC2: (UInt16(text[index + 1]), 2)
            case 0xE2: (0x2000 | UInt16(text[index + 2] & 0x3F), 3)
            default: (UInt16(byte), 1)
            }
        append("\\u")
        for shift in [12, 8, 4, 0] { bytes.append(Self.digits[Int(code >> UInt16(shift)) & 0xF]) }
        return count
    }

    private static let digits = Array("0123456789abcdef".utf8)
}
