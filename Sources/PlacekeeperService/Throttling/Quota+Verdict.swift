package import PlacekeeperCore

extension Quota {
    /// The result of an attempt.
    package struct Verdict: Sendable, Hashable {
        package let quota: Quota
        package let isAllowed: Bool
        /// The value of `wait` in microseconds.
        let microseconds: Int64

        /// If the attempt is allowed, the time until all attempts are available again. Otherwise, the time until the
        /// next attempt is allowed.
        package var wait: Duration { .microseconds(microseconds) }

        /// The number of attempts left.
        package var remaining: Int { isAllowed ? Int((quota.window - microseconds) / quota.interval) : 0 }

        /// Whether less than half of the quota is left.
        package var isLow: Bool { !isAllowed || 2 * microseconds > quota.window }
    }

    /// A quota with no attempts left, for the response's header fields.
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
