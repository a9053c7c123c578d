/// Reads the field lines of a head, and the empty line that ends it (RFC 9112 section 5). When more bytes arrive, the
/// reader continues where it stopped.
///
/// Each call passes all bytes of the head that have arrived, from the first one on.
struct FieldSectionReader: Sendable {
    enum Step {
        case needsMore
        /// A field line is complete.
        case field(RequestHead.Field)
        /// The head is complete.
        case end
    }

    private enum Phase: UInt8 {
        case lineStart, name, value, lineEnd, headEnd, complete
    }

    private var phase = Phase.lineStart
    /// The index of the first unread byte. All indices count from the head's first byte.
    private(set) var position: Int
    /// The start of the current name or value.
    private var mark = 0
    private var name = 0..<0
    private(set) var fields: [RequestHead.Field] = []

    /// - Parameter start: The index of the first byte after the start line.
    init(at start: Int) { position = start }

    /// Returns the next step in `bytes`.
    mutating func next(_ bytes: UnsafeRawBufferPointer, limits: RequestDecoder.Limits) throws(Fault) -> Step {
        while true {
            switch phase {
            case .lineStart: guard try readLineStart(bytes, limits) else { return .needsMore }
            case .name: guard try readName(bytes, limits) else { return .needsMore }
            case .value: guard try readValue(bytes, limits) else { return .needsMore }
            case .lineEnd:
                guard try readLineFeed(bytes, limits, next: .lineStart) else { return .needsMore }
                let field = RequestHead.Field(name: name, value: Grammar.trimmed(mark..<position - 2, of: bytes))
                if fields.capacity == 0 { fields.reserveCapacity(12) }
                fields.append(field)
                return .field(field)
            case .headEnd: guard try readLineFeed(bytes, limits, next: .complete) else { return .needsMore }
            case .complete: return .end
            }
        }
    }

    private mutating func readLineStart(
        _ bytes: UnsafeRawBufferPointer, _ limits: RequestDecoder.Limits
    ) throws(Fault) -> Bool {
        guard try isThere(bytes, limits) else { return false }
        switch bytes[position] {
        case Grammar.carriageReturn:
            position += 1
            phase = .headEnd
        case Grammar.space, Grammar.tab:
            throw .lineFolding
        default:
            guard fields.count < limits.fieldCount else { throw .tooManyFields }
            mark = position
            phase = .name
        }
        return true
    }

    private mutating func readName(
        _ bytes: UnsafeRawBufferPointer, _ limits: RequestDecoder.Limits
    ) throws(Fault) -> Bool {
        let end = min(bytes.count, limits.head)
        var index = position
        while index < end, Grammar.isToken(bytes[index]) { index += 1 }
        position = index
        guard try isThere(bytes, limits) else { return false }
        guard bytes[index] == 0x3A, index > mark else {
            let isSpace = index > mark && Grammar.isWhiteSpace(bytes[index])
            throw .misplaced(bytes[index], otherwise: isSpace ? .spaceBeforeColon : .fieldNameInvalid)
        }
        name = mark..<index
        position = index + 1
        mark = position
        phase = .value
        return true
    }

    private mutating func readValue(
        _ bytes: UnsafeRawBufferPointer, _ limits: RequestDecoder.Limits
    ) throws(Fault) -> Bool {
        let end = min(bytes.count, limits.head)
        var index = position
        repeat {
            index = Grammar.indexOfControl(in: index..<end, of: bytes)
            if index == end || bytes[index] != Grammar.tab { break }
            index += 1
        } while true
        position = index
        guard try isThere(bytes, limits) else { return false }
        guard bytes[index] == Grammar.carriageReturn else { throw .misplaced(bytes[index], otherwise: .controlByte) }
        position = index + 1
        phase = .lineEnd
        return true
    }

    private mutating func readLineFeed(
        _ bytes: UnsafeRawBufferPointer, _ limits: RequestDecoder.Limits, next: Phase
    ) throws(Fault) -> Bool {
        guard try isThere(bytes, limits) else { return false }
        guard bytes[position] == Grammar.lineFeed else { throw .bareCarriageReturn }
        position += 1
        phase = next
        return true
    }

    /// Whether the byte at `position` has arrived. Throws if this byte exceeds the size limit of a head.
    private func isThere(_ bytes: UnsafeRawBufferPointer, _ limits: RequestDecoder.Limits) throws(Fault) -> Bool {
        guard position < bytes.count else { return false }
        guard position < limits.head else { throw .headTooLarge }
        return true
    }
}
