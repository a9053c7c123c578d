import Dispatch
import PlacekeeperCore
import PlacekeeperService
import Synchronization

/// Performs all writes, in group commits (docs/decisions/0028-group-commit.md). Writes (`QueuedWrite`) wait in a
/// bounded queue. One transaction with a single sync performs all waiting short writes. It also performs long writes
/// (`QueuedWrite.rows`) up to a limit of rows; the other long writes wait for the next transaction. Callers get their
/// results after the commit.
///
/// Unchecked: the transaction and its connection are used only on `queue`.
final class Writer: @unchecked Sendable {
    private let queue = DispatchQueue(label: "placekeeper.sqlite.writer")
    private let transaction: Transaction
    /// Checkpoints the write-ahead log. `nil` if another process does this.
    private let checkpointing: Checkpointing?
    private let waiting = Mutex(Waiting())
    private let limit: (writes: Int, bytes: Int, rows: Int)
    private let deadline: Duration
    private let deltaDeadline: Duration
    private let committed = Atomic<Int>(0)
    /// Raises the versions of the users that a committed write affects.
    private let apply: @Sendable (Invalidations) -> Void

    private struct Waiting {
        var writes: [QueuedWrite] = []
        var weight = 0
        var isDraining = false
        var isClosed = false
    }

    /// Takes ownership of two connections: `connection`, configured and migrated, and `copying`, which checkpoints the
    /// write-ahead log. `copying` is nil if another process checkpoints the log.
    init(
        _ connection: Connection, copying: Connection?, configuration: SQLiteStore.Configuration,
        apply: @escaping @Sendable (Invalidations) -> Void
    ) throws(StoreError) {
        self.apply = apply
        transaction = try Transaction(connection)
        checkpointing = if let copying { try Checkpointing(for: connection, by: copying) } else { nil }
        limit = (configuration.waitingWrites, configuration.waitingBytes, configuration.rowsAtOnce)
        deadline = configuration.writeDeadline
        deltaDeadline = configuration.deltaDeadline
    }

    /// Whether pages of the database may be missing on disk (`Checkpointing.hasFailed`).
    var hasFailedSync: Bool { checkpointing?.hasFailed ?? false }

    /// The number of waiting writes.
    var waitingWrites: Int { waiting.withLock { $0.writes.count } }

    /// The number of committed transactions.
    var commits: Int { committed.load(ordering: .relaxed) }

    /// Performs a write, and returns once it is durable. `body` may run more than once. It must do its checks before it
    /// writes, because a write that merely returns a refusal isn't rolled back. The versions of all affected users are
    /// raised before any caller continues.
    ///
    /// - Parameters:
    ///   - weight: the memory that the write occupies until it is answered, in bytes.
    ///   - rows: the approximate number of rows that a long write changes.
    func write<Value: Sendable>(
        weight: Int = 0, rows: Int = 0,
        _ body: @escaping @Sendable (Transaction) throws(StoreError) -> Committed<Value>
    ) async throws(StoreError) -> Committed<Value> {
        // Each write is answered exactly once: by `resume` after the commit, or by `refuse`.
        let result: Result<Committed<Value>, StoreError> = await withUnsafeContinuation { caller in
            submit(
                Write(
                    weight: weight, rows: rows, deadline: .now + (rows > 0 ? deltaDeadline : deadline),
                    caller: caller, body: body))
        }
        return try result.get()
    }

    /// Performs a write whose invalidations follow from its value.
    func write<Value: Sendable>(
        weight: Int = 0, rows: Int = 0, invalidations: @escaping @Sendable (Value) -> Invalidations,
        _ body: @escaping @Sendable (Transaction) throws(StoreError) -> Value
    ) async throws(StoreError) -> Committed<Value> {
        try await write(weight: weight, rows: rows) { transaction throws(StoreError) -> Committed<Value> in
            let value = try body(transaction)
            return Committed(value, invalidations(value))
        }
    }

    /// Performs a write that invalidates nothing: no cache or follower depends on the data.
    func write<Value: Sendable>(
        weight: Int = 0, rows: Int = 0, _ body: @escaping @Sendable (Transaction) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        try await write(weight: weight, rows: rows, invalidations: { _ in .none }, body).value
    }

    /// Makes checkpoints empty the log's file soon, while other writes continue. Does nothing if another process
    /// checkpoints the log; that process empties the log when it notices this process's commits.
    func wantEmptyLog() {
        queue.async { [self] in
            checkpointing?.wantEmptying()
            checkpointing?.advance()
        }
    }

