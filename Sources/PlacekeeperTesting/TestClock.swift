import PlacekeeperConcurrency
import PlacekeeperCore
import PlacekeeperService

/// A clock that stands still until a test advances it. The service and all virtual devices share it.
package final class TestClock: Sendable {
    private struct Sleeper {
        var until: Double
        var activity: Activity?
        var continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var seconds: Double
        var nextSleeper = 0
        var sleepers: [Int: Sleeper] = [:]
    }

    /// Times that differ by less than this count as equal, because times are sums of fractions.
    static let tolerance = 0.000_001

    private let state: LockBox<State>

    /// Creates a clock.
    package init() { state = LockBox(State(seconds: Self.start)) }

    /// The time at which a clock starts.
    static let start = 1_750_000_000.0

    /// Seconds since 1970-01-01T00:00:00Z.
    package var seconds: Double { state.withLock { $0.seconds } }

    /// Advances the clock in one step, as if all devices slept in the meantime. Timers that are due fire at the new
    /// time. To let the devices work in the meantime, use `TestService.advance(by:)`.
    package func advance(by seconds: Double) { advance(to: self.seconds + seconds) }

    /// The time of the next timer. Nil if there is none.
    var nextTimer: Double? { state.withLock { state in state.sleepers.values.map(\.until).min() } }

    /// Advances the clock to a time. Does nothing if that time has passed.
    func advance(to seconds: Double) {
        let due = state.withLock { state in
            state.seconds = max(state.seconds, seconds)
            let due = state.sleepers.filter { $0.value.until <= state.seconds + Self.tolerance }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.map { ($0.activity, $0.continuation) }
        }
        // Count a task as running before it actually runs.
        for (activity, _) in due { activity?.unpark() }
        for (_, continuation) in due { continuation.resume() }
    }

    /// Waits until a time, or until the task is canceled.
    func sleep(until seconds: Double, _ activity: Activity? = nil) async {
        let id = state.withLock { state in
            state.nextSleeper += 1
            return state.nextSleeper
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDue = state.withLock { state in
                    guard state.seconds + Self.tolerance < seconds, !Task.isCancelled else { return true }
                    state.sleepers[id] = Sleeper(until: seconds, activity: activity, continuation: continuation)
                    return false
                }
                if isDue { continuation.resume() } else { activity?.park() }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                state.sleepers.removeValue(forKey: id).map { ($0.activity, $0.continuation) }
            }
            sleeper?.0?.unpark()
            sleeper?.1.resume()
        }
    }
}

/// The clock of the service in memory.
struct ServiceClock: Clock {
    let clock: TestClock

    func now() -> Timestamp { Timestamp(milliseconds: Int64(clock.seconds * 1000)) }
    func uptime() -> Duration { .milliseconds(Int64(clock.seconds * 1000)) }
}
