/// Reads a response head in one pass (RFC 9112 sections 4 and 5). When more bytes arrive, the reader continues where it
/// stopped.
///
/// Each call passes all bytes of the head that have arrived, from the first one on. The reader reports a fault at the
/// first byte that makes the fault certain, so the result doesn't depend on how the bytes were split.
struct ResponseHeadReader: Sendable {
    private enum Phase: UInt8 {
        case version, reason, statusLineEnd, fields, complete
    }

    private static let form: StaticString = "HTTP/1.0 000 "

    private var phase = Phase.version
    /// The index of the first unread byte of the status line.
    private var position = 0
    private var lines = FieldSectionReader(at: 0)
    private var facts = MessageFacts()

    /// Returns the head and its length. Nil until the last byte of the head has arrived.
    mutating func read(
        _ bytes: UnsafeRawBufferPointer, limits: RequestDecoder.Limits
    ) throws(Fault) -> (head: ResponseHead, length: Int)? {
        while phase != .complete {
            let advanced =
                switch phase {
                case .version: try readVersionAndStatus(bytes)
                case .reason: try readReason(bytes, limits)
                case .statusLineEnd: try readStatusLineEnd(bytes)
                case .fields: try readFields(bytes, limits)
                case .complete: true
                }
            guard advanced else { return nil }
        }
        return (try finish(bytes), lines.position)
    }

    /// Reads `HTTP/1.`, the minor version, the status code and the spaces. The space after the status code is required
    /// (RFC 9112 section 4).
    private mutating func readVersionAndStatus(_ bytes: UnsafeRawBufferPointer) throws(Fault) -> Bool {
        while position < bytes.count {
            let byte = bytes[position]
            let isValid =
                switch position {
                case 7: byte == 0x30 || byte == 0x31
                case 9: byte >= 0x31 && byte <= 0x35
                case 10, 11: Grammar.isDigit(byte)
                default: byte == Self.form.utf8Start[position]
                }
            guard isValid else {
                throw .misplaced(byte, otherwise: position < 9 ? .versionMalformed : .statusMalformed)
            }
            position += 1
            if position == Self.form.utf8CodeUnitCount {
                phase = .reason
                return true
            }
        }
        return false
    }

    private mutating func readReason(
        _ bytes: UnsafeRawBufferPointer, _ limits: RequestDecoder.Limits
    ) throws(Fault) -> Bool {
        let end = min(bytes.count, limits.requestLine)
        while position < end, Grammar.isFieldValue(bytes[position]) { position += 1 }
        guard position < end else {
            guard bytes.count <= limits.requestLine else { throw .headTooLarge }
            return false
        }
        guard bytes[position] == Grammar.carriageReturn else {
            throw .misplaced(bytes[position], otherwise: .controlByte)
        }
        position += 1
        phase = .statusLineEnd
        return true
    }

    private mutating func readStatusLineEnd(_ bytes: UnsafeRawBufferPointer) throws(Fault) -> Bool {
        guard position < bytes.count else { return false }
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
            case .field(let field): try facts.takeFraming(name: field.name, value: field.value, of: bytes)
            case .end:
                phase = .complete
                return true
            }
        }
    }

    /// Returns the head, framed by its fields as if the response had content.
    private func finish(_ bytes: UnsafeRawBufferPointer) throws(Fault) -> ResponseHead {
        let minorVersion = bytes[7] - 0x30
        let framing: ResponseHead.Framing =
            switch try facts.announcedFraming(minorVersion: minorVersion) {
            case .none: .untilClose
            case .length(let length): .length(length)
            case .chunked: .chunked
            }
        func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        return ResponseHead(
            status: (9..<12).reduce(0) { $0 * 10 + Int(bytes[$1] - 0x30) },
            fields: lines.fields.map { ResponseHead.Field(name: text($0.name).lowercased(), value: text($0.value)) },
            framing: framing, keepsAlive: facts.keepsAlive(minorVersion: minorVersion))
    }
}
