import PlacekeeperCore
import PlacekeeperService

/// A write that waits for its turn. A subclass holds the body and the caller.
///
/// Unchecked: the thread that creates the write passes it to the writer's queue, and afterward only that queue uses it.
class QueuedWrite: @unchecked Sendable {
    /// The memory that the write occupies until it is answered, in bytes.
    let weight: Int
    /// The approximate number of rows that a long write changes. 0 for a short write.
    let rows: Int
    /// If the writer hasn't begun the write by this time, it is rejected.
    let deadline: ContinuousClock.Instant

    init(weight: Int, rows: Int, deadline: ContinuousClock.Instant) {
        self.weight = weight
        self.rows = rows
        self.deadline = deadline
    }

    /// Performs the write, and returns what it invalidates. May run again after a rollback.
    func perform(_ transaction: Transaction) throws(StoreError) -> Invalidations { .none }
    /// Resumes the caller after the commit. The writer must apply the invalidations of the whole group before it
    /// resumes any caller.
    func resume() {}
    /// Resumes the caller with an error.
    func refuse(_ error: StoreError) {}
}

/// A write whose caller waits for a value.
final class Write<Value: Sendable>: QueuedWrite, @unchecked Sendable {
    typealias Body = @Sendable (Transaction) throws(StoreError) -> Committed<Value>

    private let body: Body
    private let caller: UnsafeContinuation<Result<Committed<Value>, StoreError>, Never>
    private var committed: Committed<Value>?

    init(
        weight: Int, rows: Int, deadline: ContinuousClock.Instant,
        caller: UnsafeContinuation<Result<Committed<Value>, StoreError>, Never>, body: @escaping Body
    ) {
        self.body = body
        self.caller = caller
        super.init(weight: weight, rows: rows, deadline: deadline)
    }

    override func perform(_ transaction: Transaction) throws(StoreError) -> Invalidations {
        let committed = try body(transaction)
        self.committed = committed
        return committed.invalidations
    }

    override func resume() {
        guard let committed else { return refuse(.corrupt("A write was answered before it was performed.")) }
        caller.resume(returning: .success(committed))
    }

    override func refuse(_ error: StoreError) { caller.resume(returning: .failure(error)) }
}
