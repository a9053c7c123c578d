import PlacekeeperConcurrency
package import PlacekeeperCore
import PlacekeeperService

/// A store in a PostgreSQL database. Any number of processes may use the database at the same time.
///
/// A write reads the data it needs, decides by the same rules as the other stores, and writes in one transaction. The
/// transaction requires that the users' versions are still those that were read. Otherwise the write reads and decides
/// again (docs/decisions/0083-postgresql.md).
package final class PostgresStore: Store {
    /// The connections for reads. Writes use others, so reads continue while writes wait for a standby.
    let pool: ConnectionPool
    let writing: ConnectionPool
    /// The connections for reading users' versions.
    let probing: ConnectionPool
    let queues: UserWriteLocks
    let commits: CommitQueue
    let probes: UserVersionProbes
    let memory = UserMemory()
    let writeFault = LockBox<String?>(nil)
    let lostRaces = Counters(1)
    /// The names of the leases that this process has taken, and of its row in the list of instances.
    let leases = LockBox<Set<String>>([])
    let followed = LockBox(FollowedVersions())
    let configuration: Configuration
    let damaged: DamagedRows
    /// Identifies this process among the instances: 16 random bytes.
    let instance: [UInt8]
    private let sender: HintSender
    private let listener: HintListener
    private let secret: [UInt8]

    /// Connects to a database, and creates the tables if it has none.
    package init(_ configuration: Configuration) async throws(StoreError) {
        try configuration.checkURL()
        self.configuration = configuration
        damaged = DamagedRows(report: configuration.report)
        let servers = Servers(configuration, KnownPrimary(path: configuration.primaryFile))
        let half = max(1, configuration.connections / 2)
        pool = ConnectionPool(configuration, for: .reading, connections: half - half / 2, servers)
        probing = ConnectionPool(configuration, for: .probing, connections: half / 2, servers)
        writing = ConnectionPool(
            configuration, for: .writing, connections: max(1, configuration.connections - half), servers)
        var generator = SystemRandomNumberGenerator()
        instance = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        sender = HintSender(pool, instance: instance)
        listener = HintListener(configuration, servers, instance: instance)
        // With fewer transactions at a time, each one carries more writes.
        commits = CommitQueue(
            writing, width: configuration.usersPerTransaction > 1 ? max(2, writing.width / 2) : writing.width)
        probes = UserVersionProbes(probing)
        queues = UserWriteLocks(limit: configuration.waitingRequests)
        do throws(StoreError) {
            secret = try await Self.prepare(writing)
        } catch {
            await listener.close()
            await writing.close()
            await pool.close()
            await probing.close()
            throw error
        }
    }

    package func close() async {
        if !leases.withLock(\.isEmpty), !writing.isClosed { try? await endLeases() }
        await listener.close()
        await writing.close()
        await pool.close()
        await probing.close()
    }

    package func onExternalWrites(_ receive: @escaping @Sendable (Invalidations) -> Void) { listener.start(receive) }

    /// Notifies the other instances of a committed write.
    func tell(_ invalidations: Invalidations) { sender.send(invalidations) }

    package func lookupSecret() -> [UInt8] { secret }

    /// Runs statements that read, all on the same state of the database.
    func read(_ statements: Statement...) async throws(StoreError) -> [Rows] {
        try await read(.snapshot(statements))
    }

    func read(_ batch: Batch) async throws(StoreError) -> [Rows] {
        var attempt = 0
        let end = ContinuousClock.now + pool.configuration.readDeadline
        while true {
            do throws(Failure) {
                return try await pool.run(batch, until: end)
            } catch {
                attempt += 1
                switch error {
                case .disconnected, .lostRace: if attempt >= 3 || end <= .now { throw error.error }
                case .store(let error): throw error
                }
            }
        }
    }

    /// Reads up to `limit` rows. Skips damaged rows and fills the page with the rows after them.
    ///
    /// - Parameters:
    ///   - column: the column of the identifier to report.
    ///   - key: where the rows begin.
    ///   - find: finds up to a number of rows after a key.
    ///   - next: reads the key of a row.
    func page<Element, Key>(
        of limit: Int, _ noun: String, id column: Int32 = 0, from key: Key,
        _ find: (Key, Int) async throws(StoreError) -> Rows,
        next: (inout Row) throws(StoreError) -> Key, _ read: (inout Row) throws(StoreError) -> Element
    ) async throws(StoreError) -> [Element] {
        var (elements, key): ([Element], Key) = ([], key)
        while true {
            let room = limit - elements.count
            let rows = try await find(key, room)
            elements += try rows.map(leavingOut: damaged, noun, id: column, read)
            guard elements.count < limit, rows.count == room, let end = try rows.last(next) else { return elements }
            key = end
        }
    }

    /// Returns the rows of a single statement that reads.
    func rows(_ sql: String, _ values: Value...) async throws(StoreError) -> Rows {
        let rows = try await read(Batch([Statement(sql, values)]))
        guard let first = rows.first else { throw .corrupt("The database returned no result.") }
        return first
    }

    /// Like `rows`, but within an attempt of a write.
    func found(_ sql: String, _ values: Value...) async throws(Failure) -> Rows {
        guard let rows = try await pool.read([Statement(sql, values)]).first else {
            throw .store(.corrupt("The database returned no result."))
        }
        return rows
    }

    /// Retries a transaction until it wins against other writes. Never repeats one that may have been committed.
    @discardableResult
    func write(_ statements: [Statement], within time: Duration? = nil) async throws(StoreError) -> [Rows] {
        try await retrying(within: time) { attempt throws(Failure) in
            try await self.commit(statements, until: attempt.end)
        }
    }

    /// Runs one transaction.
    @discardableResult
    func commit(
        _ statements: [Statement], until end: ContinuousClock.Instant? = nil
    ) async throws(Failure) -> [Rows] {
        guard !writing.isClosed else { throw .store(StoreError(.unavailable, "The store is closed.")) }
        return try await writing.run(Batch(statements), until: end)
    }

    /// An attempt of a write.
    struct Attempt {
        /// Whether an earlier attempt may have been committed.
        var mayBeDone = false
        /// The deadline of all attempts.
        var end: ContinuousClock.Instant
    }

    /// Retries a write until it wins against other writes. Each attempt reads and decides again. If `isRepeatable` is
    /// false, stops after an attempt that may have been committed.
    func retrying<Value>(
        isRepeatable: Bool = false, within time: Duration? = nil,
        _ attempt: (Attempt) async throws(Failure) -> Value
    ) async throws(StoreError) -> Value {
        var state = Attempt(end: .now + (time ?? configuration.deadline))
        for number in 0..<max(1, configuration.attempts) {
            do throws(Failure) {
                return try await attempt(state)
            } catch {
                switch error {
                case .store(let error): throw error
                case .disconnected(let mayBeCommitted):
                    state.mayBeDone = state.mayBeDone || mayBeCommitted
                    if mayBeCommitted, !isRepeatable { throw error.error }
                    if number > 2 { throw error.error }
                case .lostRace: lostRaces.add(1, at: 0)
                }
                guard ContinuousClock.now < state.end else { throw error.error }
            }
            // Wait for a random, growing time before the next attempt, so the writers don't collide again.
            if number > 0 { try? await Task.sleep(for: .microseconds(Int.random(in: 0...500 * min(number, 40)))) }
        }
        throw Failure.lostRace.error
    }
}
