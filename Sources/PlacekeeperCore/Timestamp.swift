/// A point in time on the server's clock, in milliseconds since 1970-01-01T00:00:00Z.
package struct Timestamp: Sendable, Hashable, Comparable {
    package var milliseconds: Int64
    package init(milliseconds: Int64) { self.milliseconds = milliseconds }
    package static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }
    // Sums can't overflow: times come from the system's clock or were checked when read (`StoredNumber.time`), and
    // durations are bounded (`Limits`, `TimeSpan.duration`). The time in a page's cursor is only compared.
    package static func + (time: Timestamp, duration: Duration) -> Timestamp {
        Timestamp(milliseconds: time.milliseconds + duration.wholeMilliseconds)
    }
    package static func - (time: Timestamp, duration: Duration) -> Timestamp {
        Timestamp(milliseconds: time.milliseconds - duration.wholeMilliseconds)
    }
    package static func - (later: Timestamp, earlier: Timestamp) -> Duration {
        .milliseconds(later.milliseconds - earlier.milliseconds)
    }
}

extension Duration {
    /// Whole milliseconds, rounded toward zero.
    package var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }
}

extension Timestamp {
    /// How far apart the clocks of two machines may be.
    package static let usualLead = Duration.seconds(60)
    /// The largest ordinary correction of the system's clock. Anything larger is a fault.
    package static let longestCorrection = Duration.seconds(86_400)

    /// Returns whether a stored time of the past is later than `now` by more than an ordinary correction, because the
    /// clock was ahead when the time was stored. A span that began at such a time counts as over.
    package func isAhead(of now: Timestamp) -> Bool { self - now > Self.longestCorrection }

    /// Whole hours since 1970, rounded down: the unit of counters.
    package var hour: Int64 { milliseconds >= 0 ? milliseconds / 3_600_000 : (milliseconds - 3_599_999) / 3_600_000 }
    /// Whole days since 1970, rounded down.
    package var day: Int64 { hour >= 0 ? hour / 24 : (hour - 23) / 24 }
}
