import RestorationService
import Synchronization

/// The system's clocks in a test. The clocks stand still unless the test moves them.
final class TestTime: Sendable {
    private let state = Mutex((system: Timestamp(milliseconds: 1_795_000_000_000), sinceBoot: Duration.zero))

    var system: Timestamp { state.withLock { $0.system } }
    var sinceBoot: Duration { state.withLock { $0.sinceBoot } }

    /// Moves both clocks forward.
    func pass(_ duration: Duration) {
        state.withLock { $0 = ($0.system + duration, $0.sinceBoot + duration) }
    }

    /// Sets the system clock back, as a person or a time server does.
    func setBack(_ duration: Duration) {
        state.withLock { $0.system = $0.system - duration }
    }
}

extension Duration {
    static func days(_ count: Int) -> Duration { .seconds(count * 86_400) }
    static func minutes(_ count: Int) -> Duration { .seconds(count * 60) }
}
