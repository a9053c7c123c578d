/// A rate limit: `burst` attempts without waiting, then one more per `interval`.
package struct Quota: Sendable, Hashable {
    // With these bounds, the arithmetic of `Throttle` can't overflow.
    private static let maximumBurst = 10_000_000
    /// A day, in microseconds.
    private static let maximumInterval: Int64 = 86_400_000_000

    package let burst: Int
    /// How long it takes to regain one attempt, in microseconds.
    package let interval: Int64

    package init(burst: Int, interval: Duration) {
        let isLong = interval >= .microseconds(Self.maximumInterval)
        self.init(burst: burst, microseconds: isLong ? Self.maximumInterval : interval.wholeMilliseconds * 1000)
    }

    package init(burst: Int, perSecond: Int) {
        self.init(burst: burst, microseconds: 1_000_000 / Int64(max(perSecond, 1)))
    }

    package init(burst: Int, perDay: Int) {
        self.init(burst: burst, microseconds: Self.maximumInterval / Int64(max(perDay, 1)))
    }

    /// Clamps values to the bounds, because settings in the database may hold any value.
    private init(burst: Int, microseconds: Int64) {
        self.burst = min(max(burst, 1), Self.maximumBurst)
        interval = min(max(microseconds, 1), Self.maximumInterval)
    }

    /// How long it takes to regain all attempts, in microseconds.
    package var window: Int64 { Int64(burst) * interval }

    /// How long it takes to regain all attempts.
    package var timeToRegainAll: Duration { .microseconds(window) }
}
