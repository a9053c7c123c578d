import Dispatch

/// Reports the events of a worker's sockets, the ticks of its clock, and its wake-ups.
///
/// A poller is level-triggered: it reports an event again as long as the event's cause lasts. Any thread may call
/// `wake`. All other functions are called on the worker's queue.
protocol Poller: AnyObject, Sendable {
    /// Whether `wait` may block. The worker of another poller returns from its turn instead.
    var blocks: Bool { get }

    /// Calls `turn` on the worker's queue when there are events to take with `wait`, and after `wake`.
    func start(_ turn: @escaping @Sendable () -> Void)

    /// Ends the calls of `turn`, and releases it.
    func stop()

    /// Causes a call of `turn`, or ends the call of `wait` that blocks.
    func wake()

    /// Sets the interval of the ticks. Zero stops the ticks.
    func setTicks(_ interval: Duration)

    /// Returns the number of ticks since the last call.
    func takeTicks() -> UInt32

    /// Begins to report events of a socket. Returns false if the system refuses.
    func add(_ descriptor: Int32, _ events: SocketEvents, _ token: ConnectionID) -> Bool

    /// Replaces the reported events of a socket. Returns false if the socket was not added, or if the system refuses.
    /// A failure of the socket is also reported if `events` is empty.
    func change(_ descriptor: Int32, _ events: SocketEvents, _ token: ConnectionID) -> Bool

    /// Reports no further event of a socket, and closes the socket. A socket that was not added is closed too.
    func close(_ descriptor: Int32)

    /// Moves events into `ready`, and returns their number. Waits for an event only if `mayBlock` is true and the
    /// poller blocks.
    func wait(_ ready: UnsafeMutableBufferPointer<Readiness>, mayBlock: Bool) -> Int
}

/// The pollers that a server can use on this system.
package enum PollerKind: String, Sendable, CaseIterable {
    #if !canImport(Darwin)
        /// One epoll for each worker.
        case epoll
    #endif
    /// A Dispatch source for each direction of each socket. It needs nothing but Dispatch, and more than
    /// twice the CPU of epoll for a request.
    case dispatch

    /// The fastest poller of this system.
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

/// Events of a socket. The numbers are those of epoll and poll(2).
struct SocketEvents: OptionSet, Sendable, Hashable {
    var rawValue: UInt32

    /// Bytes, or the end of the peer's bytes, can be received.
    static let input = Self(rawValue: 0x1)
    /// Bytes can be sent.
    static let output = Self(rawValue: 0x4)
    /// The connection is lost (`EPOLLERR`), or both sides have finished sending (`EPOLLHUP`).
    static let failure = Self(rawValue: 0x18)
}

/// The events of a socket, or of the poller itself if the token has the generation ``ConnectionID/ownGeneration``.
struct Readiness: Sendable {
    var token: ConnectionID
    var events: SocketEvents
}

extension ConnectionID {
    /// The generation in the events of the poller itself. No connection has this generation.
    static let ownGeneration: UInt32 = 0
    static let wakeup = Self(index: 0, generation: ownGeneration)
    static let timer = Self(index: 1, generation: ownGeneration)
}
