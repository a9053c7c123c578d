import PlacekeeperConcurrency
package import PlacekeeperCore

/// Limits attempts by a name or a number, for example by a client's address or by a device. Time is the machine's uptime,
/// so a change of the system's clock neither gives nor takes attempts. `attempt` checks and spends
/// an attempt in one step. A caller that limits only some attempts, for example failed attempts, calls `wait` before an
/// attempt and `consume` after the attempt. An attempt without a call of `consume` causes no delay.
///
/// The memory use is fixed (a count-min sketch with conservative update). A hash of the key selects a shard, and one
/// counter in each row of the shard. The minimum of these counters is the recorded spending of the key. The recorded
/// spending is never lower than the true spending. It is higher only if other keys have used all counters of this key.
package final class Throttle: Sendable {
    /// The counters of all shards take 2 MiB. If 10,000 keys have no attempts left, about 1 of 2,000 new keys has no
    /// attempts left either.
    private static let rows = 4
    private static let countersInRow = 1 << 12
    /// Each shard has its own lock, so that threads rarely wait for each other.
    private static let shardCount = 16

    /// The quota of a call that gives no quota.
    package let quota: Quota
    /// Principals cannot predict which counters a key has, because each throttle has its own seed.
    private let seed = UInt64.random(in: .min ... .max)
    /// The counters of each shard, row after row. A shard has no counters before its first use, because many throttles
    /// are never used. Each counter is the uptime in microseconds at which all attempts are
    /// available again (GCRA's theoretical arrival time).
    private let shards: [LockBox<[Int64]>]

    package init(_ quota: Quota) {
        self.quota = quota
        shards = (0..<Self.shardCount).map { _ in LockBox([]) }
    }

    package convenience init(burst: Int, interval: Duration) { self.init(Quota(burst: burst, interval: interval)) }

    /// Spends an attempt if one is allowed. An attempt that is refused spends nothing.
    ///
    /// - Parameters:
    ///   - key: a number that identifies the caller, such as a part of a random identifier.
    ///   - quota: the caller's quota. Nil means the throttle's own quota.
    package func attempt(_ key: UInt64, _ quota: Quota? = nil, at uptime: Duration) -> Quota.Verdict {
        let quota = quota ?? self.quota
        let now = Self.microseconds(uptime)
        let hash = hash(of: key)
        return shard(of: hash).withLock { regained in
            let owed = max(Self.owed(hash, regained) - now, 0) + quota.interval
            guard owed <= quota.window else {
                return Quota.Verdict(quota: quota, isAllowed: false, microseconds: owed - quota.window)
            }
            Self.raise(hash, to: now + owed, &regained)
            return Quota.Verdict(quota: quota, isAllowed: true, microseconds: owed)
        }
    }

    /// Spends an attempt if one is allowed. An attempt that is refused spends nothing.
    package func attempt(_ name: String, at uptime: Duration) -> Quota.Verdict {
        attempt(Self.key(of: name), at: uptime)
    }

    /// Returns the time until the next attempt is allowed. Nil if an attempt is allowed now.
    package func wait(_ name: String, at uptime: Duration) -> Duration? {
        let now = Self.microseconds(uptime)
        let hash = hash(of: Self.key(of: name))
        return shard(of: hash).withLock { regained in
            let wait = max(Self.owed(hash, regained) - now, 0) + quota.interval - quota.window
            return wait > 0 ? .microseconds(wait) : nil
        }
    }

    /// Spends an attempt. Concurrent attempts may together spend more than the burst. The excess delays later attempts
    /// by at most `burst` intervals.
    package func consume(_ name: String, at uptime: Duration) {
        let now = Self.microseconds(uptime)
        let hash = hash(of: Self.key(of: name))
        shard(of: hash).withLock { regained in
            let owed = max(Self.owed(hash, regained) - now, 0) + quota.interval
            Self.raise(hash, to: now + min(owed, 2 * quota.window), &regained)
        }
    }

    /// Returns an uptime in microseconds. An uptime beyond the bounds becomes the nearest bound, so that the calculations
    /// cannot overflow.
    private static func microseconds(_ uptime: Duration) -> Int64 {
        min(max(uptime.wholeMilliseconds, 0), .max / 4000) * 1000
    }

    /// Returns the key of a name. Each process has its own seed for this hash.
    private static func key(of name: String) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(name)
        return UInt64(truncatingIfNeeded: hasher.finalize())
    }

    /// Mixes the key and the seed, so that each bit of the result depends on all bits of the key (the last step of
    /// MurmurHash3).
    private func hash(of key: UInt64) -> UInt64 {
        var hash = key ^ seed
        hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
        hash = (hash ^ hash >> 33) &* 0xC4CE_B9FE_1A85_EC53
        return hash ^ hash >> 33
    }

    // The lowest 4 bits of a hash select the shard. The next 48 bits select a counter in each row, with 12 bits for a
    // row.

    private func shard(of hash: UInt64) -> LockBox<[Int64]> { shards[Int(hash % UInt64(Self.shardCount))] }

    private static func counter(_ hash: UInt64, inRow row: Int) -> Int {
        row * countersInRow + Int(hash >> UInt64(4 + 12 * row) % UInt64(countersInRow))
    }

    /// Returns the smallest counter of a key.
    private static func owed(_ hash: UInt64, _ regained: [Int64]) -> Int64 {
        guard !regained.isEmpty else { return 0 }
        var owed = Int64.max
        for row in 0..<rows { owed = min(owed, regained[counter(hash, inRow: row)]) }
        return owed
    }

    private static func raise(_ hash: UInt64, to time: Int64, _ regained: inout [Int64]) {
        if regained.isEmpty { regained = [Int64](repeating: 0, count: rows * countersInRow) }
        for row in 0..<rows {
            let counter = counter(hash, inRow: row)
            regained[counter] = max(regained[counter], time)
        }
    }
}
