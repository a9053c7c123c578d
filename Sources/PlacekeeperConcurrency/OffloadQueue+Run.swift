/// Why an offload queue didn't start work.
package enum OffloadRefusal: Error, Sendable {
    /// The owner, or all owners together, reached the limit of admitted requests.
    case full
    /// The task was canceled while the work waited.
    case cancelled
}

extension OffloadQueue {
    /// Runs work for an owner on the queue's threads, while the caller's thread is free for other work. On systems
    /// without executor preferences (before iOS 18 and macOS 15), the work runs on Swift's shared thread pool.
    package func run<Value: Sendable, Failure: Error>(
        for owner: Owner, _ work: @concurrent @Sendable () async throws(Failure) -> Value
    ) async throws(OffloadRefusal) -> Result<Value, Failure> {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return await result(of: work) }
        guard let ticket = admit(owner) else { throw .full }
        defer { dismiss(ticket) }
        let result = await withTaskCancellationHandler {
            await withTaskExecutorPreference(OffloadTurn(self, ticket, owner)) { await begin(work) }
        } onCancel: {
            cancel(ticket, of: owner)
        }
        guard let result else { throw .cancelled }
        return result
    }

    /// Starts work on the preferred executor. Without `@concurrent`, the preference has no effect until the task next
    /// suspends.
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

/// The executor of one admitted request.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final class OffloadTurn<Owner: Hashable & Sendable>: TaskExecutor {
    private let queue: OffloadQueue<Owner>
    private let ticket: Int
    private let owner: Owner

    init(_ queue: OffloadQueue<Owner>, _ ticket: Int, _ owner: Owner) {
        self.queue = queue
        self.ticket = ticket
        self.owner = owner
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let step = OffloadQueue<Owner>.Step(ticket: ticket, owner: owner) {
            job.runSynchronously(on: self.asUnownedTaskExecutor())
        }
        queue.enqueue(step)
    }
}
