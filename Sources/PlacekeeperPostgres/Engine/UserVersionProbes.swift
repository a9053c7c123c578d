import Dispatch
import PlacekeeperConcurrency
import PlacekeeperCore
import PlacekeeperService

/// Reads users' versions from the database, many users with one query. While a query runs, further requests are
/// collected for the next one, so each answer is read after its request began. A slow query doesn't hold up the next
/// one.
final class UserVersionProbes: Sendable {
    typealias Answer = Result<UserVersion, StoreError>

    private struct Caller: Sendable {
        let owner: UserKey
        let end: ContinuousClock.Instant
        let receive: @Sendable (Answer) -> Void
    }

    private struct State {
        var waiting: [Caller] = []
        /// When each running query began, by its number.
        var running: [Int: ContinuousClock.Instant] = [:]
        var lastNumber = 0

        /// Returns the number of a new query, or `nil` if no request waits or a running query may end soon.
        mutating func begin(width: Int) -> Int? {
            let now = ContinuousClock.now
            guard !waiting.isEmpty, running.count < width,
                running.values.allSatisfy({ now - $0 > UserVersionProbes.patience })
            else { return nil }
            lastNumber &+= 1
            running[lastNumber] = now
            return lastNumber
        }
    }

    /// A query that runs longer than this counts as slow. Most take less than a millisecond.
    private static let patience = Duration.milliseconds(20)
    /// The maximum number of times a query is sent when the connection or a race is lost.
    private static let attempts = 3

    private let state = LockBox(State())
    private let pool: ConnectionPool
    private let ticker = Ticker("versions", every: .milliseconds(25))

    /// - Parameter pool: connections used only for these queries, so long reads don't delay them.
    init(_ pool: ConnectionPool) { self.pool = pool }

    func userVersion(of owner: UserKey) async throws(StoreError) -> UserVersion {
        let answer: Answer = await withCheckedContinuation { caller in
            ask(for: owner) { caller.resume(returning: $0) }
        }
        return try answer.get()
    }

    /// Reads a user's versions, and passes them to a closure on any thread.
    func ask(for owner: UserKey, _ receive: @escaping @Sendable (Answer) -> Void) {
        let caller = Caller(owner: owner, end: .now + pool.configuration.readDeadline, receive: receive)
        let (isRefused, next) = state.withLock { state -> (Bool, Int?) in
            let isRefused = state.waiting.count >= pool.configuration.waitingRequests
            if !isRefused { state.waiting.append(caller) }
            return (isRefused, state.begin(width: pool.width))
        }
        if isRefused {
            receive(.failure(StoreError(.unavailable, "Too many requests wait for the database.")))
        }
        if let next { run(next) } else { ticker.start(tick) }
    }

    /// Fails the callers past their deadlines, and begins a query if the running ones are slow. Returns whether any
    /// callers wait.
    @Sendable private func tick() -> Bool {
        let now = ContinuousClock.now
        let (late, next, isBusy) = state.withLock { state -> ([Caller], Int?, Bool) in
            let late = state.waiting.filter { $0.end <= now }
            if !late.isEmpty { state.waiting.removeAll { $0.end <= now } }
            let next = state.begin(width: pool.width)
            return (late, next, !state.waiting.isEmpty)
        }
        for caller in late { caller.receive(.failure(StoreError(.unavailable, "The database does not answer."))) }
        if let next { run(next) }
        return isBusy
    }

    private func run(_ number: Int) {
        query(Query(number: number, end: .now + pool.configuration.readDeadline, attempt: 1))
    }

    private struct Query: Sendable {
        let number: Int
        let end: ContinuousClock.Instant
        var attempt: Int
        /// The callers of the query. `nil` until the query has a connection.
        let callers = LockBox<[Caller]?>(nil)
    }

    private func query(_ query: Query) {
        pool.start(until: query.end) { [self] connection, end throws(Failure) -> [UserVersion] in
            let owners = callers(of: query).map(\.owner)
            guard !owners.isEmpty else { return [] }
            return try Self.read(owners, connection, until: end)
        } _: { [self] result in
            switch result {
            case .failure(.disconnected), .failure(.lostRace):
                guard query.attempt < Self.attempts, .now < query.end else { break }
                var next = query
                next.attempt += 1
                return self.query(next)
            default: break
            }
            let answer = result.mapError(\.error)
            for (index, caller) in callers(of: query).enumerated() {
                caller.receive(answer.map { found in found[index] })
            }
            let next = state.withLock { state in
                state.running[query.number] = nil
                return state.begin(width: pool.width)
            }
            if let next { run(next) }
        }
    }

    /// Returns the callers of the query. If it has none yet, assigns all waiting callers to it.
    private func callers(of query: Query) -> [Caller] {
        query.callers.withLock { callers in
            if let callers { return callers }
            let waiting = state.withLock { state in
                defer { state.waiting = [] }
                return state.waiting
            }
            callers = waiting
            return waiting
        }
    }

    /// Returns users' versions, in the order of the users.
    private static func read(
        _ owners: [UserKey], _ connection: Connection, until end: ContinuousClock.Instant?
    ) throws(Failure) -> [UserVersion] {
        // The mark of the server that answers, not of a successor that another connection may find in the meantime.
        let mark = connection.server?.mark ?? 0
        let rows = try connection.run(
            Batch([Statement(PostgresStore.userVersionRows, .ids(owners.map(\.app)), .ids(owners.map(\.user)))]),
            until: end)
        do throws(StoreError) {
            let found = try rows.first?.map { row throws(StoreError) in
                UserVersion(version: try row.key() &+ mark, access: try row.key() &+ mark)
            }
            guard let found, found.count == owners.count else {
                throw StoreError.corrupt("The database has no row of the store.")
            }
            return found
        } catch {
            throw .store(error)
        }
    }
}
