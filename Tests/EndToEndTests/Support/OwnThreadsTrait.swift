import Dispatch
import Testing

/// Runs tests that wait for other processes and sockets on their own threads. They would block the few threads that all
/// tests share, and with them all other tests.
struct OwnThreadsTrait: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(OwnThreads()) { try await function() }
    }
}

extension Trait where Self == OwnThreadsTrait {
    static var onOwnThreads: Self { Self() }
}

/// An executor that runs each job on its own queue and thread.
private final class OwnThreads: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        DispatchQueue(label: "placekeeper.tests.own").async {
            job.runSynchronously(on: self.asUnownedTaskExecutor())
        }
    }
}
