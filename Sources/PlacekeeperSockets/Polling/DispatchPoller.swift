import PlacekeeperSystem
import Dispatch

/// A poller of plain Dispatch sources: one per direction of each socket, and one for the ticks.
///
/// Each event of a source is a turn of the worker, so this poller never blocks.
///
/// `@unchecked Sendable`: only the worker's queue uses the state.
final class DispatchPoller: Poller, @unchecked Sendable {
    private let queue: DispatchQueue
    private var turn: (@Sendable () -> Void)?
    private var sockets: [Int32: WatchedSocket] = [:]
    private var timer: (any DispatchSourceTimer)?
    private var ticks: UInt32 = 0
    /// The events that `wait` hasn't reported yet.
    private var waiting: [Readiness] = []

    init(_ queue: DispatchQueue) { self.queue = queue }

    var blocks: Bool { false }

    func start(_ turn: @escaping @Sendable () -> Void) {
        queue.async {
            self.turn = turn
            turn()
        }
    }

    func stop() {
        turn = nil
        // Stop the timer, which would otherwise keep this object alive.
        setTicks(.zero)
    }

    func wake() { queue.async { self.turn?() } }

    func setTicks(_ interval: Duration) {
        timer?.cancel()
        timer = nil
        ticks = 0
        guard interval > .zero else { return }
        let nanoseconds = Int(interval / .nanoseconds(1))
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + .nanoseconds(nanoseconds), repeating: .nanoseconds(nanoseconds))
        timer.setEventHandler { self.tick(self.timer?.data ?? 0) }
        self.timer = timer
        timer.activate()
    }

    func takeTicks() -> UInt32 {
        defer { ticks = 0 }
        return ticks
    }

    func add(_ descriptor: Int32, _ events: SocketEvents, _ token: ConnectionID) -> Bool {
        // For a closed descriptor, a source would silently never report an event.
        guard sockets[descriptor] == nil, fcntl(descriptor, F_GETFD) >= 0 else { return false }
        let socket = WatchedSocket(descriptor, token, queue) { self.report($0, $1) }
        sockets[descriptor] = socket
        socket.watch(events)
        return true
    }

    func change(_ descriptor: Int32, _ events: SocketEvents, _ token: ConnectionID) -> Bool {
        guard let socket = sockets[descriptor] else { return false }
        socket.watch(events)
        return true
    }

    func close(_ descriptor: Int32) {
        guard let socket = sockets.removeValue(forKey: descriptor) else { return System.close(descriptor) }
        waiting.removeAll { $0.token == socket.token }
        socket.close()
    }

    func wait(_ ready: UnsafeMutableBufferPointer<Readiness>, mayBlock: Bool) -> Int {
        let count = min(waiting.count, ready.count)
        for index in 0..<count { ready[index] = waiting[index] }
        waiting.removeFirst(count)
        return count
    }

    private func report(_ events: SocketEvents, _ socket: WatchedSocket) {
        // A source doesn't report that its socket has failed.
        let failure: SocketEvents = Platform.hasFailed(socket.descriptor) ? .failure : []
        waiting.append(Readiness(token: socket.token, events: events.union(failure)))
        turn?()
    }

    private func tick(_ count: UInt) {
        ticks &+= UInt32(truncatingIfNeeded: count)
        waiting.append(Readiness(token: .timer, events: .input))
        // Suspended sources report nothing, so only this loop finds out that a socket without active sources has
        // failed.
        for socket in sockets.values where socket.isSuspended && Platform.hasFailed(socket.descriptor) {
            waiting.append(Readiness(token: socket.token, events: .failure))
        }
        turn?()
    }
}

/// The Dispatch sources of one socket. The socket is closed when all its sources have ended.
///
/// `@unchecked Sendable`: only the worker's queue uses the state.
private final class WatchedSocket: @unchecked Sendable {
    let descriptor: Int32
    let token: ConnectionID
    private let queue: DispatchQueue
    private let report: @Sendable (SocketEvents, WatchedSocket) -> Void
    private var watched: SocketEvents = []
    private var reader: (any DispatchSourceProtocol)?
    private var writer: (any DispatchSourceProtocol)?
    private var openSources = 0

    init(
        _ descriptor: Int32, _ token: ConnectionID, _ queue: DispatchQueue,
        _ report: @escaping @Sendable (SocketEvents, WatchedSocket) -> Void
    ) {
        self.descriptor = descriptor
        self.token = token
        self.queue = queue
        self.report = report
    }

    /// Whether no source can report an event.
    var isSuspended: Bool { watched.isEmpty }

    /// Suspends and resumes the sources, and creates those that are needed for the first time.
    func watch(_ events: SocketEvents) {
        update(.input, events, &reader) { DispatchSource.makeReadSource(fileDescriptor: $0, queue: $1) }
        update(.output, events, &writer) { DispatchSource.makeWriteSource(fileDescriptor: $0, queue: $1) }
        watched = events
    }

    /// Cancels the sources. The last one to end closes the descriptor, because Dispatch may use it until then.
    func close() {
        if openSources == 0 { System.close(descriptor) }
        for (event, source) in [(SocketEvents.input, reader), (.output, writer)] {
            guard let source else { continue }
            source.cancel()
            // A suspended source would never call its cancel handler, and must not be released.
            if !watched.contains(event) { source.resume() }
        }
        (reader, writer) = (nil, nil)
    }

    private func update(
        _ event: SocketEvents, _ events: SocketEvents, _ source: inout (any DispatchSourceProtocol)?,
        _ make: (Int32, DispatchQueue) -> any DispatchSourceProtocol
    ) {
        guard events.contains(event) != watched.contains(event) else { return }
        guard events.contains(event) else { source?.suspend(); return }
        if let source { return source.resume() }
        let made = make(descriptor, queue)
        made.setEventHandler { self.report(event, self) }
        made.setCancelHandler {
            self.openSources -= 1
            if self.openSources == 0 { System.close(self.descriptor) }
        }
        source = made
        openSources += 1
        made.activate()
    }
}
