import Concurrency
import Dispatch
import RestorationService

/// A few connections, each with a thread of its own, because libpq blocks while it connects and while it waits for
/// answers. A connection is made when it is first needed, and again after it was lost.
final class ConnectionPool: Sendable {
    /// A place for a connection.
    ///
    /// `@unchecked Sendable`: `connection` is used only on `queue`.
    private final class Slot: @unchecked Sendable {
        let queue: DispatchQueue
        var connection: Connection?
        init(_ number: Int) { queue = DispatchQueue(label: "placekeeper.postgres.\(number)") }
    }

    private struct State {
        var idle: [Slot]
        var waiting: [Int: CheckedContinuation<Slot?, Never>] = [:]
        /// The numbers of the waiting requests, the oldest first. The number of a request that gave up may be listed.
        var order: [Int] = []
        var lastNumber = 0
        var isClosed = false
    }

    private let configuration: PostgresStore.Configuration
    private let primary: KnownPrimary
    private let state: LockBox<State>
    private let slots: [Slot]
    private let timer = DispatchQueue(label: "placekeeper.postgres.timer")

    /// - Parameter connections: the maximum number of connections.
    init(_ configuration: PostgresStore.Configuration, connections: Int, _ primary: KnownPrimary) {
        self.configuration = configuration
        self.primary = primary
        slots = (0..<max(1, connections)).map { Slot($0) }
        state = LockBox(State(idle: slots))
    }

    /// Runs work on a connection and its thread.
    func run<Value: Sendable>(
        _ work: @escaping @Sendable (Connection) throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        guard let slot = await take() else {
            throw .store(StoreError(.unavailable, "Too many requests wait for the database."))
        }
        let result = await withCheckedContinuation { continuation in
            slot.queue.async { continuation.resume(returning: self.perform(work, on: slot)) }
        }
        release(slot)
        return try result.get()
    }

    private func perform<Value: Sendable>(
        _ work: @Sendable (Connection) throws(Failure) -> Value, on slot: Slot
    ) -> Result<Value, Failure> {
        do throws(Failure) {
            // When another connection has found a new primary, the connections to the old one are closed.
            if slot.connection.map({ $0.isOpen && primary.accepts($0.timeline) }) != true {
                slot.connection = nil
                slot.connection = try connect()
            }
            guard let connection = slot.connection else { throw .disconnected(mayBeCommitted: false) }
            let value = try work(connection)
            if state.withLock(\.isClosed) { slot.connection = nil }
            return .success(value)
        } catch {
            if case .disconnected = error { slot.connection = nil }
            return .failure(error)
        }
    }

    private func connect() throws(Failure) -> Connection {
        do throws(StoreError) {
            let connection = try Connection(configuration)
            do throws(Failure) {
                connection.timeline = try connection.timeline(until: .now + configuration.deadline)
            } catch {
                throw error.error
            }
            try primary.note(connection.timeline)
            return connection
        } catch {
            throw .store(error)
        }
    }

    /// Ends all connections after the work that uses them. Later work connects, and disconnects when it is done.
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

    var isClosed: Bool { state.withLock(\.isClosed) }

    private enum Turn: Sendable {
        case slot(Slot)
        case refused
        case waits(Int)
    }

    private func take() async -> Slot? {
        await withCheckedContinuation { (continuation: CheckedContinuation<Slot?, Never>) in
            let turn = state.withLock { state -> Turn in
                if let slot = state.idle.popLast() { return .slot(slot) }
                guard state.waiting.count < configuration.waitingRequests else { return .refused }
                state.lastNumber += 1
                state.waiting[state.lastNumber] = continuation
                state.order.append(state.lastNumber)
                return .waits(state.lastNumber)
            }
            switch turn {
            case .slot(let slot): continuation.resume(returning: slot)
            case .refused: continuation.resume(returning: nil)
            case .waits(let number):
                timer.asyncAfter(deadline: .now() + .milliseconds(Int(configuration.deadline.wholeMilliseconds))) {
                    self.state.withLock { $0.waiting.removeValue(forKey: number) }?.resume(returning: nil)
                }
            }
        }
    }

    private func release(_ slot: Slot) {
        let next = state.withLock { state -> CheckedContinuation<Slot?, Never>? in
            while !state.order.isEmpty {
                if let next = state.waiting.removeValue(forKey: state.order.removeFirst()) { return next }
            }
            state.idle.append(slot)
            return nil
        }
        next?.resume(returning: slot)
    }
}

extension ConnectionPool {
    /// Carries out statements that only read. If the connection is lost, nothing was written.
    func read(_ statements: [Statement]) async throws(Failure) -> [Rows] {
        do throws(Failure) {
            return try await run(.snapshot(statements))
        } catch {
            guard case .disconnected = error else { throw error }
            throw .disconnected(mayBeCommitted: false)
        }
    }

    func run(_ batch: Batch) async throws(Failure) -> [Rows] {
        let time = configuration.deadline
        return try await run { connection throws(Failure) in
            try connection.run(batch, until: ContinuousClock.now + time)
        }
    }
}
