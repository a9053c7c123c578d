/// A checked JSON document (RFC 8259): its bytes, and the places of its values. Texts and numbers are read when they
/// are asked for, so a member that nobody asks for costs no more than the check.
///
/// The places take 16 bytes for each value and for each name of a member.
package struct JSONDocument: Sendable {
    enum Kind: UInt8, Sendable {
        case object, array
        /// A text or the name of a member, without escapes and with escapes.
        case text, escapedText
        case number, `true`, `false`, null
    }

    /// The place of a value, or of the name of a member. The member's value is the next node.
    struct Node: Sendable {
        let kind: Kind
        private let start: UInt32
        private let stop: UInt32
        private var following: UInt32

        /// - Parameters:
        ///   - range: the bytes of a scalar, for a text without its quotation marks.
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
    /// The nodes in the order of the document. The first node is the whole document.
    let nodes: [Node]
    /// The number of values. Names do not count.
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

    /// Whether a text or a name consists of these bytes.
    func text(of node: Node, equals other: some Collection<UInt8>) -> Bool {
        if node.kind == .escapedText { return text(of: node)?.elementsEqual(other) ?? false }
        return node.range.count == other.count && bytes[node.range].elementsEqual(other)
    }

    /// The UTF-8 of a text or a name after its escapes are resolved. Nil if an escape is half of a surrogate pair,
    /// which is no character.
    func text(of node: Node) -> [UInt8]? {
        guard node.kind == .escapedText else { return Array(bytes[node.range]) }
        return bytes.withUnsafeBufferPointer { bytes in
            Self.unescaped(UnsafeBufferPointer(rebasing: bytes[node.range]))
        }
    }

    func string(of node: Node) -> String? {
        guard node.kind == .escapedText else { return String(decoding: bytes[node.range], as: UTF8.self) }
        return text(of: node).map { String(decoding: $0, as: UTF8.self) }
    }

    /// - Parameter text: the bytes between the quotation marks, which passed the check.
    private static func unescaped(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        var isValid = true
        let unescaped = [UInt8](unsafeUninitializedCapacity: text.count) { buffer, count in
            var index = 0
            while isValid, index < text.count {
                guard text[index] == 0x5C else {
                    buffer[count] = text[index]
                    (count, index) = (count + 1, index + 1)
                    continue
                }
                let letter = text[index + 1]
                index += 2
                if letter == 0x75 {
                    guard let scalar = scalar(in: text, at: &index) else {
                        isValid = false
                        break
                    }
                    // The bytes of a scalar are fewer than those of its escape.
                    for byte in UTF8.encode(scalar).unsafelyUnwrapped {
                        buffer[count] = byte
                        count += 1
                    }
                } else {
                    buffer[count] =
                        switch letter {
                        case 0x62: 0x08
                        case 0x66: 0x0C
                        case 0x6E: 0x0A
                        case 0x72: 0x0D
                        case 0x74: 0x09
                        default: letter
                        }
                    count += 1
                }
            }
        }
        return isValid ? unescaped : nil
    }

    /// Reads the digits of an escape, and a second escape if the first is the first half of a surrogate pair (RFC 8259
    /// section 7).
    private static func scalar(in text: UnsafeBufferPointer<UInt8>, at index: inout Int) -> Unicode.Scalar? {
        let unit = codeUnit(in: text, at: &index)
        guard unit & 0xFC00 == 0xD800 else { return Unicode.Scalar(unit) }
        guard index + 6 <= text.count, text[index] == 0x5C, text[index + 1] == 0x75 else { return nil }
        index += 2
        let low = codeUnit(in: text, at: &index)
        guard low & 0xFC00 == 0xDC00 else { return nil }
        return Unicode.Scalar(0x1_0000 + (unit & 0x3FF) << 10 + low & 0x3FF)
    }

    private static func codeUnit(in text: UnsafeBufferPointer<UInt8>, at index: inout Int) -> UInt32 {
        defer { index += 4 }
        return text[index..<index + 4].reduce(0) { unit, digit in
            unit << 4 | UInt32(digit < 0x40 ? digit - 0x30 : (digit | 0x20) - 0x57)
        }
    }
}
