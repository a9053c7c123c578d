extension OffloadQueue {
    /// Runs work for a user on the queue's threads; the caller's worker answers others meanwhile. Throws when too much is
    /// admitted already, or when the task was cancelled before the work began. Systems without a preference for an executor
    /// have no workers either: there the work runs where it is called.
    package func run<Value: Sendable, Failure: Error>(
        for owner: UserKey, _ work: @concurrent @Sendable () async throws(Failure) -> Value
    ) async throws(ServiceError) -> Result<Value, Failure> {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return await result(of: work) }
        guard let ticket = admit(owner) else {
            throw ServiceError(
                .overloaded, "Too many requests that take long are waiting: try again shortly.",
                retryAfter: .seconds(1))
        }
        defer { dismiss(ticket) }
        let result = await withTaskCancellationHandler {
            await withTaskExecutorPreference(OffloadTurn(self, ticket, owner)) { await begin(work) }
        } onCancel: {
            cancel(ticket, of: owner)
        }
        guard let result else { throw ServiceError(.overloaded, "The request was cancelled.") }
        return result
    }

    /// An executor preference alone moves nothing before the next wait; a concurrent function begins where it is to run.
    @concurrent private func begin<Value: Sendable, Failure: Error>(
        _ work: @concurrent @Sendable () async throws(Failure) -> Value
    ) async -> Result<Value, Failure>? {
        Task.isCancelled ? nil : await result(of: work)
    }

    private func result<Value: Sendable, Failure: Error>(
        of work: @concurrent @Sendable () async throws(Failure) -> Value
    ) async -> Result<Value, Failure> {
        do { return .success(try await work()) } catch { return .failure(error) }
    }
}

/// The executor of one admitted request: what runs on it is known to be its user's.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final class OffloadTurn: TaskExecutor {
    private let queue: OffloadQueue
    private let ticket: Int
    private let owner: UserKey

    init(_ queue: OffloadQueue, _ ticket: Int, _ owner: UserKey) {
        self.queue = queue
        self.ticket = ticket
        self.owner = owner
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let step = OffloadQueue.Step(ticket: ticket) { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        queue.enqueue(step, of: owner)
    }
}
