import PlacekeeperCore
import PlacekeeperService
import Synchronization

/// The machine's clocks in a test. The clocks stand still unless the test moves them.
final class TestTime: Clock {
    private static let start = Timestamp(milliseconds: 1_795_000_000_000)
    private let state = Mutex((system: TestTime.start, uptime: Duration.zero))

    func now() -> Timestamp { state.withLock { $0.system } }
    func uptime() -> Duration { state.withLock { $0.uptime } }

    /// Moves both clocks forward.
    func pass(_ duration: Duration) {
        state.withLock { $0 = ($0.system + duration, $0.uptime + duration) }
    }

    /// Sets the system clock back, as a person or a time server does.
    func setBack(_ duration: Duration) {
        state.withLock { $0.system = $0.system - duration }
    }

    /// Sets the system clock, so that it is wrong by a duration. Zero corrects it.
    func set(wrongBy error: Duration) {
        state.withLock { $0.system = Self.start + $0.uptime + error }
    }
}

extension Duration {
    static func days(_ count: Int) -> Duration { .seconds(count * 86_400) }
    static func minutes(_ count: Int) -> Duration { .seconds(count * 60) }
}
