/// A JSON value (RFC 8259). Texts and member names are the UTF-8 bytes after the escapes are resolved, so that they are
/// compared byte by byte. The value is for small documents in which a repeated member name would be dangerous, such as
/// tokens and keys.
package enum JSONValue: Sendable, Hashable {
    case null
    case boolean(Bool)
    /// A number. A number that is too large for a `Double` is infinite.
    case number(Double)
    case text([UInt8])
    case array([JSONValue])
    case object([[UInt8]: JSONValue])

    /// Reads a document. Refuses a document with a repeated member name in an object, and a text with half of a
    /// surrogate pair, because other readers disagree about their meaning.
    ///
    /// - Parameters:
    ///   - depth: the maximum depth of nested arrays and objects. The reader calls itself for each level.
    ///   - values: the maximum number of values.
    package init(_ bytes: [UInt8], depth: Int, values: Int) throws(JSONGrammar.Fault) {
        try JSONGrammar.check(bytes, depth: depth, values: values)
        var reader = JSONReader(bytes: bytes)
        self = try reader.value()
    }

    /// The value of a member. Nil if this value is not an object, or has no such member.
    package subscript(_ name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[Array(name.utf8)]
    }

    /// The bytes of a text. Nil for other values.
    package var text: [UInt8]? {
        guard case .text(let bytes) = self else { return nil }
        return bytes
    }

    package var number: Double? {
        guard case .number(let number) = self else { return nil }
        return number
    }
}

/// Reads a document that the grammar check has accepted.
private struct JSONReader {
    let bytes: [UInt8]
    private var index = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// The next byte, or NUL at the end.
    private var byte: UInt8 { index < bytes.count ? bytes[index] : 0 }

    private func fault(_ message: String = "The body is not valid JSON.") -> JSONGrammar.Fault {
        JSONGrammar.Fault(message: message, offset: index)
    }

    mutating func value() throws(JSONGrammar.Fault) -> JSONValue {
        skipSpace()
        defer { skipSpace() }
        switch byte {
        case 0x7B: return .object(try members())
        case 0x5B: return .array(try elements())
        case 0x22: return .text(try text())
        case 0x74: return literal(4, .boolean(true))
        case 0x66: return literal(5, .boolean(false))
        case 0x6E: return literal(4, .null)
        default: return .number(try number())
        }
    }

    private mutating func literal(_ count: Int, _ value: JSONValue) -> JSONValue {
        index += count
        return value
    }

    private mutating func members() throws(JSONGrammar.Fault) -> [[UInt8]: JSONValue] {
        var members: [[UInt8]: JSONValue] = [:]
        index += 1
        skipSpace()
        while byte == 0x22 {
            let name = try text()
            guard members[name] == nil else { throw fault("A member name is repeated.") }
            skipSpace()
            // The colon.
            index += 1
            members[name] = try value()
            if byte == 0x2C { index += 1 }
            skipSpace()
        }
        index += 1
        return members
    }

    private mutating func elements() throws(JSONGrammar.Fault) -> [JSONValue] {
        var elements: [JSONValue] = []
        index += 1
        skipSpace()
        while byte != 0x5D {
            elements.append(try value())
            if byte == 0x2C { index += 1 }
        }
        index += 1
        return elements
    }

    private mutating func number() throws(JSONGrammar.Fault) -> Double {
        let start = index
        while "+-.0123456789Ee".utf8.contains(byte) { index += 1 }
        guard let number = Double(String(decoding: bytes[start..<index], as: UTF8.self)) else { throw fault() }
        return number
    }

    private mutating func text() throws(JSONGrammar.Fault) -> [UInt8] {
        var text: [UInt8] = []
        index += 1
        while byte != 0x22 {
            guard byte == 0x5C else {
                guard index < bytes.count else { throw fault() }
                text.append(bytes[index])
                index += 1
                continue
            }
            index += 1
            let letter = byte
            index += 1
            switch letter {
            case 0x62: text.append(0x08)
            case 0x66: text.append(0x0C)
            case 0x6E: text.append(0x0A)
            case 0x72: text.append(0x0D)
            case 0x74: text.append(0x09)
            case 0x75: text += try escapedScalar()
            default: text.append(letter)
            }
        }
        index += 1
        return text
    }

    /// Reads the digits of an escape, and a second escape if the first is the first half of a surrogate pair (RFC 8259
    /// section 7). Returns the scalar in UTF-8.
    private mutating func escapedScalar() throws(JSONGrammar.Fault) -> [UInt8] {
        var scalar = codeUnit()
        if scalar & 0xFC00 == 0xD800, byte == 0x5C, index + 1 < bytes.count, bytes[index + 1] == 0x75 {
            index += 2
            let low = codeUnit()
            guard low & 0xFC00 == 0xDC00 else { throw fault("A text has half of a surrogate pair.") }
            scalar = 0x1_0000 + (scalar & 0x3FF) << 10 + low & 0x3FF
        }
        guard let scalar = Unicode.Scalar(scalar) else { throw fault("A text has half of a surrogate pair.") }
        return Array(String(Character(scalar)).utf8)
    }

    private mutating func codeUnit() -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            unit = unit << 4 | UInt32(Character(Unicode.Scalar(byte)).hexDigitValue ?? 0)
            index += 1
        }
        return unit
    }

    private mutating func skipSpace() {
        while byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    }
}
