import PlacekeeperCore
import PlacekeeperService
import PlacekeeperTestSupport
import Synchronization
import Testing

/// A store in memory that fails if a test wants it to, and that records which calls ran on a connection's worker.
final class FlakyStore: Sendable {
    private final class State: Sendable {
        let failure = Mutex<(code: StoreError.Code, method: String?)?>(nil)
        let calls = Mutex<(onWorkers: Set<String>, elsewhere: Set<String>)>(([], []))
        let countOfHeads = Mutex(0)
        let counts = Mutex<[String: Int]>([:])
        /// The methods that have to fail and were not called yet. A name of no method would test nothing.
        let unmet = Mutex<Set<String>>([])

        deinit {
            for method in unmet.withLock({ $0 }) { Issue.record("\(method) had to fail, and was not called.") }
        }
    }

    private let state: State
    let intercepted: InterceptingStore

    init(isShared: Bool = false) {
        let state = State()
        self.state = state
        intercepted = InterceptingStore(isShared: isShared) { call throws(StoreError) in
            let isOnWorker = TestWorker.isCurrent
            state.calls.withLock { calls in
                _ = isOnWorker ? calls.onWorkers.insert(call.name) : calls.elsewhere.insert(call.name)
            }
            state.counts.withLock { $0[call.name, default: 0] += 1 }
            if call.name == "heads(of:below:limit:)" { state.countOfHeads.withLock { $0 += call.size } }
            if let failure = state.failure.withLock({ $0 }), failure.method == nil || failure.method == call.name {
                _ = state.unmet.withLock { $0.remove(call.name) }
                throw StoreError(failure.code, "told to fail", cause: "the disk \"sda\"")
            }
        }
    }

    /// Makes every call, or every call of one method, fail with an error. Nil makes the store work again.
    func fail(with code: StoreError.Code?, in method: String? = nil) {
        state.failure.withLock { $0 = code.map { ($0, method) } }
        if code != nil, let method { _ = state.unmet.withLock { $0.insert(method) } }
    }

    /// The names of the store's methods that were called on a worker since the last `forgetQuestions()`.
    var questionsOnWorkers: Set<String> { state.calls.withLock(\.onWorkers) }
    /// The names of the store's methods that were called outside the workers since the last `forgetQuestions()`.
    var questionsElsewhere: Set<String> { state.calls.withLock(\.elsewhere) }
    func forgetQuestions() { state.calls.withLock { $0 = ([], []) } }

    /// Returns how many times a method of the store was called.
    func count(of method: String) -> Int { state.counts.withLock { $0[method] ?? 0 } }

    /// The maximum number of devices' heads that the store can have read: the sum of the limits of all reads.
    var headsRead: Int { state.countOfHeads.withLock { $0 } }
}
