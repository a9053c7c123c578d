import PlacekeeperAPI

/// Checks bytes against the grammar of JSON (RFC 8259), in UTF-8 and without a byte order mark, in one pass that
/// allocates a bit for each level of depth and nothing else.
struct JSONGrammar {
    struct Fault: Error, Equatable {
        var code = ProblemCode.malformedJSON
        var message: String
        var offset: Int
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0
    private var valueCount = 0

    /// - Parameters:
    ///   - depth: how many arrays and objects may be inside each other.
    ///   - values: how many values there may be. To decode one takes far more memory than its text.
    /// - Returns: how many values there are.
    @discardableResult
    static func check(_ bytes: [UInt8], depth: Int, values: Int = .max) throws(Fault) -> Int {
        if let offset = bytes.withUnsafeBufferPointer({ firstInvalidUTF8(in: $0) }) {
            throw Fault(message: "The body is not UTF-8.", offset: offset)
        }
        let result = bytes.withUnsafeBufferPointer { buffer -> Result<Int, Fault> in
            var grammar = JSONGrammar(bytes: buffer)
            do throws(Fault) {
                try grammar.document(depth: depth, values: values)
                return .success(grammar.valueCount)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// The next byte; past the end NUL, which stands nowhere in JSON.
    private var byte: UInt8 { index < bytes.count ? bytes[index] : 0 }

    private func fault(_ message: String = "The body is not JSON.") -> Fault { Fault(message: message, offset: index) }

    /// A loop over an explicit stack: hostile depth costs no call stack.
    private mutating func document(depth: Int, values: Int) throws(Fault) {
        var isObject: [Bool] = []
        skipSpace()
        next: while true {
            // A value begins here.
            valueCount += 1
            guard valueCount <= values else {
                throw Fault(
                    code: .contentTooLarge, message: "The body has more than \(values) values.", offset: index)
            }
            switch byte {
            case 0x7B, 0x5B:
                let opens = byte == 0x7B
                guard isObject.count < depth else { throw fault("The body is more than \(depth) levels deep.") }
                index += 1
                skipSpace()
                if byte == (opens ? 0x7D : 0x5D) {
                    index += 1
                } else {
                    isObject.append(opens)
                    if opens { try name() }
                    continue next
                }
            case 0x22: try string()
            case 0x2D, 0x30...0x39: try number()
            case 0x74: try literal("true")
            case 0x66: try literal("false")
            case 0x6E: try literal("null")
            default: throw fault()
            }
            // A value ended here: what it is inside of goes on or ends as well.
            while let isInObject = isObject.last {
                skipSpace()
                if byte == 0x2C {
                    index += 1
                    skipSpace()
                    if isInObject { try name() }
                    continue next
                }
                guard byte == (isInObject ? 0x7D : 0x5D) else { throw fault() }
                index += 1
                isObject.removeLast()
            }
            skipSpace()
            guard index == bytes.count else { throw fault() }
            return
        }
    }

    /// A member's name with its colon.
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
        while byte != 0x22 {
            switch byte {
            case 0x5C: try escape()
            case ..<0x20: throw fault()
            default: index += 1
            }
        }
        index += 1
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

    /// Where the bytes stop being UTF-8 (RFC 3629 section 4); nil when they all are.
    private static func firstInvalidUTF8(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        var index = 0
        while index < bytes.count {
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
