import Concurrency
import RestorationService

/// The statements of a write.
struct WriteStatements: Sendable {
    /// Require the versions of the users that were read, and store the users' rows.
    var requirements: [UserKey: Statement] = [:]
    var statements: [Statement] = []
    /// The changes of the usage of the users' apps.
    var usage: [UserKey: Usage] = [:]

    var isEmpty: Bool { requirements.isEmpty && statements.isEmpty }

    /// A write that changes nothing. An answer that says that something is stored already waits for it, because the
    /// transaction that stored it may be visible before a standby has it: the server was restarted, or its connection
    /// was ended. This transaction comes later, so the standby that has it has both.
    static func confirmation(_ owners: some Sequence<UserKey>) -> WriteStatements {
        var write = WriteStatements()
        for owner in owners { write.requirements[owner] = Statement(confirmUser, owner.values) }
        if write.requirements.isEmpty { write.statements = [Statement("UPDATE store SET checks = checks + 1")] }
        return write
    }

    static let confirmUser = "UPDATE users SET version = version WHERE app = $1 AND owner = $2"

    /// The number of bytes of the parameters.
    fileprivate var size: Int {
        statements.reduce(0) { $0 + $1.values.reduce(0) { $0 + ($1.bytes?.count ?? 0) } }
    }

    /// The statements of several writes for different users, in the order in which one transaction carries them out. The
    /// rows of users come first, and those of apps last, each in one order. So two transactions never wait for each other
    /// in a circle.
    static func transaction(_ writes: [WriteStatements]) -> [Statement] {
        let requirements = writes.flatMap(\.requirements).sorted {
            ($0.key.app, $0.key.user) < ($1.key.app, $1.key.user)
        }
        var usage: [UserKey: Usage] = [:]
        for write in writes { usage.merge(write.usage) { $0 + $1 } }
        return requirements.map(\.value) + writes.flatMap(\.statements) + PostgresStore.usageChanges(usage)
    }
}

/// Carries out the writes of different users in common transactions, because a commit waits for the disk and perhaps for
/// a standby. While transactions are in progress, further writes are gathered for the next one. If a transaction fails,
/// its writes are carried out in two halves, so a write that lost a race fails alone.
final class CommitQueue: Sendable {
    private typealias Waiting = (
        write: WriteStatements, end: ContinuousClock.Instant,
        caller: CheckedContinuation<Result<Void, Failure>, Never>
    )

    private struct State {
        var waiting: [Waiting] = []
        var running = 0
    }

    /// The number of writes of a transaction, and of the bytes of its parameters.
    private static let limit = (writes: 32, bytes: 4 << 20)

    private let pool: ConnectionPool
    private let width: Int
    private let state = LockBox(State())
    private let counters = Counters(2)

    /// The number of waiting writes.
    var waitingWrites: Int { state.withLock(\.waiting.count) }
    /// The numbers of committed transactions, and of their writes.
    var committed: (transactions: UInt64, writes: UInt64) { (counters.value(at: 0), counters.value(at: 1)) }

    /// - Parameter width: the maximum number of transactions at the same time.
    init(_ pool: ConnectionPool, width: Int) {
        self.pool = pool
        self.width = width
    }

    /// Carries out a write. Two writes of the same user must not be in the queue at the same time (`WriteQueues`).
    func commit(_ write: WriteStatements, until end: ContinuousClock.Instant) async throws(Failure) {
        guard !pool.isClosed else { throw .store(StoreError(.unavailable, "The store is closed.")) }
        let result: Result<Void, Failure> = await withCheckedContinuation { caller in
            let mustStart = state.withLock { state in
                state.waiting.append((write, end, caller))
                guard state.running < width else { return false }
                state.running += 1
                return true
            }
            if mustStart { Task { await run() } }
        }
        try result.get()
    }

    private func run() async {
        while let group = take() {
            let now = ContinuousClock.now
            for waiting in group where waiting.end <= now {
                waiting.caller.resume(returning: .failure(.store(StoreError(.unavailable, "The write timed out."))))
            }
            let timely = group.filter { $0.end > now }
            // A write that is nearly over does not shorten the time of the others to nothing.
            let end = max(timely.map(\.end).min() ?? now, now + .seconds(1))
            if !timely.isEmpty { await carryOut(timely, until: end) }
        }
    }

    private func take() -> [Waiting]? {
        state.withLock { state in
            var bytes = 0
            let count = state.waiting.prefix(Self.limit.writes).prefix { waiting in
                defer { bytes += waiting.write.size }
                return bytes < Self.limit.bytes
            }.count
            guard count > 0 else {
                state.running -= 1
                return nil
            }
            defer { state.waiting.removeFirst(count) }
            return Array(state.waiting.prefix(count))
        }
    }

    private func carryOut(_ group: [Waiting], until end: ContinuousClock.Instant) async {
        do throws(Failure) {
            _ = try await pool.run(Batch(WriteStatements.transaction(group.map(\.write))), until: end)
            counters.add(1, at: 0)
            counters.add(UInt64(group.count), at: 1)
            for waiting in group { waiting.caller.resume(returning: .success(())) }
        } catch {
            if group.count > 1, !error.isOfConnection {
                let middle = group.count / 2
                await carryOut(Array(group[..<middle]), until: end)
                await carryOut(Array(group[middle...]), until: end)
            } else {
                for waiting in group { waiting.caller.resume(returning: .failure(error)) }
            }
        }
    }
}

extension Failure {
    /// Whether the batch failed as a whole, and not because of one of its statements.
    fileprivate var isOfConnection: Bool {
        switch self {
        case .disconnected: true
        case .lostRace: false
        case .store(let error): error.code == .unavailable || error.code == .full
        }
    }
}
