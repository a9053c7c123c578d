import PlacekeeperArchive

/// Checks that bytes are JSON (RFC 8259) in UTF-8 without a byte order mark. The check reads all bytes twice, and long
/// strings a third time.
package struct JSONGrammar {
    /// The first fault of a document. The message never quotes the document.
    package struct Fault: Error, Sendable, Equatable {
        package enum Kind: Sendable, Equatable {
            /// The document is not valid JSON, or is nested too deeply.
            case malformed
            case tooManyValues
            /// A text has too many combining marks in a row.
            case longCombiningRun
        }

        package var kind: Kind
        package var message: String
        /// The position of the fault in bytes.
        package var offset: Int

        package init(_ kind: Kind = .malformed, message: String, offset: Int) {
            self.kind = kind
            self.message = message
            self.offset = offset
        }
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0
    private var valueCount = 0
    /// The values and member names that were read.
    private var nodes: [JSONDocument.Node] = []
    private var meter = WorkMeter()

    /// - Parameters:
    ///   - depth: the maximum depth of nested arrays and objects.
    ///   - values: the maximum number of values. A decoded value takes far more memory than its text, so limiting the
    ///     size of the body isn't enough.
    /// - Returns: the values and member names in order, and the number of values.
    static func read(
        _ bytes: [UInt8], depth: Int, values: Int
    ) throws(Fault) -> (nodes: [JSONDocument.Node], valueCount: Int) {
        guard bytes.count < UInt32.max else {
            throw Fault(.tooManyValues, message: "The body has 4 GiB or more.", offset: 0)
        }
        if let offset = bytes.withUnsafeBufferPointer({ firstInvalidUTF8(in: $0) }) {
            throw Fault(message: "The body is not UTF-8.", offset: offset)
        }
        let result = bytes.withUnsafeBufferPointer {
            buffer -> Result<(nodes: [JSONDocument.Node], valueCount: Int), Fault> in
            var grammar = JSONGrammar(bytes: buffer)
            do throws(Fault) {
                try grammar.document(depth: depth, values: values)
                return .success((grammar.nodes, grammar.valueCount))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// The next byte, or NUL at the end. NUL can't occur in JSON, so at the end, a check for any expected byte fails.
    private var byte: UInt8 { index < bytes.count ? bytes[index] : 0 }

    private func fault(_ message: String = "The body is not valid JSON.") -> Fault {
        Fault(message: message, offset: index)
    }

    /// Checks the document with an explicit stack, so deep nesting can't overflow the call stack.
    private mutating func document(depth: Int, values: Int) throws(Fault) {
        // The nodes of the enclosing arrays and objects.
        var open: [Int] = []
        skipSpace()
        next: while true {
            // A value starts here.
            valueCount += 1
            guard valueCount <= values else {
                throw Fault(
                    .tooManyValues, message: "The body has more than \(values) values.", offset: index)
            }
            let start = index
            meter.consume(1)
            switch byte {
            case 0x7B, 0x5B:
                let opens = byte == 0x7B
                guard open.count < depth else { throw fault("The body is more than \(depth) levels deep.") }
                index += 1
                nodes.append(.init(opens ? .object : .array, start..<index, next: nodes.count + 1))
                skipSpace()
                if byte == (opens ? 0x7D : 0x5D) {
                    index += 1
                } else {
                    open.append(nodes.count - 1)
                    if opens { try name() }
                    continue next
                }
            case 0x22: try string()
            case 0x2D, 0x30...0x39:
                try number()
                append(.number, from: start)
            case 0x74:
                try literal("true")
                append(.true, from: start)
            case 0x66:
                try literal("false")
                append(.false, from: start)
            case 0x6E:
                try literal("null")
                append(.null, from: start)
            default: throw fault()
            }
            // A value ended here. The enclosing array or object continues or ends.
            while let outer = open.last {
                let isInObject = nodes[outer].kind == .object
                skipSpace()
                if byte == 0x2C {
                    index += 1
                    skipSpace()
                    if isInObject { try name() }
                    continue next
                }
                guard byte == (isInObject ? 0x7D : 0x5D) else { throw fault() }
                index += 1
                open.removeLast()
                nodes[outer].end(before: nodes.count)
            }
            skipSpace()
            guard index == bytes.count else { throw fault() }
            return
        }
    }

    private mutating func append(_ kind: JSONDocument.Kind, from start: Int) {
        nodes.append(.init(kind, start..<index, next: nodes.count + 1))
    }

    /// Checks a member's name and its colon.
    private mutating func name() throws(Fault) {
        guard byte == 0x22 else { throw fault() }
        try string()
        skipSpace()
        guard byte == 0x3A else { throw fault() }
        index += 1
        skipSpace()
    }

    private mutating func string() throws(Fault) {
        index += 1
        let start = index
        var hasEscapes = false
        while true {
            while index < bytes.count, bytes[index] >= 0x20, bytes[index] != 0x22, bytes[index] != 0x5C { index += 1 }
            if byte == 0x22 { break }
            guard byte == 0x5C else { throw fault() }
            hasEscapes = true
            try escape()
        }
        // Each combining mark takes at least two bytes, so a shorter string can't have too many in a row.
        if index - start > 2 * CombiningRun.limit { try checkCombiningRuns(start..<index) }
        append(hasEscapes ? .escapedText : .text, from: start)
        meter.consume(bytes: index - start)
        index += 1
    }

    /// Rejects a string with a long run of combining marks. The decoder hashes and compares member names, and handlers
    /// compare values. Long runs would make this slow.
    private func checkCombiningRuns(_ text: Range<Int>) throws(Fault) {
        var run = CombiningRun()
        var position = text.lowerBound
        while position < text.upperBound {
            let (scalar, length) = scalar(at: position)
            guard run.take(scalar) else {
                throw Fault(
                    .longCombiningRun,
                    message: "A text has more than \(CombiningRun.limit) combining marks in a row.", offset: position)
            }
            position += length
        }
    }

    /// Returns the scalar at a position in a checked string, and its length in bytes. Returns NUL for an escape with
    /// one letter, such as `\n`, which never stands for a combining mark.
    private func scalar(at position: Int) -> (scalar: UInt32, length: Int) {
        let lead = bytes[position]
        func continuation(_ offset: Int) -> UInt32 { UInt32(bytes[position + offset] & 0x3F) }
        switch lead {
        case 0x5C:
            guard let unit = escapedUnit(at: position) else { return (0, 2) }
            // Two escapes can be the halves of a surrogate pair (RFC 8259, section 7).
            guard unit & 0xFC00 == 0xD800, let low = escapedUnit(at: position + 6) else { return (unit, 6) }
            return (0x1_0000 + (unit & 0x3FF) << 10 + low & 0x3FF, 12)
        case ..<0x80: return (UInt32(lead), 1)
        case ..<0xE0: return (UInt32(lead & 0x1F) << 6 | continuation(1), 2)
        case ..<0xF0: return (UInt32(lead & 0xF) << 12 | continuation(1) << 6 | continuation(2), 3)
        default:
            return (UInt32(lead & 7) << 18 | continuation(1) << 12 | continuation(2) << 6 | continuation(3), 4)
        }
    }

    /// Returns the code unit of the escape (`\u` and four digits) at a position, or nil if there is none. Never reads
    /// past the end: the string ends with a quotation mark, which isn't `\u`.
    private func escapedUnit(at position: Int) -> UInt32? {
        guard bytes[position] == 0x5C, bytes[position + 1] == 0x75 else { return nil }
        return bytes[position + 2..<position + 6].reduce(0) { unit, digit in
            unit << 4 | UInt32(digit < 0x40 ? digit - 0x30 : (digit | 0x20) - 0x57)
        }
    }

    private mutating func escape() throws(Fault) {
        index += 1
        switch byte {
        case 0x22, 0x5C, 0x2F, 0x62, 0x66, 0x6E, 0x72, 0x74: index += 1
        case 0x75:
            index += 1
            for _ in 0..<4 {
                switch byte {
                case 0x30...0x39, 0x41...0x46, 0x61...0x66: index += 1
                default: throw fault()
                }
            }
        default: throw fault()
        }
    }

    private mutating func number() throws(Fault) {
        if byte == 0x2D { index += 1 }
        if byte == 0x30 { index += 1 } else { try digits() }
        if byte == 0x2E {
            index += 1
            try digits()
        }
        if byte == 0x65 || byte == 0x45 {
            index += 1
            if byte == 0x2B || byte == 0x2D { index += 1 }
            try digits()
        }
    }

    private mutating func digits() throws(Fault) {
        let start = index
        while (0x30...0x39).contains(byte) { index += 1 }
        guard index > start else { throw fault() }
    }

    private mutating func literal(_ text: StaticString) throws(Fault) {
        for offset in 0..<text.utf8CodeUnitCount {
            guard byte == text.utf8Start[offset] else { throw fault() }
            index += 1
        }
    }

    private mutating func skipSpace() {
        while byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    }

    /// Returns the offset of the first byte that isn't valid UTF-8 (RFC 3629 section 4), or nil if all bytes are valid.
    private static func firstInvalidUTF8(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        var index = 0
        let words = UnsafeRawBufferPointer(bytes)
        while index < bytes.count {
            // Most texts are ASCII, which is checked eight bytes at a time.
            while index + 8 <= bytes.count,
                words.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
            { index += 8 }
            guard index < bytes.count else { return nil }
            let lead = bytes[index]
            let length: Int
            var second: ClosedRange<UInt8> = 0x80...0xBF
            switch lead {
            case ..<0x80:
                index += 1
                continue
            case 0xC2...0xDF: length = 2
            case 0xE0: (length, second) = (3, 0xA0...0xBF)
            case 0xED: (length, second) = (3, 0x80...0x9F)
            case 0xE1...0xEF: length = 3
            case 0xF0: (length, second) = (4, 0x90...0xBF)
            case 0xF1...0xF3: length = 4
            case 0xF4: (length, second) = (4, 0x80...0x8F)
            default: return index
            }
            guard index + length <= bytes.count, second.contains(bytes[index + 1]),
                (index + 2..<index + length).allSatisfy({ bytes[$0] & 0xC0 == 0x80 })
            else { return index }
            index += length
        }
        return nil
    }
}
