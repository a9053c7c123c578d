import PlacekeeperCore
import PlacekeeperService

/// A write that waits for its turn. A subclass holds the write's body and its caller.
///
/// Unchecked: the thread that makes the write passes it to the writer's queue, and only this queue uses it afterward.
class QueuedWrite: @unchecked Sendable {
    /// The number of bytes that the write holds in memory until it is answered.
    let weight: Int
    /// The approximate number of rows that the write changes, if this number can be very large. 0 for a short write.
    let rows: Int
    /// The write is refused if the writer has not begun it at this time.
    let deadline: ContinuousClock.Instant

    init(weight: Int, rows: Int, deadline: ContinuousClock.Instant) {
        self.weight = weight
        self.rows = rows
        self.deadline = deadline
    }

    /// Performs the write, and returns its effects. The writer may call this function again after a rollback.
    func perform(_ transaction: Transaction) throws(StoreError) -> Invalidations { .none }
    /// Resumes the caller after the commit. The writer must apply the effects of the whole group before it resumes a
    /// caller.
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
