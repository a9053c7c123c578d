import Dispatch
import Testing

/// Runs tests that wait for other processes, and for sockets, on threads of their own: the few that all tests share would
/// stand still meanwhile, and with them every test that waits for something to happen.
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

/// Each job gets a queue, and so a thread, of its own.
private final class OwnThreads: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        DispatchQueue(label: "placekeeper.tests.own").async {
            job.runSynchronously(on: self.asUnownedTaskExecutor())
        }
    }
}
