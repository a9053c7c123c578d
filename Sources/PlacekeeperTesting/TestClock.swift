import Concurrency
package import PlacekeeperClient
import RestorationService

/// A clock that stands still until a test advances it. The service and all virtual devices share it.
public final class TestClock: Sendable {
    private struct State {
        var seconds: Double
        var nextSleeper = 0
        var sleepers: [Int: (until: Double, continuation: CheckedContinuation<Void, Never>)] = [:]
    }

    private let state: LockBox<State>

    /// Creates a clock.
    public init() { state = LockBox(State(seconds: 1_750_000_000)) }

    /// Seconds since 1970-01-01T00:00:00Z.
    public var seconds: Double { state.withLock { $0.seconds } }

    /// Advances the clock.
    public func advance(by seconds: Double) {
        let due = state.withLock { state in
            state.seconds += seconds
            let due = state.sleepers.filter { $0.value.until <= state.seconds }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.map(\.continuation)
        }
        for continuation in due { continuation.resume() }
    }

    /// Waits until a time, or until the task is canceled.
    func sleep(until seconds: Double) async {
        let id = state.withLock { state in
            state.nextSleeper += 1
            return state.nextSleeper
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDue = state.withLock { state in
                    guard state.seconds < seconds, !Task.isCancelled else { return true }
                    state.sleepers[id] = (seconds, continuation)
                    return false
                }
                if isDue { continuation.resume() }
            }
        } onCancel: {
            let sleeper = state.withLock { $0.sleepers.removeValue(forKey: id) }
            sleeper?.continuation.resume()
        }
    }
}

/// The clock of the service in memory.
struct ServiceClock: Clock {
    let clock: TestClock

    func now() -> Timestamp { Timestamp(milliseconds: Int64(clock.seconds * 1000)) }
    func advance(to time: Timestamp) {}
}

/// The clocks of a virtual device. The wall clock of a device may be wrong.
package final class DeviceClock: ClientClock {
    private struct State {
        var wallOffset = 0.0
        var bootedAt: Double
        var boots = 1
    }

    private let clock: TestClock
    private let state: LockBox<State>

    package init(_ clock: TestClock) {
        self.clock = clock
        state = LockBox(State(bootedAt: clock.seconds - 1000))
    }

    package func now() -> Moment {
        let seconds = clock.seconds
        return state.withLock { state in
            Moment(wall: seconds + state.wallOffset, uptime: seconds - state.bootedAt, boot: "\(state.boots)")
        }
    }

    package func sleep(until uptime: Double) async {
        let bootedAt = state.withLock { $0.bootedAt }
        await clock.sleep(until: bootedAt + uptime)
    }

    /// Sets the wall clock wrong by some seconds.
    package func setWall(wrongBy seconds: Double) { state.withLock { $0.wallOffset = seconds } }

    /// Starts the system again.
    package func boot() {
        let seconds = clock.seconds
        state.withLock { state in
            state.bootedAt = seconds
            state.boots += 1
        }
    }
}
