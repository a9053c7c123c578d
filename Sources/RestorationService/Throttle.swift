/// Limits attempts by key: `burst` at once, and one more each `interval`. What is asked about beforehand and spent
/// afterwards does not slow those whose attempts cost nothing. Memory is bounded: when too many keys are held, those that
/// come new share one.
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

    /// How long until an attempt is left; nil when there is one.
    package func wait(_ name: String, at now: Timestamp) -> Duration? {
        regained.withLock { regained in
            let key = key(for: name, in: &regained, at: now)
            guard let time = regained[key] else { return nil }
            let wait = time - now.milliseconds - (burst - 1) * interval
            return wait > 0 ? .milliseconds(wait) : nil
        }
    }

    /// Spends an attempt. Those that ran at the same time may together spend more than there were: that is owed, up to
    /// as much again.
    package func spend(_ name: String, at now: Timestamp) {
        regained.withLock { regained in
            let key = key(for: name, in: &regained, at: now)
            let time = max(regained[key] ?? now.milliseconds, now.milliseconds) + interval
            regained[key] = min(time, now.milliseconds + 2 * burst * interval)
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