    /// Empties the log's file. Most of the log is copied while other writes continue. If a long read needs the log,
    /// returns after a moment, and later commits try again.
    func emptyLog() async {
        guard let checkpointing else { return }
        wantEmptyLog()
        // The first wait covers copying already in progress, the second the copying for this call.
        for _ in 0..<2 {
            await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
            await withCheckedContinuation { continuation in checkpointing.whenSettled { continuation.resume() } }
            await withCheckedContinuation { continuation in
                queue.async {
                    if checkpointing.isEmptyingWanted { checkpointing.advance() }
                    continuation.resume()
                }
            }
        }
    }

    /// Rejects new writes, performs the waiting ones, and empties the write-ahead log.
    func close() async {
        await withCheckedContinuation { continuation in
            waiting.withLock { $0.isClosed = true }
            queue.async { [self] in
                drain()
                checkpointing?.finish()
                continuation.resume()
            }
        }
    }

    private func submit(_ write: QueuedWrite) {
        enum Admission { case waits, starts, refused(StoreError) }
        let admission: Admission = waiting.withLock { waiting in
            if waiting.isClosed { return .refused(StoreError(.unavailable, "The store is closed.")) }
            guard waiting.writes.count < limit.writes, waiting.weight + write.weight <= limit.bytes else {
                return .refused(StoreError(.unavailable, "Too many writes are waiting."))
            }
            waiting.writes.append(write)
            waiting.weight += write.weight
            if waiting.isDraining { return .waits }
            waiting.isDraining = true
            return .starts
        }
        switch admission {
        case .waits: break
        case .starts: queue.async { [self] in drain() }
        case .refused(let error): write.refuse(error)
        }
    }

    /// Takes the waiting writes, except long ones beyond the transaction's limit of rows. The first long write is
    /// always taken. Returns `nil` if nothing is waiting.
    private func take() -> [QueuedWrite]? {
        waiting.withLock { waiting in
            guard !waiting.writes.isEmpty else {
                waiting.isDraining = false
                return nil
            }
            var group: [QueuedWrite] = []
            var rest: [QueuedWrite] = []
            var rows = 0
            group.reserveCapacity(waiting.writes.count)
            for write in waiting.writes {
                if write.rows > 0, rows > 0, rows + write.rows > limit.rows {
                    rest.append(write)
                } else {
                    rows += write.rows
                    group.append(write)
                }
            }
            waiting.writes = rest
            return group
        }
    }

    private func drain() {
        while let group = take() {
            commit(group)
            checkpointing?.advance()
        }
    }

    private func commit(_ group: [QueuedWrite], isRepeated: Bool = false) {
        let now = ContinuousClock.now
        var timely = group
        if group.contains(where: { $0.deadline < now }) {
            timely = group.filter { $0.deadline >= now }
            refuse(
                group.filter { $0.deadline < now },
                StoreError(.unavailable, "The write timed out while it waited for other writes."))
            guard !timely.isEmpty else { return }
        }
        do {
            try transaction.begin()
        } catch {
            return refuse(timely, error)
        }
        var invalidations: [Invalidations] = []
        invalidations.reserveCapacity(timely.count)
        do {
            for write in timely { invalidations.append(try write.perform(transaction)) }
        } catch {
            // The failed write may have left partial changes.
            let isStale = transaction.isStale
            transaction.rollBack()
            // The rollback also dropped the cached states, so the writes now read the newest state.
            if isStale, !isRepeated { return commit(timely, isRepeated: true) }
            if timely.count == 1 { return refuse(timely, error) }
            // The other writes go ahead without the failed one. Halving the group isolates it with few extra commits.
            let middle = timely.count / 2
            commit(Array(timely[..<middle]))
            commit(Array(timely[middle...]))
            return
        }
        do {
            try transaction.commit()
        } catch {
            transaction.rollBack()
            return refuse(timely, error)
        }
        committed.add(1, ordering: .relaxed)
        // No caller continues before the versions of all affected users are raised.
        for each in invalidations { apply(each) }
        release(timely)
        for write in timely { write.resume() }
    }

    private func refuse(_ writes: [QueuedWrite], _ error: StoreError) {
        release(writes)
        for write in writes { write.refuse(error) }
    }

    /// Releases the weight of the writes. A write counts toward the limit of waiting bytes until it is answered, even
    /// while it is performed.
    private func release(_ writes: [QueuedWrite]) {
        let weight = writes.reduce(0) { $0 + $1.weight }
        waiting.withLock { $0.weight -= weight }
    }
}
