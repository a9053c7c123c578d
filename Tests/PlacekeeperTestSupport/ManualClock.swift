import PlacekeeperConcurrency
package import PlacekeeperCore
import PlacekeeperService

/// A clock that stands still until a test advances it. A test may also set the system's time, forward or back.
package final class ManualClock: Clock {
    private let state: LockBox<(time: Timestamp, uptime: Duration)>

    package init(_ start: Timestamp = Timestamp(milliseconds: 1_750_000_000_000)) {
        state = LockBox((start, .zero))
    }

    package func now() -> Timestamp { state.withLock(\.time) }
    package func uptime() -> Duration { state.withLock(\.uptime) }
    package func set(_ time: Timestamp) { state.withLock { $0.time = time } }
    package func advance(_ duration: Duration) {
        state.withLock { $0 = ($0.time + duration, $0.uptime + duration) }
    }
}
