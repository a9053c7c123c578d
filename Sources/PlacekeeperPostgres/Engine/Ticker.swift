import PlacekeeperConcurrency
import Dispatch

/// Calls a closure again and again, as long as there is something to wait for. One timer serves all waiting
/// requests, because a timer for each request would outlive most of them by seconds.
final class Ticker: Sendable {
    private let queue: DispatchQueue
    private let isTicking = LockBox(false)
    private let interval: DispatchTimeInterval

    init(_ label: String, every interval: DispatchTimeInterval = .milliseconds(250)) {
        queue = DispatchQueue(label: "placekeeper.postgres." + label)
        self.interval = interval
    }

    /// Starts to tick, unless this ticker ticks already.
    ///
    /// - Parameter tick: returns whether there is still something to wait for.
    func start(_ tick: @escaping @Sendable () -> Bool) {
        let isFirst = isTicking.withLock { isTicking in
            defer { isTicking = true }
            return !isTicking
        }
        guard isFirst else { return }
        queue.asyncAfter(deadline: .now() + interval) { [self] in
            // A request that begins to wait during the call starts the next tick itself.
            isTicking.withLock { $0 = false }
            if tick() { start(tick) }
        }
    }
}
