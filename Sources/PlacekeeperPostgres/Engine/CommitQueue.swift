import PlacekeeperConcurrency
import PlacekeeperCore
import PlacekeeperService

/// The rows and statements of a write.
struct WriteStatements: Sendable {
    /// Require the users' versions that were read, and store the users' rows.
    var requirements: [UserKey: TableRow] = [:]
    /// Run before `rows`, because a row may drop an archive that was just moved.
    var moves: [Statement] = []
    /// Run before the statements.
    var rows: [TableRow] = []
    var statements: [Statement] = []
    /// The changes to the usage of the users' apps.
    var usage: [UserKey: Usage] = [:]
    /// The server that supplied the data for the decision. Another server may have different data under the same
    /// versions.
    var server: ServerIdentity?

    /// A write that changes nothing. An answer that something is already stored must wait for this write: after a
    /// server restart or a broken connection, stored data may be visible before a standby has it. A standby that has
    /// this later transaction also has that data.
    static func confirmation(of versions: [UserKey: Int64], from server: ServerIdentity?) -> WriteStatements {
        var write = WriteStatements()
        write.server = server
        for (owner, version) in versions {
            write.requirements[owner] = .user(owner, version: version, raise: 0, nil)
        }
        if write.requirements.isEmpty { write.statements = [Statement("UPDATE store SET checks = checks + 1")] }
        return write
    }

    /// Statements that require a user's version and change nothing.
    static func confirmation(of owner: UserKey, version: Int64) -> [Statement] {
        TableRow.statements(for: [.user(owner, version: version, raise: 0, nil)])
    }

    /// The size of the parameters in bytes.
    fileprivate var size: Int {
        rows.reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.size } } + statements.reduce(0) { $0 + $1.size }
    }

    /// The first statements of a transaction with writes for different users: the users' rows, sorted. Deadlocks are
    /// rare but possible, because the database may lock users' rows in table order. The database then aborts one of the
    /// transactions, whose writes are decided again.
    fileprivate static func userStatements(of writes: [WriteStatements]) -> [Statement] {
        let requirements = writes.flatMap(\.requirements).sorted {
            ($0.key.app, $0.key.user) < ($1.key.app, $1.key.user)
        }
        return TableRow.statements(for: requirements.map(\.value))
    }

    /// The other statements of the transaction. Apps' rows come last, sorted.
    fileprivate static func changes(of writes: [WriteStatements]) -> [Statement] {
        var usage: [UserKey: Usage] = [:]
        for write in writes { usage.merge(write.usage) { $0 + $1 } }
        return writes.flatMap(\.moves) + TableRow.statements(for: writes.flatMap(\.rows)) + writes.flatMap(\.statements)
            + PostgresStore.usageChanges(usage)
    }
}

/// Groups the writes of different users into transactions, because a commit waits for the disk and perhaps a standby,
/// and because many rows in one statement are faster than many statements. While transactions run, further writes are
/// collected for the next one. A write that lost a race fails alone, and the others of its transaction are stored. If a
/// transaction fails for another reason, its writes are run again in two halves.
///
/// A write fails at its deadline. If it is still waiting, it never runs; if it is already in progress, it continues.
final class CommitQueue: Sendable {
    private struct Waiting {
        var number: Int
        var write: WriteStatements
        var size: Int
        var end: ContinuousClock.Instant
        var caller: OnceCaller<Void>
    }

    private struct State {
        var waiting: [Waiting] = []
        /// The total size of the waiting writes, in bytes.
        var bytes = 0
        /// The writes in progress.
        var running: [Int: (end: ContinuousClock.Instant, caller: OnceCaller<Void>)] = [:]
        var transactions = 0
        var lastNumber = 0
    }

    /// The maximum size of a transaction's parameters, in bytes.
    private static let transactionBytes = 4 << 20
    /// The maximum size of all waiting writes' parameters, in bytes.
    private static let waitingBytes = 64 << 20

    private let pool: ConnectionPool
    private let width: Int
    private let state = LockBox(State())
    private let counters = Counters(2)
    private let ticker = Ticker("commits")

    /// The number of waiting writes.
    var waitingWrites: Int { state.withLock(\.waiting.count) }
    /// The number of committed transactions, and of the writes in them.
    var committed: (transactions: UInt64, writes: UInt64) { (counters.value(at: 0), counters.value(at: 1)) }

    /// - Parameter width: the maximum number of concurrent transactions.
    init(_ pool: ConnectionPool, width: Int) {
        self.pool = pool
        self.width = width
    }

    /// Performs a write. The queue must never hold two writes of the same user (`UserWriteLocks`).
    func commit(_ write: WriteStatements, until end: ContinuousClock.Instant) async throws(Failure) {
        guard !pool.isClosed else { throw .store(StoreError(.unavailable, "The store is closed.")) }
        let size = write.size
        let result: Result<Void, Failure> = await withCheckedContinuation { continuation in
            let caller = OnceCaller<Void> { continuation.resume(returning: $0) }
            let (isRefused, mustStart) = state.withLock { state in
                guard state.waiting.count < pool.configuration.waitingRequests,
                    state.bytes + size <= Self.waitingBytes || state.waiting.isEmpty
                else { return (true, false) }
                state.lastNumber += 1
                state.bytes += size
                state.waiting.append(
                    Waiting(number: state.lastNumber, write: write, size: size, end: end, caller: caller))
                guard state.transactions < width else { return (false, false) }
                state.transactions += 1
                return (false, true)
            }
            if isRefused {
                _ = caller.resume(.failure(.store(StoreError(.unavailable, "Too many writes wait for the database."))))
            }
            ticker.start(expire)
            if mustStart { runNext() }
        }
        try result.get()
    }

