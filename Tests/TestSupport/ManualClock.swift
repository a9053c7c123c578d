import Concurrency
package import RestorationService

/// A clock that stands still until a test advances it.
package final class ManualClock: Clock {
    private let time: LockBox<Timestamp>

    package init(_ start: Timestamp = Timestamp(milliseconds: 1_750_000_000_000)) { time = LockBox(start) }

    package func now() -> Timestamp { time.withLock { $0 } }
    package func advance(to time: Timestamp) { self.time.withLock { $0 = max($0, time) } }
    package func set(_ time: Timestamp) { self.time.withLock { $0 = time } }
    package func advance(_ duration: Duration) { time.withLock { $0 = $0 + duration } }
}
