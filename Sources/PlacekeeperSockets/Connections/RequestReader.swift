import PlacekeeperHTTP

/// Assembles complete requests from a connection's bytes: the head, the admission, and the content up to its limit.
///
/// The reader uses no socket and no responder. The caller admits the content, and charges the collected bytes to the
/// byte budget.
struct RequestReader {
    enum Step {
        case needsMore
        /// Content follows `head`. The caller must call `accept` or refuse the request before it calls `next` again.
        case announced
        /// This many bytes were added to the content.
        case collected(Int)
        case request(RequestHead, body: [UInt8], note: (any Sendable)?)
        case refused(Refusal)
    }

    private var decoder: RequestDecoder
    /// The head of the incomplete message.
    private(set) var head: RequestHead?
    private var body: [UInt8] = []
    private var bodyLimit = 0
    private var note: (any Sendable)?
    /// The tick at which the content was accepted.
    private(set) var acceptedAt: UInt32 = 0

    init(limits: RequestDecoder.Limits) { decoder = RequestDecoder(limits: limits) }

    var isInsideMessage: Bool { decoder.isInsideMessage }

    /// Whether the head is complete, but not the content.
    var isInsideBody: Bool { head != nil }

    /// The number of bytes of content that have arrived.
    var bodyCount: Int { body.count }

    /// The refusal to send at the end of the peer's input (RFC 9112 section 8). Nil between messages.
    var refusalAtEndOfInput: Refusal? { decoder.refusalAtEndOfInput }

    /// Returns the next step in `bytes` after `offset`, and moves `offset` past the consumed bytes.
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
                // The decoder returns `.end` only after `.head`, and nothing after a refusal.
                guard let head = head.take() else { preconditionFailure("a message ended before it began") }
                return .request(head, body: takeBody(), note: note.take())
            }
        }
    }

    private mutating func takeBody() -> [UInt8] {
        guard !body.isEmpty else { return [] }
        defer { body = [] }
        return body
    }

    /// Accepts content up to `limit`. Returns a refusal if Content-Length exceeds it.
    mutating func accept(bodyLimit limit: Int, note: (any Sendable)? = nil, tick: UInt32 = 0) -> Refusal? {
        bodyLimit = limit
        self.note = note
        acceptedAt = tick
        guard case .length(let length) = head?.framing else { return nil }
        guard length <= limit else { return .contentTooLarge }
        // Reserve more memory only when content arrives, because the client may lie about the length.
        body.reserveCapacity(min(length, 64 * 1024))
        return nil
    }

    private mutating func collect(_ piece: UnsafeRawBufferPointer) -> Step {
        // This limits the total size of a chunked body. A body with Content-Length is limited by `accept`.
        guard piece.count <= bodyLimit - body.count else { return .refused(.contentTooLarge) }
        let count = body.count + piece.count
        if count > body.capacity, case .length(let length) = head?.framing {
            // Reserve the size explicitly, because the array might otherwise grow to twice the size of the whole
            // content.
            body.reserveCapacity(min(length, 2 * count))
        }
        body.append(contentsOf: piece)
        return .collected(piece.count)
    }
}

extension Refusal {
    static let contentTooLarge = Refusal(
        .contentTooLarge, code: "content-too-large", "The content is larger than the limit of this resource.")
    static let headTooSlow = Refusal(
        .requestTimeout, code: "head-timeout", "The request head did not arrive in time.")
    static let bodyTooSlow = Refusal(
        .requestTimeout, code: "body-timeout", "The content of the request arrived too slowly.")
    static let tooManyBodies = Refusal(
        .serviceUnavailable, code: "buffers-exhausted", "The server has no memory left for content. Try again shortly."
    )
}
