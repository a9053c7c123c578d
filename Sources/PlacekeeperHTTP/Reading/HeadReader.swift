/// Reads a request head in one pass (RFC 9112 section 2.2). When more bytes arrive, the reader continues where it
/// stopped.
///
/// Each call passes all bytes of the head that have arrived, from the first one on. The reader reports a fault at the
/// first byte that makes the fault certain, so the result doesn't depend on how the bytes were split.
struct HeadReader: Sendable {
    private enum Phase: UInt8 {
        case method, target, version, requestLineEnd, fields, complete
    }

    private var phase = Phase.method
    /// The index of the first unread byte of the request line. All indices count from the head's first byte.
    private var position = 0
    /// The start of the current part of the request line.
    private var mark = 0
    private var method = Method.other
    private var target = Target()
    private var minorVersion: UInt8 = 1
    private var lines = FieldSectionReader(at: 0)
    private var facts = MessageFacts()

    /// Whether the reader has read any byte of the head.
    var hasBegun: Bool { position > 0 }

    /// Returns the head and its length. Nil until the last byte of the head has arrived.
    mutating func read(
        _ bytes: UnsafeRawBufferPointer, limits: RequestDecoder.Limits
    ) throws(Fault) -> (head: RequestHead, length: Int)? {
        while phase != .complete {
            let advanced =
                switch phase {
                case .method: try readMethod(bytes, limits)
                case .target: try readTarget(bytes, limits)
                case .version: try readVersion(bytes)
                case .requestLineEnd: try readRequestLineEnd(bytes, limits)
                case .fields: try readFields(bytes, limits)
                case .complete: true
                }
            guard advanced else { return nil }
        }
        return (try finish(bytes), lines.position)
    }

    // MARK: - Request line (RFC 9112 section 3)

    private mutating func readMethod(
        _ bytes: UnsafeRawBufferPointer, _ limits: RequestDecoder.Limits
    ) throws(Fault) -> Bool {
        let end = min(bytes.count, limits.requestLine)
        while position < end, Grammar.isToken(bytes[position]) { position += 1 }
        guard position < end else {
            guard bytes.count <= limits.requestLine else { throw .requestLineTooLong }
            return false
        }
        guard bytes[position] == Grammar.space, position > 0 else {
            throw .misplaced(bytes[position], otherwise: .methodInvalid)
        }
        method = Method(token: UnsafeRawBufferPointer(rebasing: bytes[..<position]))
        // Reject CONNECT: only CONNECT uses the authority-form (RFC 9112 section 3.2.3), which has no path to route by.
        if method == .other, Grammar.equalsIgnoringCase("connect", 0..<position, of: bytes) {
            throw .methodNotImplemented
        }
        position += 1
        mark = position
        phase = .target
        return true
    }

    private mutating func readTarget(
        _ bytes: UnsafeRawBufferPointer, _ limits: RequestDecoder.Limits
    ) throws(Fault) -> Bool {
        // The target is followed by a space and the eight bytes of the version. If the target reaches `limit`, the
        // request line is too long.
        let limit = max(0, limits.requestLine - 8)
        let end = min(bytes.count, limit)
        var index = position
        while index < end, bytes[index] &- 0x21 < 0x5E { index += 1 }
        position = index
        guard index < end else {
            guard bytes.count <= limit else { throw .requestLineTooLong }
            return false
        }
        guard bytes[index] == Grammar.space else {
            let isLineEnd = bytes[index] == Grammar.carriageReturn
            throw .misplaced(bytes[index], otherwise: isLineEnd ? .requestLineMalformed : .targetInvalid)
        }
        target = try Target(mark..<index, of: bytes, method: method)
        position = index + 1
        mark = position
        phase = .version
        return true
    }

    private mutating func readVersion(_ bytes: UnsafeRawBufferPointer) throws(Fault) -> Bool {
        let form: StaticString = "HTTP/0.0"
        while position < bytes.count {
            let byte = bytes[position]
            let offset = position - mark
            if offset == form.utf8CodeUnitCount {
                guard byte == Grammar.carriageReturn else { throw .misplaced(byte, otherwise: .versionMalformed) }
                minorVersion = bytes[position - 1] - 0x30
                guard bytes[position - 3] == 0x31, minorVersion <= 1 else { throw .versionUnsupported }
                position += 1
                phase = .requestLineEnd
                return true
            }
            let expected = form.utf8Start[offset]
            guard expected == 0x30 ? Grammar.isDigit(byte) : byte == expected else {
                throw .misplaced(byte, otherwise: .versionMalformed)
            }
            position += 1
        }
        return false
    }

    private mutating func readRequestLineEnd(
        _ bytes: UnsafeRawBufferPointer, _ limits: RequestDecoder.Limits
    ) throws(Fault) -> Bool {
        guard position < bytes.count else { return false }
        guard position < limits.head else { throw .headTooLarge }
        guard bytes[position] == Grammar.lineFeed else { throw .bareCarriageReturn }
        position += 1
        lines = FieldSectionReader(at: position)
        phase = .fields
        return true
    }

    private mutating func readFields(
        _ bytes: UnsafeRawBufferPointer, _ limits: RequestDecoder.Limits
    ) throws(Fault) -> Bool {
        while true {
            switch try lines.next(bytes, limits: limits) {
            case .needsMore: return false
            case .field(let field): try facts.take(name: field.name, value: field.value, of: bytes)
            case .end:
                phase = .complete
                return true
            }
        }
    }

    private mutating func finish(_ bytes: UnsafeRawBufferPointer) throws(Fault) -> RequestHead {
        let framing = try facts.framing(minorVersion: minorVersion)
        let length = lines.position
        return RequestHead(
            bytes: [UInt8](unsafeUninitializedCapacity: length) { copy, count in
                UnsafeMutableRawBufferPointer(copy).copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<length]))
                count = length
            },
            method: method, minorVersion: minorVersion, path: target.path, query: target.query,
            authority: target.authority ?? facts.host, fields: lines.fields, framing: framing,
            keepsAlive: facts.keepsAlive(minorVersion: minorVersion),
            expectsContinue: facts.expectsContinue && minorVersion == 1 && framing != .none && framing != .length(0))
    }
}
