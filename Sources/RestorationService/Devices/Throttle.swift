import Concurrency

/// Limits attempts by name, for example by a client's address. Each name has `burst` attempts at once, and one further
/// attempt after each `interval`. The caller calls `wait` before an attempt. After the attempt, the caller calls
/// `spend` only if the throttle must limit such attempts, for example if the attempt failed. An attempt without a call
/// of `spend` causes no delay.
///
/// The memory use is fixed (a count-min sketch with conservative update). A hash of the name selects one counter in
/// each row. The minimum of these counters is the recorded spending of the name. The recorded spending is never lower
/// than the true spending. It is higher only if other names have used all counters of this name.
package final class Throttle: Sendable {
    /// The counters take 2 MiB. If 10,000 names have no attempts left, about 1 of 2,000 new names has no attempts left
    /// either.
    private static let rows = 4
    private static let countersInRow = 1 << 16

    private let burst: Int64
    private let interval: Int64
    /// The counters, row after row. Each counter is the time at which all attempts are available again (GCRA's
    /// theoretical arrival time).
    private let regained = LockBox([Int64](repeating: .min, count: rows * countersInRow))

    package init(burst: Int, interval: Duration) {
        precondition(burst > 0 && interval > .zero)
        self.burst = Int64(burst)
        self.interval = interval.wholeMilliseconds
    }

    /// Returns the time until the next attempt is allowed. Nil if an attempt is allowed now.
    package func wait(_ name: String, at now: Timestamp) -> Duration? {
        let counters = Self.counters(of: name)
        return regained.withLock { regained in
            let time = Self.owed(in: counters, regained)
            guard time > now.milliseconds else { return nil }
            let wait = time - now.milliseconds - (burst - 1) * interval
            return wait > 0 ? .milliseconds(wait) : nil
        }
    }

    /// Spends an attempt. Concurrent attempts may together spend more than the burst. The excess delays later attempts
    /// by at most `burst` intervals.
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

    /// Returns the counters of a name. Callers cannot predict which counters a name has, because each process has its
    /// own seed for the hash.
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
