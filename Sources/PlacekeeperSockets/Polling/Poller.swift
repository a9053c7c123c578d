import Dispatch

/// Reports the events of a worker's sockets, its clock ticks, and its wake-ups.
///
/// A poller is level-triggered: it reports an event again for as long as the cause lasts. Any thread may call `wake`.
/// All other functions are called on the worker's queue.
protocol Poller: AnyObject, Sendable {
    /// Whether `wait` can block. If it can't, the worker ends its turn instead.
    var blocks: Bool { get }

    /// Calls `turn` on the worker's queue when there are events to take with `wait`, and after `wake`.
    func start(_ turn: @escaping @Sendable () -> Void)

    /// Stops calling `turn`, and releases it.
    func stop()

    /// Causes a call of `turn`, or ends a blocked call of `wait`.
    func wake()

    /// Sets the interval of the ticks. Zero stops them.
    func setTicks(_ interval: Duration)

    /// Returns the number of ticks since the last call.
    func takeTicks() -> UInt32

    /// Starts reporting events of a socket. Returns false if the system refuses.
    func add(_ descriptor: Int32, _ events: SocketEvents, _ token: ConnectionID) -> Bool

    /// Replaces the reported events of a socket. Returns false if the socket wasn't added, or if the system refuses.
    /// Failures are reported even if `events` is empty.
    func change(_ descriptor: Int32, _ events: SocketEvents, _ token: ConnectionID) -> Bool

    /// Stops reporting events of a socket, and closes it. A socket that wasn't added is closed too.
    func close(_ descriptor: Int32)

    /// Moves events into `ready`, and returns their number. Waits for an event only if `mayBlock` is true and the
    /// poller blocks.
    func wait(_ ready: UnsafeMutableBufferPointer<Readiness>, mayBlock: Bool) -> Int
}

/// The pollers that a server can use on this system.
package enum PollerKind: String, Sendable, CaseIterable {
    #if !canImport(Darwin)
        /// One epoll per worker.
        case epoll
    #endif
    /// One Dispatch source per direction of each socket. Needs only Dispatch, but takes more than twice the CPU time of
    /// epoll per request.
    case dispatch

    /// The fastest poller on this system.
    package static var fastest: Self {
        #if !canImport(Darwin)
            .epoll
        #else
            .dispatch
        #endif
    }

    func makePoller(_ queue: DispatchQueue) throws(TransportError) -> any Poller {
        switch self {
        #if !canImport(Darwin)
            case .epoll: try EpollPoller(queue)
        #endif
        case .dispatch: DispatchPoller(queue)
        }
    }
}

/// Events of a socket, with the same numbers as in epoll and poll(2).
struct SocketEvents: OptionSet, Sendable, Hashable {
    var rawValue: UInt32

    /// Bytes, or the end of the peer's input, can be received.
    static let input = Self(rawValue: 0x1)
    /// Bytes can be sent.
    static let output = Self(rawValue: 0x4)
    /// The connection is lost (`EPOLLERR`), or both sides have finished sending (`EPOLLHUP`).
    static let failure = Self(rawValue: 0x18)
}

/// The events of a socket, or of the poller itself if the id's generation is ``ConnectionID/ownGeneration``.
struct Readiness: Sendable {
    var token: ConnectionID
    var events: SocketEvents
}

extension ConnectionID {
    /// The generation in the poller's own events. No connection has it.
    static let ownGeneration: UInt32 = 0
    static let wakeup = Self(index: 0, generation: ownGeneration)
    static let timer = Self(index: 1, generation: ownGeneration)
}
