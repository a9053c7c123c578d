import PlacekeeperConcurrency
import Dispatch

/// Calls a closure repeatedly as long as anything waits. One timer serves all requests, because a timer for each would
/// outlive most of them by seconds.
final class Ticker: Sendable {
    private let queue: DispatchQueue
    private let isTicking = LockBox(false)
    private let interval: DispatchTimeInterval

    init(_ label: String, every interval: DispatchTimeInterval = .milliseconds(250)) {
        queue = DispatchQueue(label: "placekeeper.postgres." + label)
        self.interval = interval
    }

    /// Starts ticking, unless it already does.
    ///
    /// - Parameter tick: returns whether anything is still waiting.
    func start(_ tick: @escaping @Sendable () -> Bool) {
        let isFirst = isTicking.withLock { isTicking in
            defer { isTicking = true }
            return !isTicking
        }
        guard isFirst else { return }
        queue.asyncAfter(deadline: .now() + interval) { [self] in
            // A request that starts waiting during the call starts the next tick itself.
            isTicking.withLock { $0 = false }
            if tick() { start(tick) }
        }
    }
}
