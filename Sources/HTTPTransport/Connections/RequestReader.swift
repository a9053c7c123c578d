import HTTPCodec

/// Puts whole requests together from a connection's bytes: head, admission, content up to the admitted limit.
///
/// It knows no socket and asks nobody: the one who feeds it admits what it announces, and pays for what it collects.
struct RequestReader {
    enum Step {
        case needsMore
        /// `head` announces content: `accept` or refuse it before reading on.
        case announced
        /// So many bytes of content were added.
        case collected(Int)
        case request(RequestHead, body: [UInt8], admittedAt: Int64?)
        case refused(Refusal)
    }

    private var decoder: RequestDecoder
    /// The head of the message that is not whole.
    private(set) var head: RequestHead?
    private var body: [UInt8] = []
    private var bodyLimit = 0
    private var admittedAt: Int64?
    /// The tick at which the content was accepted.
    private(set) var acceptedAt: UInt32 = 0

    init(limits: RequestDecoder.Limits) { decoder = RequestDecoder(limits: limits) }

    var isInsideMessage: Bool { decoder.isInsideMessage }

    /// Whether a head is whole and its content is not.
    var isInsideBody: Bool { head != nil }

    /// Bytes of the content that have come.
    var bodyCount: Int { body.count }

    /// What to answer when the peer sends nothing more (RFC 9112 section 8); nil between messages.
    var refusalAtEndOfInput: Refusal? { decoder.refusalAtEndOfInput }

    /// The next step in `bytes` behind `offset`, which moves past what it used up.
    mutating func next(_ bytes: UnsafeRawBufferPointer, _ offset: inout Int) -> Step {
        while true {
            let start = offset
            let (event, consumed) = decoder.next(UnsafeRawBufferPointer(rebasing: bytes[start...]))
            offset += consumed
            switch consume event {
            case .needsMore: return .needsMore
            case .refused(let refusal): return .refused(refusal)
            case .body(let range):
                return collect(
                    UnsafeRawBufferPointer(rebasing: bytes[start + range.lowerBound..<start + range.upperBound]))
            case .head(let head):
                let hasBody = head.framing != .none
                self.head = consume head
                if hasBody { return .announced }
            case .end:
                guard let head = head.take() else { preconditionFailure("a message ended that had not begun") }
                return .request(head, body: takeBody(), admittedAt: admittedAt.take())
            }
        }
    }

    private mutating func takeBody() -> [UInt8] {
        guard !body.isEmpty else { return [] }
        defer { body = [] }
        return body
    }

    /// Takes the announced content up to `limit`, unless it is already known to be longer.
    mutating func accept(bodyLimit limit: Int, at time: Int64? = nil, tick: UInt32 = 0) -> Refusal? {
        bodyLimit = limit
        admittedAt = time
        acceptedAt = tick
        guard case .length(let length) = head?.framing else { return nil }
        guard length <= limit else { return .contentTooLarge }
        // More is reserved as it comes: a length is only a promise.
        body.reserveCapacity(min(length, 64 * 1024))
        return nil
    }

    private mutating func collect(_ piece: UnsafeRawBufferPointer) -> Step {
        guard piece.count <= bodyLimit - body.count else { return .refused(.contentTooLarge) }
        let count = body.count + piece.count
        if count > body.capacity, case .length(let length) = head?.framing {
            // An array by itself would take twice as much as the whole content.
            body.reserveCapacity(min(length, 2 * count))
        }
        body.append(contentsOf: piece)
        return .collected(piece.count)
    }
}

extension Refusal {
    static let contentTooLarge = Refusal(
        .contentTooLarge, code: "content-too-large", "The content is larger than this resource takes.")
    static let headTooSlow = Refusal(
        .requestTimeout, code: "head-timeout", "The head of the request took too long to arrive.")
    static let bodyTooSlow = Refusal(
        .requestTimeout, code: "body-timeout", "The content of the request stopped arriving, or came too slowly.")
    static let tooManyBodies = Refusal(
        .serviceUnavailable, code: "buffers-exhausted", "The server holds as much content as it may: try again shortly."
    )
}
