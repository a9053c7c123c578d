import Dispatch

/// A serial task executor in place of a connection's worker.
///
/// `@unchecked Sendable`: the only state is a dispatch queue, which any thread may use.
final class TestWorker: TaskExecutor, @unchecked Sendable {
    private static let key = DispatchSpecificKey<Bool>()
    private let queue = DispatchQueue(label: "worker")

    init() { queue.setSpecific(key: Self.key, value: true) }

    /// Whether the caller runs on a test worker.
    static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
