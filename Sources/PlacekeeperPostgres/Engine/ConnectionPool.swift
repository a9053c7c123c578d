import Dispatch
import PlacekeeperConcurrency
import PlacekeeperCore
import PlacekeeperService

/// A few connections, each with its own thread, because libpq blocks while it connects and while it waits for results.
/// A connection is opened when it is first needed, and reopened after it was lost.
///
/// Each request fails at its deadline, although its statements may still be running. Statements that read are then
/// canceled. Statements that write continue, because a server that has lost its standby would otherwise show a commit
/// that the standby doesn't have. Their connection takes no other request until the server has answered, so the server
/// never has more waiting transactions than the pool has connections. While all connections wait like this, further
/// requests fail immediately.
final class ConnectionPool: Sendable {
    enum Kind {
        case reading, writing
        /// For reading users' versions, with a single statement that takes less time to run than to plan.
        case probing

        /// Settings of the session. The server plans the statement of a probe only once. It ends a transaction that
        /// writes and waits three seconds for its next statement: an instance that is frozen in a transaction would
        /// otherwise block other instances' writes for its users.
        var options: String {
            switch self {
            case .reading: ""
            case .writing: " -c idle_in_transaction_session_timeout=3000"
            case .probing: " -c plan_cache_mode=force_generic_plan"
            }
        }
    }

    /// A slot for a connection.
    ///
    /// `@unchecked Sendable`: `connection` is used only on `queue`.
    private final class Slot: @unchecked Sendable {
        let number: Int
        let queue: DispatchQueue
        var connection: Connection?

        init(_ number: Int) {
            self.number = number
            queue = DispatchQueue(label: "placekeeper.postgres.\(number)")
        }
    }

    /// A request that has a slot.
    private struct Running {
        var start = ContinuousClock.now
        var end: ContinuousClock.Instant
        /// Fails the request, unless it has been answered.
        var fail: @Sendable () -> Void
    }

    private struct State {
        var idle: [Slot]
        var running: [Int: Running] = [:]
        /// The slots whose requests failed while their statements are still running, by number.
        var late: Set<Int> = []
        var waiting: [Int: (end: ContinuousClock.Instant, receive: @Sendable (Slot?) -> Void)] = [:]
        /// The numbers of the waiting requests, oldest first. May include requests that gave up.
        var order: [Int] = []
        var lastNumber = 0
        /// The error of the last attempt to connect, and until when no further attempt is made.
        var failure: (error: StoreError, end: ContinuousClock.Instant)?
        var isClosed = false
    }

    let configuration: PostgresStore.Configuration
    private let kind: Kind
    private let servers: Servers
    private let state: LockBox<State>
    private let slots: [Slot]
    /// How long the requests had a connection, if they succeeded.
    let times = DurationHistogram()
    private let ticker = Ticker("requests")
    private let refusals = DispatchQueue(label: "placekeeper.postgres.refusals")

    /// - Parameter connections: the maximum number of connections.
    init(
        _ configuration: PostgresStore.Configuration, for kind: Kind, connections: Int, _ servers: Servers
    ) {
        self.configuration = configuration
        self.kind = kind
        self.servers = servers
        slots = (0..<max(1, connections)).map { Slot($0) }
        state = LockBox(State(idle: slots))
    }

    /// Runs work on a connection's thread. Passes the deadline for its statements, or `nil` if they have none.
    func run<Value: Sendable>(
        until end: ContinuousClock.Instant,
        _ work: @escaping @Sendable (Connection, ContinuousClock.Instant?) throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result = await withCheckedContinuation { caller in
            start(until: end, work) { caller.resume(returning: $0) }
        }
        return try result.get()
    }

    /// Like `run`, but calls a closure once with the result, on any thread.
    func start<Value: Sendable>(
        until end: ContinuousClock.Instant,
        _ work: @escaping @Sendable (Connection, ContinuousClock.Instant?) throws(Failure) -> Value,
        _ receive: @escaping @Sendable (Result<Value, Failure>) -> Void
    ) {
        take(until: end) { [self] slot in
            guard let slot else {
                return receive(
                    .failure(.store(StoreError(.unavailable, "Too many requests wait for the database."))))
            }
            let caller = OnceCaller(receive)
            state.withLock { state in
                state.running[slot.number] = Running(end: end) {
                    _ = caller.resume(.failure(.disconnected(mayBeCommitted: true)))
                }
            }
            ticker.start(expire)
            slot.queue.async {
                let statementEnd = self.kind == .writing ? nil : end
                let result = self.perform(slot) { connection throws(Failure) in
                    let start = ContinuousClock.now
                    let value = try work(connection, statementEnd)
                    self.times.add(.now - start)
                    return value
                }
                self.release(slot)
                _ = caller.resume(result)
            }
        }
    }

    private func perform<Value: Sendable>(
        _ slot: Slot, _ work: (Connection) throws(Failure) -> Value
    ) -> Result<Value, Failure> {
        do throws(Failure) {
            // Once another connection has found a new primary, connections to the old one are closed.
            if slot.connection.map({ $0.isOpen && primary.accepts($0.server) }) != true {
                slot.connection = nil
                slot.connection = try connect(in: slot.number)
            }
            guard let connection = slot.connection else { throw .disconnected(mayBeCommitted: false) }
            defer { if isClosed { slot.connection = nil } }
            return .success(try work(connection))
        } catch {
            if case .disconnected = error { slot.connection = nil }
            return .failure(error)
        }
    }

