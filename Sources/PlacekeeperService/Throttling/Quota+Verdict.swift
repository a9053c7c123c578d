package import PlacekeeperCore

extension Quota {
    /// The answer to an attempt.
    package struct Verdict: Sendable, Hashable {
        package let quota: Quota
        package let isAllowed: Bool
        /// The time in microseconds that `wait` returns.
        let microseconds: Int64

        /// The time until all attempts are available again if the attempt is allowed. Otherwise the time until the next
        /// attempt is allowed.
        package var wait: Duration { .microseconds(microseconds) }

        /// The number of attempts that are left.
        package var remaining: Int { isAllowed ? Int((quota.window - microseconds) / quota.interval) : 0 }

        /// Whether less than half of the quota is left.
        package var isLow: Bool { !isAllowed || 2 * microseconds > quota.window }
    }

    /// A quota without attempts left, for the fields of an answer.
    package struct Excess: Sendable, Hashable {
        /// The name of the quota, such as `device`.
        package var name: String
        package var quota: Quota
        /// The time until the next attempt is allowed.
        package var wait: Duration

        package init(_ name: String, _ quota: Quota, wait: Duration) {
            self.name = name
            self.quota = quota
            self.wait = wait
        }
    }
}
