import Dispatch
import Testing

/// Gives own threads to tests that wait for other processes and sockets. On the few threads that all tests share, such
/// tests would block all other tests.
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
