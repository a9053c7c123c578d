import RestorationService
import Synchronization
import TestSupport

/// The store in memory. It fails when a test tells it to, and knows which calls ran on a connection's worker.
final class FlakyStore: Sendable {
    private final class State: Sendable {
        let failure = Mutex<StoreError.Code?>(nil)
        let calls = Mutex<(onWorkers: Set<String>, elsewhere: Set<String>)>(([], []))
        let countOfHeads = Mutex(0)
    }

    private let state: State
    let intercepted: InterceptingStore

    init() {
        let state = State()
        self.state = state
        intercepted = InterceptingStore { call throws(StoreError) in
            let isOnWorker = TestWorker.isCurrent
            state.calls.withLock { calls in
                _ = isOnWorker ? calls.onWorkers.insert(call.name) : calls.elsewhere.insert(call.name)
            }
            if call.name == "heads(of:below:limit:)" { state.countOfHeads.withLock { $0 += call.size } }
            if let code = state.failure.withLock({ $0 }) {
                throw StoreError(code, "told to fail", cause: "the disk \"sda\"")
            }
        }
    }

    /// The error that answers every call; nil for none.
    func fail(with code: StoreError.Code?) { state.failure.withLock { $0 = code } }

    /// The methods that were called since they were last forgotten, by code that ran on a worker and by other code.
    var questionsOnWorkers: Set<String> { state.calls.withLock(\.onWorkers) }
    var questionsElsewhere: Set<String> { state.calls.withLock(\.elsewhere) }
    func forgetQuestions() { state.calls.withLock { $0 = ([], []) } }

    /// The most heads of devices that the store may have read.
    var headsRead: Int { state.countOfHeads.withLock { $0 } }
}
