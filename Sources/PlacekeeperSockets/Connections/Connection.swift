import PlacekeeperHTTP

/// The state machine of a connection: its phase, its deadline, and its next action.
///
/// It has no socket, clock or content. The worker reports events to it, and performs the actions that it returns.
struct Connection: Sendable {
    enum Phase: UInt8, Sendable {
        /// No message is in progress.
        case idle
        case head, body
        /// A handler has the request. Nothing is read in this phase, so a peer that pipelines many requests can't fill
        /// the memory.
        case handling
        /// A handler writes the content of its response.
        case streaming
        /// The last response is being sent. Nothing more is parsed.
        case ending
        /// All responses are sent, and the sending side is shut down. Input is discarded (RFC 9112 section 9.6).
        case lingering
        case closed
    }

    /// The kind of a deadline.
    enum Timer: UInt8, Sendable { case idle, head, body, write, linger }

    enum Action: Sendable, Equatable {
        case wait
        case refuse(Refusal)
        /// Continue to read and parse.
        case read
        /// Shut down the sending side, and discard input.
        case linger
        case close
        /// Close, and cancel the handler, because nobody will receive the response.
        case abort
    }

    private(set) var phase = Phase.idle
    /// Whether bytes are waiting until the peer can receive them.
    private(set) var hasUnsent = false
    private(set) var isDraining = false
    private var peerHasFinished = false
    private(set) var framing = ResponseEncoder.Framing.none
    private var framingContext = ResponseEncoder.FramingContext(method: .get, minorVersion: 1, keepsAlive: true)

    /// Whether the worker reads from the socket in this phase.
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

    /// Records that a complete request goes to its handler.
    mutating func handle(_ head: RequestHead) {
        framingContext = ResponseEncoder.FramingContext(head)
        phase = .handling
    }

    /// Returns the framing context for the response.
    func contextForResponse() -> ResponseEncoder.FramingContext {
        var framingContext = framingContext
        if isDraining { framingContext.keepsAlive = false }
        return framingContext
    }

    /// Records that a message is refused, and the framing context of the refusal. Bytes after the message are not
    /// parsed.
    mutating func refuse(method: Method) {
        framingContext = ResponseEncoder.FramingContext(method: method, minorVersion: 1, keepsAlive: false)
        phase = .handling
    }

    // MARK: - Answers

    /// Records that a response is written. For a stream, that means only its head.
    mutating func answered(_ plan: ResponseEncoder.Plan) {
        framingContext.keepsAlive = plan.keepsAlive
        switch plan.framing {
        case .none, .length: phase = plan.keepsAlive ? .idle : .ending
        case .chunked, .untilClose:
            framing = plan.framing
            phase = .streaming
        }
    }

    /// Records the end of a streamed response. If the handler failed before the content was complete, the connection
    /// must close, so the peer notices the failure.
    mutating func streamEnded(isWhole: Bool) -> Action {
        guard isWhole else { return .abort }
        phase = framingContext.keepsAlive && !isDraining ? .idle : .ending
        return .wait
    }

    /// Records whether all output is sent, or some of it waits for the peer.
    mutating func sent(everything: Bool) { hasUnsent = !everything }

    /// The next action, once all pending work is done.
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

    /// Records the end of the peer's input. No response is lost, because the end is read only after all earlier
    /// requests have been answered (RFC 9112 section 9.6).
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

    /// Starts a graceful shutdown: the current request is finished, and no new one begins.
    mutating func drain() -> Action {
        isDraining = true
        return phase == .idle && !hasUnsent ? .close : .wait
    }
}
