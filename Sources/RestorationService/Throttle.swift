/// Limits attempts by key: `burst` at once, and one more each `interval`. Memory is bounded: when too many keys are
/// held, those that come new share one.
package final class Throttle: Sendable {
    private enum Key: Hashable {
        case named(String)
        case strangers
    }

    private let burst: Int64
    private let interval: Int64
    private let capacity: Int
    /// For each key the time at which all its attempts are regained (GCRA's theoretical arrival time).
    private let regained = LockBox<[Key: Int64]>([:])

    package init(burst: Int, interval: Duration, capacity: Int = 10_000) {
        precondition(burst > 0 && interval > .zero && capacity > 0)
        self.burst = Int64(burst)
        self.interval = interval.wholeMilliseconds
        self.capacity = capacity
    }

    /// Spends an attempt. Returns nil when there was one left, otherwise how long until there is.
    package func attempt(_ name: String, at now: Timestamp) -> Duration? {
        regained.withLock { regained in
            let key = key(for: name, in: &regained, at: now)
            let time = max(regained[key] ?? now.milliseconds, now.milliseconds) + interval
            let wait = time - now.milliseconds - burst * interval
            guard wait <= 0 else { return .milliseconds(wait) }
            regained[key] = time
            return nil
        }
    }

    /// Gives an attempt back: it was none of those that are limited.
    package func giveBack(_ name: String, at now: Timestamp) {
        regained.withLock { regained in
            let key = regained[.named(name)] == nil ? Key.strangers : .named(name)
            guard let time = regained[key] else { return }
            regained[key] = time - interval > now.milliseconds ? time - interval : nil
        }
    }

    package var count: Int { regained.withLock(\.count) }

    private func key(for name: String, in regained: inout [Key: Int64], at now: Timestamp) -> Key {
        let key = Key.named(name)
        guard regained.count >= capacity, regained[key] == nil else { return key }
        regained = regained.filter { $0.value > now.milliseconds }
        return regained.count < capacity ? key : .strangers
    }
}