    /// Runs one transaction after another until no write is waiting.
    private func runNext() {
        guard let group = take() else { return }
        carryOut(group, until: group.map(\.end).max() ?? .now) { [self] in
            state.withLock { state in for waiting in group { state.running[waiting.number] = nil } }
            runNext()
        }
    }

    private func take() -> [Waiting]? {
        state.withLock { state in
            var bytes = 0
            let count = state.waiting.prefix(max(1, pool.configuration.usersPerTransaction)).prefix { waiting in
                defer { bytes += waiting.size }
                return bytes < Self.transactionBytes
            }.count
            guard count > 0 else {
                state.transactions -= 1
                return nil
            }
            let group = Array(state.waiting.prefix(count))
            state.waiting.removeFirst(count)
            state.bytes -= group.reduce(0) { $0 + $1.size }
            for waiting in group { state.running[waiting.number] = (waiting.end, waiting.caller) }
            return group
        }
    }

    /// Runs a group of writes in one transaction, or splits it if that fails. Then calls `done`.
    private func carryOut(
        _ group: [Waiting], until end: ContinuousClock.Instant, then done: @escaping @Sendable () -> Void
    ) {
        pool.start(until: end) { connection, end throws(Failure) in
            // Data from a replaced primary must be read again: the new one may use the same versions for other data.
            if let server = connection.server, group.contains(where: { ($0.write.server ?? server) != server }) {
                throw .lostRace
            }
            return try connection.commit(group.map(\.write), until: end)
        } _: { [self] (result: Result<Set<Int>, Failure>) in
            if case .failure(let error) = result, group.count > 1, !error.isOfConnection {
                let middle = group.count / 2
                carryOut(Array(group[..<middle]), until: end) {
                    self.carryOut(Array(group[middle...]), until: end, then: done)
                }
                return
            }
            if case .success(let lost) = result, lost.count < group.count {
                counters.add(1, at: 0)
                counters.add(UInt64(group.count - lost.count), at: 1)
            }
            for (index, waiting) in group.enumerated() {
                _ = waiting.caller.resume(
                    result.flatMap { lost in lost.contains(index) ? .failure(.lostRace) : .success(()) })
            }
            done()
        }
    }

    /// Fails the writes past their deadlines. Returns whether any writes are left.
    @Sendable private func expire() -> Bool {
        let now = ContinuousClock.now
        let (gone, late, isBusy) = state.withLock { state in
            let gone = state.waiting.filter { $0.end <= now }
            if !gone.isEmpty {
                state.waiting.removeAll { $0.end <= now }
                state.bytes -= gone.reduce(0) { $0 + $1.size }
            }
            let late = state.running.values.filter { $0.end <= now }
            return (gone, late, !state.running.isEmpty || !state.waiting.isEmpty)
        }
        for waiting in gone {
            _ = waiting.caller.resume(.failure(.store(StoreError(.unavailable, "The write timed out."))))
        }
        for running in late { _ = running.caller.resume(.failure(.disconnected(mayBeCommitted: true))) }
        return isBusy
    }
}

extension Connection {
    /// Stores writes in one transaction, except those whose users have changed since they were read. Returns the indices
    /// of these.
    fileprivate func commit(
        _ writes: [WriteStatements], until deadline: ContinuousClock.Instant?
    ) throws(Failure) -> Set<Int> {
        var lost: Set<Int> = []
        while lost.count < writes.count {
            let kept = writes.indices.filter { !lost.contains($0) }
            let first = WriteStatements.userStatements(of: kept.map { writes[$0] })
            let rows = try transaction(first, until: deadline) { rows throws(Failure) -> [Statement]? in
                let written = try Self.writtenUsers(in: rows)
                let late = kept.filter { !writes[$0].requirements.keys.allSatisfy(written.contains) }
                lost.formUnion(late)
                // A write for two users that lost one of them has changed the other's row.
                guard lost.count < writes.count,
                    late.allSatisfy({ written.isDisjoint(with: writes[$0].requirements.keys) })
                else { return nil }
                return WriteStatements.changes(of: kept.filter { !lost.contains($0) }.map { writes[$0] })
            }
            if rows != nil { return lost }
        }
        return lost
    }

    private static func writtenUsers(in rows: [Rows]) throws(Failure) -> Set<UserKey> {
        do throws(StoreError) {
            var users: Set<UserKey> = []
            for rows in rows { users.formUnion(try rows.map { row throws(StoreError) in try row.owner() }) }
            return users
        } catch {
            throw .store(error)
        }
    }
}

extension Failure {
    /// Whether the whole batch failed, rather than one of its statements.
    fileprivate var isOfConnection: Bool {
        switch self {
        case .disconnected: true
        case .lostRace: false
        case .store(let error): error.code == .unavailable || error.code == .full
        }
    }
}
