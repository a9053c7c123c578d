import HTTPCodec

/// Where a connection stands, and what that means: what it waits for, how long, and what comes next.
///
/// A value without a socket, a clock or a byte of content. The worker tells it what happened and does what it says.
struct Connection: Sendable {
    enum Phase: UInt8, Sendable {
        /// Between messages.
        case idle
        case head, body
        /// A handler has the request; nothing is read, so that a peer that pipelines is held back.
        case handling
        /// A handler writes the content of its answer.
        case streaming
        /// The last answer is on its way; nothing more is parsed.
        case ending
        /// Everything is sent and said to be so; what comes in is dropped (RFC 9112 section 9.6).
        case lingering
        case closed
    }

    /// What a deadline is for.
    enum Timer: UInt8, Sendable { case idle, head, body, write, linger }

    enum Action: Sendable, Equatable {
        case wait
        case refuse(Refusal)
        /// Go on with what has been received.
        case read
        /// Say that no more will be sent, and drop what comes in.
        case linger
        case close
        /// Close, and cancel the handler: nobody is there for its answer.
        case abort
    }

    private(set) var phase = Phase.idle
    /// Bytes wait until the peer takes them.
    private(set) var hasUnsent = false
    private(set) var isDraining = false
    private var peerHasFinished = false
    private(set) var framing = ResponseEncoder.Framing.none
    private var messageState = ResponseEncoder.FramingContext(method: .get, minorVersion: 1, keepsAlive: true)

    /// Whether the socket's bytes are of interest.
    var reads: Bool {
        switch phase {
        case .idle, .head, .body: !hasUnsent
        case .lingering: true
        case .handling, .streaming, .ending, .closed: false
        }
    }

    var timer: Timer? {
        if hasUnsent { return .write }
        switch phase {
        case .idle: return .idle
        case .head: return .head
        case .body: return .body
        case .lingering: return .linger
        case .handling, .streaming, .ending, .closed: return nil
        }
    }

    // MARK: - Requests

    mutating func needsMore(insideMessage: Bool, insideBody: Bool) {
        phase = insideBody ? .body : insideMessage ? .head : .idle
    }

    /// A request is whole and goes to its handler.
    mutating func handle(_ head: RequestHead) {
        messageState = ResponseEncoder.FramingContext(head)
        phase = .handling
    }

    /// What the answer is to be encoded for.
    func exchangeToAnswer() -> ResponseEncoder.FramingContext {
        var messageState = messageState
        if isDraining { messageState.keepsAlive = false }
        return messageState
    }

    /// A message is refused: what its answer is to be encoded for. Nothing behind it is parsed.
    mutating func refuse(method: Method) {
        messageState = ResponseEncoder.FramingContext(method: method, minorVersion: 1, keepsAlive: false)
        phase = .handling
    }

    // MARK: - Answers

    /// The head of an answer is written; so is its content, unless it is a stream.
    mutating func answered(_ plan: ResponseEncoder.Plan) {
        messageState.keepsAlive = plan.keepsAlive
        switch plan.framing {
        case .none, .length: phase = plan.keepsAlive ? .idle : .ending
        case .chunked, .untilClose:
            framing = plan.framing
            phase = .streaming
        }
    }

    /// The content of a streamed answer is whole, or the handler gave it up: then only the connection's end tells the
    /// peer that a part is missing.
    mutating func streamEnded(isWhole: Bool) -> Action {
        guard isWhole else { return .abort }
        phase = messageState.keepsAlive && !isDraining ? .idle : .ending
        return .wait
    }

    /// What was to be sent is sent, or a part of it waits for the peer.
    mutating func sent(everything: Bool) { hasUnsent = !everything }

    /// What comes next, when all that could be done is done.
    var next: Action {
        guard !hasUnsent else { return .wait }
        switch phase {
        case .ending: return peerHasFinished ? .close : .linger
        case .idle where isDraining: return .close
        case .idle, .head, .body: return .read
        case .handling, .streaming, .lingering, .closed: return .wait
        }
    }

    mutating func linger() { phase = .lingering }

    mutating func close() { phase = .closed }

    // MARK: - Events

    /// The peer sends nothing more. It is still owed an answer to what it sent (RFC 9112 section 9.6).
    mutating func peerFinished(_ refusal: Refusal?) -> Action {
        peerHasFinished = true
        guard let refusal, phase != .lingering else { return .close }
        return .refuse(refusal)
    }

    mutating func deadlinePassed(_ timer: Timer) -> Action {
        switch timer {
        case .idle, .linger: .close
        case .head: .refuse(.headTooSlow)
        case .body: .refuse(.bodyTooSlow)
        case .write: .abort
        }
    }

    /// The server stops: what is in flight is finished, nothing new begins.
    mutating func drain() -> Action {
        isDraining = true
        return phase == .idle && !hasUnsent ? .close : .wait
    }
}