    private func connect(in number: Int) throws(Failure) -> Connection {
        // While the database is unreachable, only some requests try to connect.
        if let failure = state.withLock(\.failure), failure.end > .now { throw .store(failure.error) }
        do throws(StoreError) {
            let connection = try servers.connect(options: kind.options)
            connection.mustStop = { [state, primary, server = connection.server] in
                !primary.accepts(server) || state.withLock { $0.isClosed && $0.late.contains(number) }
            }
            state.withLock { $0.failure = nil }
            return connection
        } catch {
            state.withLock { $0.failure = (error, .now + .milliseconds(200)) }
            throw .store(error)
        }
    }

    /// Closes all connections once their work is done. Doesn't wait for work whose request has failed. Work that comes
    /// later connects, and disconnects when it is done.
    func close() async {
        state.withLock { $0.isClosed = true }
        for slot in slots {
            await withCheckedContinuation { continuation in
                slot.queue.async {
                    slot.connection = nil
                    continuation.resume()
                }
            }
        }
    }

    /// The number of requests waiting for a connection, of requests that have one, and of connections still running the
    /// statements of a failed request.
    var load: (waiting: Int, running: Int, late: Int) {
        state.withLock { ($0.waiting.count, $0.running.count, $0.late.count) }
    }

    /// The newest known primary, which all pools of a store share.
    var primary: KnownPrimary { servers.primary }

    /// The maximum number of connections.
    var width: Int { slots.count }

    var isClosed: Bool { state.withLock(\.isClosed) }

    private enum Turn: Sendable {
        case slot(Slot)
        case refused
        case waits
    }

    /// Calls the closure with a slot once one is free, or with `nil` if the request is rejected or reaches its
    /// deadline.
    private func take(until end: ContinuousClock.Instant, _ receive: @escaping @Sendable (Slot?) -> Void) {
        let turn = state.withLock { state -> Turn in
            if let slot = state.idle.popLast() { return .slot(slot) }
            guard state.waiting.count < configuration.waitingRequests, state.late.count < slots.count else {
                return .refused
            }
            state.lastNumber += 1
            state.waiting[state.lastNumber] = (end, receive)
            state.order.append(state.lastNumber)
            return .waits
        }
        switch turn {
        case .slot(let slot): receive(slot)
        // On another thread, because a rejected caller may start further work.
        case .refused: refusals.async { receive(nil) }
        case .waits: ticker.start(expire)
        }
    }

    private func release(_ slot: Slot) {
        let next = state.withLock { state -> (@Sendable (Slot?) -> Void)? in
            state.running[slot.number] = nil
            state.late.remove(slot.number)
            while !state.order.isEmpty {
                if let next = state.waiting.removeValue(forKey: state.order.removeFirst()) { return next.receive }
            }
            state.idle.append(slot)
            return nil
        }
        next?(slot)
    }

    /// Fails the requests past their deadlines. Returns whether any requests are left.
    @Sendable private func expire() -> Bool {
        let now = ContinuousClock.now
        let areSeveral = servers.areSeveral
        let (late, given, isSlow) = state.withLock { state in
            let late = state.running.filter { $0.value.end <= now && !state.late.contains($0.key) }
            state.late.formUnion(late.keys)
            // While every connection is waiting for the server, no request can be served.
            let isStuck = state.late.count == slots.count
            let given = state.waiting.filter { isStuck || $0.value.end <= now }
            for number in given.keys { state.waiting[number] = nil }
            // A server that doesn't respond may be frozen, and may have been replaced. Once the new primary is known,
            // connections to the old one end (`Connection.mustStop`).
            let isSlow =
                !state.late.isEmpty
                || areSeveral && state.running.values.contains { $0.start + .seconds(1) <= now }
            return (Array(late.values), given.values.map(\.receive), isSlow && !state.isClosed)
        }
        if isSlow { servers.lookForNewPrimary() }
        for running in late { running.fail() }
        for receive in given { receive(nil) }
        return state.withLock { !$0.running.isEmpty || !$0.waiting.isEmpty }
    }
}

extension ConnectionPool {
    /// Runs statements that only read. If the connection is lost, nothing was written.
    func read(
        _ statements: [Statement], until end: ContinuousClock.Instant? = nil
    ) async throws(Failure) -> [Rows] {
        try await readFromServer(statements, until: end).rows
    }

    /// Runs statements that only read, and also returns the server that ran them.
    func readFromServer(
        _ statements: [Statement], until end: ContinuousClock.Instant? = nil
    ) async throws(Failure) -> (rows: [Rows], server: ServerIdentity?) {
        do throws(Failure) {
            return try await run(until: end ?? usualEnd) { connection, end throws(Failure) in
                (try connection.run(.snapshot(statements), until: end), connection.server)
            }
        } catch {
            guard case .disconnected = error else { throw error }
            throw .disconnected(mayBeCommitted: false)
        }
    }

    /// Now plus the configured time.
    private var usualEnd: ContinuousClock.Instant {
        .now + (kind == .writing ? configuration.deadline : configuration.readDeadline)
    }

    /// - Parameter end: by default, the configured time from now.
    func run(_ batch: Batch, until end: ContinuousClock.Instant? = nil) async throws(Failure) -> [Rows] {
        try await run(until: end ?? usualEnd) { connection, end throws(Failure) in
            try connection.run(batch, until: end)
        }
    }
}
