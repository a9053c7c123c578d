import PlacekeeperConcurrency
package import PlacekeeperCore

/// Limits attempts per name or number, for example per client address or device. Time is the machine's uptime, so
/// changes to the system clock don't matter.
///
/// `attempt` checks for an attempt and consumes it in one step. To limit only some attempts, such as failed ones, call
/// `wait` before an attempt and `consume` after it. Without `consume`, an attempt causes no delay.
///
/// The memory use is fixed (a count-min sketch with conservative update). The hash of a key selects a shard and one
/// counter in each row of the shard. The minimum of these counters is the recorded use of the key. It is never lower
/// than the true use, and higher only if other keys have used all of this key's counters.
package final class Throttle: Sendable {
    /// All counters together take 2 MiB. If 10,000 keys have no attempts left, about 1 in 2,000 new keys is wrongly
    /// refused.
    private static let rows = 4
    private static let countersInRow = 1 << 12
    /// Each shard has its own lock, so threads rarely wait for each other.
    private static let shardCount = 16

    /// The quota for calls without a quota of their own.
    package let quota: Quota
    /// Each throttle has its own seed, so clients can't predict which counters a key uses.
    private let seed = UInt64.random(in: .min ... .max)
    /// The counters of each shard, row by row. They are allocated on first use, because many throttles are never used.
    /// Each counter is the uptime in microseconds at which all attempts are available again (GCRA's theoretical arrival
    /// time).
    private let shards: [LockBox<[Int64]>]

    package init(_ quota: Quota) {
        self.quota = quota
        shards = (0..<Self.shardCount).map { _ in LockBox([]) }
    }

    package convenience init(burst: Int, interval: Duration) { self.init(Quota(burst: burst, interval: interval)) }

    /// Consumes an attempt if one is allowed. A refused attempt consumes nothing.
    ///
    /// - Parameters:
    ///   - key: a number that identifies the source of the attempts, such as part of a random identifier.
    ///   - quota: the source's quota. Nil means the throttle's own quota.
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

    /// Consumes an attempt if one is allowed. A refused attempt consumes nothing.
    package func attempt(_ name: String, at uptime: Duration) -> Quota.Verdict {
        attempt(Self.key(of: name), at: uptime)
    }

    /// Returns the time until the next attempt is allowed, or nil if one is allowed now.
    package func wait(_ name: String, at uptime: Duration) -> Duration? {
        let now = Self.microseconds(uptime)
        let hash = hash(of: Self.key(of: name))
        return shard(of: hash).withLock { regained in
            let wait = max(Self.owed(hash, regained) - now, 0) + quota.interval - quota.window
            return wait > 0 ? .microseconds(wait) : nil
        }
    }

    /// Consumes an attempt. Concurrent attempts together may exceed the burst. The excess delays later attempts by at
    /// most `burst` intervals.
    package func consume(_ name: String, at uptime: Duration) {
        let now = Self.microseconds(uptime)
        let hash = hash(of: Self.key(of: name))
        shard(of: hash).withLock { regained in
            let owed = max(Self.owed(hash, regained) - now, 0) + quota.interval
            Self.raise(hash, to: now + min(owed, 2 * quota.window), &regained)
        }
    }

    /// Returns an uptime in microseconds, clamped so that calculations can't overflow.
    private static func microseconds(_ uptime: Duration) -> Int64 {
        min(max(uptime.wholeMilliseconds, 0), .max / 4000) * 1000
    }

    /// Returns a name's key. The seed of this hash differs in each process.
    private static func key(of name: String) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(name)
        return UInt64(truncatingIfNeeded: hasher.finalize())
    }

    /// Mixes the key with the seed, so that each bit of the result depends on all bits of the key (the last step of
    /// MurmurHash3).
    private func hash(of key: UInt64) -> UInt64 {
        var hash = key ^ seed
        hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
        hash = (hash ^ hash >> 33) &* 0xC4CE_B9FE_1A85_EC53
        return hash ^ hash >> 33
    }

    // The lowest 4 bits of a hash select the shard. The next 48 bits select one counter in each row, 12 bits per row.

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
