/// A limit of attempts: `burst` attempts at once, and one further attempt after each `interval`.
package struct Quota: Sendable, Hashable {
    // With these bounds, the calculations of `Throttle` cannot overflow.
    private static let maximumBurst = 10_000_000
    /// A day in microseconds.
    private static let maximumInterval: Int64 = 86_400_000_000

    package let burst: Int
    /// The time in microseconds after which one attempt is available again.
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

    /// A value outside the bounds becomes the nearest bound, because settings in the database may have any value.
    private init(burst: Int, microseconds: Int64) {
        self.burst = min(max(burst, 1), Self.maximumBurst)
        interval = min(max(microseconds, 1), Self.maximumInterval)
    }

    /// The time in microseconds after which all attempts are available again.
    package var window: Int64 { Int64(burst) * interval }

    /// The time after which all attempts are available again.
    package var timeToRegainAll: Duration { .microseconds(window) }
}
