/// A checked JSON document (RFC 8259): its bytes, and the positions of its values. Texts and numbers are parsed only on
/// request, so a member that isn't used takes no work after the check.
///
/// The positions take 16 bytes for each value and each member name.
package struct JSONDocument: Sendable {
    enum Kind: UInt8, Sendable {
        case object, array
        /// A text or member name: `text` has no escapes, `escapedText` has some.
        case text, escapedText
        case number, `true`, `false`, null
    }

    /// The position of a value or of a member's name. The next node after a name is the member's value.
    struct Node: Sendable {
        let kind: Kind
        private let start: UInt32
        private let stop: UInt32
        private var following: UInt32

        /// - Parameters:
        ///   - range: the bytes of a scalar, without a text's quotation marks.
        ///   - next: the index of the node after this value and all values inside it.
        init(_ kind: Kind, _ range: Range<Int>, next: Int) {
            self.kind = kind
            start = UInt32(range.lowerBound)
            stop = UInt32(range.upperBound)
            following = UInt32(next)
        }

        var range: Range<Int> { Int(start)..<Int(stop) }
        var next: Int { Int(following) }
        mutating func end(before next: Int) { following = UInt32(next) }
    }

    private let bytes: [UInt8]
    /// The nodes in document order. The first one is the whole document.
    let nodes: [Node]
    /// The number of values, without names.
    package let valueCount: Int

    /// - Parameters:
    ///   - depth: the maximum depth of nested arrays and objects.
    ///   - values: the maximum number of values.
    package init(_ bytes: [UInt8], depth: Int, values: Int = .max) throws(JSONGrammar.Fault) {
        (nodes, valueCount) = try JSONGrammar.read(bytes, depth: depth, values: values)
        self.bytes = bytes
    }

    /// The bytes of a number.
    func digits(of node: Node) -> ArraySlice<UInt8> { bytes[node.range] }

    /// The position of a value in the document, in bytes.
    func offset(of node: Node) -> Int { node.range.lowerBound }

    /// Calls `body` with the nodes of each member's name and value.
    func forEachMember<Failure: Error>(
        of object: Int, _ body: (_ name: Int, _ value: Int) throws(Failure) -> Void
    ) throws(Failure) {
        var name = object + 1
        while name < nodes[object].next {
            try body(name, name + 1)
            name = nodes[name + 1].next
        }
    }

    /// Whether a text or name consists of these bytes. Stops at the first difference.
    func text(of node: Node, equals other: UnsafeBufferPointer<UInt8>) -> Bool {
        let count = node.range.count
        guard node.kind == .escapedText else { return count == other.count && bytes[node.range].elementsEqual(other) }
        // An escape takes two to six bytes for each byte of its character.
        guard count > other.count, count <= 6 * other.count else { return false }
        return bytes.withUnsafeBufferPointer { bytes in
            var reader = TextReader(UnsafeBufferPointer(rebasing: bytes[node.range]))
            var position = 0
            let isWhole = reader.read { byte in
                guard position < other.count, other[position] == byte else { return false }
                position += 1
                return true
            }
            return isWhole && position == other.count
        }
    }

    /// A text or name in UTF-8, with its escapes resolved. Nil if an escape is an unpaired half of a surrogate pair,
    /// which is not a character.
    func text(of node: Node) -> [UInt8]? {
        guard node.kind == .escapedText else { return Array(bytes[node.range]) }
        return bytes.withUnsafeBufferPointer { bytes in
            var reader = TextReader(UnsafeBufferPointer(rebasing: bytes[node.range]))
            var text: [UInt8] = []
            text.reserveCapacity(node.range.count)
            let isWhole = reader.read { byte in
                text.append(byte)
                return true
            }
            return isWhole ? text : nil
        }
    }

    func string(of node: Node) -> String? {
        guard node.kind == .escapedText else { return String(decoding: bytes[node.range], as: UTF8.self) }
        return text(of: node).map { String(decoding: $0, as: UTF8.self) }
    }
}

/// Reads a checked text, and resolves its escapes.
private struct TextReader {
    /// The bytes between the quotation marks.
    private let text: UnsafeBufferPointer<UInt8>
    private var index = 0

    init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

    /// Calls `body` with each UTF-8 byte of the text until `body` returns false. Returns false if `body` did, or if the
    /// text contains an unpaired half of a surrogate pair.
    mutating func read(_ body: (UInt8) -> Bool) -> Bool {
        while index < text.count {
            var byte = text[index]
            index += 1
            if byte == 0x5C {
                byte = text[index]
                index += 1
                switch byte {
                case 0x62: byte = 0x08
                case 0x66: byte = 0x0C
                case 0x6E: byte = 0x0A
                case 0x72: byte = 0x0D
                case 0x74: byte = 0x09
                case 0x75:
                    guard let scalar = escapedScalar(), let encoded = UTF8.encode(scalar), encoded.allSatisfy(body)
                    else {
                        return false
                    }
                    continue
                default: break
                }
            }
            guard body(byte) else { return false }
        }
        return true
    }

    /// Reads the digits of an escape. If it is the first half of a surrogate pair (RFC 8259 section 7), also reads the
    /// second escape.
    private mutating func escapedScalar() -> Unicode.Scalar? {
        let unit = codeUnit()
        guard unit & 0xFC00 == 0xD800 else { return Unicode.Scalar(unit) }
        guard index + 6 <= text.count, text[index] == 0x5C, text[index + 1] == 0x75 else { return nil }
        index += 2
        let low = codeUnit()
        guard low & 0xFC00 == 0xDC00 else { return nil }
        return Unicode.Scalar(0x1_0000 + (unit & 0x3FF) << 10 + low & 0x3FF)
    }

    private mutating func codeUnit() -> UInt32 {
        defer { index += 4 }
        return text[index..<index + 4].reduce(0) { unit, digit in
            unit << 4 | UInt32(digit < 0x40 ? digit - 0x30 : (digit | 0x20) - 0x57)
        }
    }
}
