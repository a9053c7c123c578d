import Concurrency

/// Limits attempts by name: `burst` at once, and one more each `interval`. Callers ask before an attempt and spend
/// after it, so that attempts that cost nothing are never slowed.
///
/// Memory is fixed. Each name is counted in one counter of each row, chosen
/// by a hash, and owes the least of its counters (a count-min sketch with conservative update). So a name never owes
/// less than it spent, and a new name owes something only where other names have used each of its counters.
package final class Throttle: Sendable {
    /// Together they take 2 MiB. Where 10,000 names are out of attempts, so is 1 new name in 2,000.
    private static let rows = 4
    private static let countersInRow = 1 << 16

    private let burst: Int64
    private let interval: Int64
    /// Row after row: the time at which all attempts of a counter's names are regained (GCRA's theoretical arrival
    /// time).
    private let regained = LockBox([Int64](repeating: .min, count: rows * countersInRow))

    package init(burst: Int, interval: Duration) {
        precondition(burst > 0 && interval > .zero)
        self.burst = Int64(burst)
        self.interval = interval.wholeMilliseconds
    }

    /// How long until an attempt is left; nil when there is one.
    package func wait(_ name: String, at now: Timestamp) -> Duration? {
        let counters = Self.counters(of: name)
        return regained.withLock { regained in
            let time = Self.owed(in: counters, regained)
            guard time > now.milliseconds else { return nil }
            let wait = time - now.milliseconds - (burst - 1) * interval
            return wait > 0 ? .milliseconds(wait) : nil
        }
    }

    /// Spends an attempt. Those that ran at the same time may together spend more than there were: that is owed, up to
    /// as much again.
    package func spend(_ name: String, at now: Timestamp) {
        let counters = Self.counters(of: name)
        regained.withLock { regained in
            let time = max(Self.owed(in: counters, regained), now.milliseconds) + interval
            let capped = min(time, now.milliseconds + 2 * burst * interval)
            for counter in counters { regained[counter] = max(regained[counter], capped) }
        }
    }

    private static func owed(in counters: [Int], _ regained: [Int64]) -> Int64 {
        counters.reduce(.max) { min($0, regained[$1]) }
    }

    /// The counters of a name, by a hash that no caller can foresee: it is seeded anew by each process.
    private static func counters(of name: String) -> [Int] {
        var hasher = Hasher()
        hasher.combine(name)
        let hash = UInt(bitPattern: hasher.finalize())
        // The hash has 16 bits for each row.
        return (0..<rows).map { row in
            row * countersInRow + Int(hash >> (16 * row) % UInt(countersInRow))
        }
    }
}
