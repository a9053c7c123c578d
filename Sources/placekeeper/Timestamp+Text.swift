import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperService

extension Timestamp {
    /// The time as RFC 3339 text in UTC with milliseconds, such as `2026-11-21T03:40:00.125Z`.
    var text: String { Time(milliseconds: milliseconds).description }

    /// Creates a time from an archive's timestamp: seconds since the start of 2001 in UTC.
    init(referenceSeconds seconds: Double) {
        self.init(milliseconds: Int64(((seconds + Self.referenceDate) * 1000).rounded()))
    }

    var referenceSeconds: Double { Double(milliseconds) / 1000 - Self.referenceDate }

    /// Seconds from the start of 1970 to the start of 2001.
    private static let referenceDate = 978_307_200.0
}
