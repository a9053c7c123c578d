import Dispatch
import PlacekeeperSystem
import Synchronization

/// A service that is started again on its directory whenever it ends, as systemd does with deploy/placekeeper.service.
final class SupervisedService: Sendable {
    private struct State {
        var running: RunningService
        var isStopped = false
        var failure: String?
    }

    private let state: Mutex<State>
    private let queue = DispatchQueue(label: "placekeeper.tests.supervisor")
    private let isUp = DispatchSemaphore(value: 0)

    init(_ service: RunningService) {
        state = Mutex(State(running: service))
        queue.async { [self] in
            while let running = state.withLock({ $0.isStopped ? nil : $0.running }) {
                running.process.wait()
                guard !state.withLock({ $0.isStopped }) else { break }
                do {
                    let next = try RunningService(data: running.data)
                    state.withLock { $0.running = next }
                } catch {
                    state.withLock { ($0.failure, $0.isStopped) = ("\(error)", true) }
                }
                isUp.signal()
            }
        }
    }

    /// The current process.
    var running: RunningService { state.withLock { $0.running } }

    /// Kills the process. Call `restarted` to wait for the next process.
    func kill() { running.process.send(SIGKILL) }

    /// Waits until the next process after a kill is ready, and returns it.
    func restarted() throws -> RunningService {
        guard isUp.wait(timeout: .now() + 600) == .success else {
            throw ChildProcess.Failure(description: "the service did not come back")
        }
        if let failure = state.withLock({ $0.failure }) { throw ChildProcess.Failure(description: failure) }
        return running
    }

    /// Shuts the service down gracefully, and does not start it again.
    @discardableResult
    func stop() -> ChildProcess.End {
        let running = state.withLock { state in
            state.isStopped = true
            return state.running
        }
        return running.stop()
    }
}
