import PlacekeeperAPI
import RestorationService

extension Timestamp {
    /// RFC 3339 in UTC with milliseconds, such as `2026-11-21T03:40:00.125Z`.
    var text: String { Time(milliseconds: milliseconds).description }

    /// Seconds since the start of 2001, UTC, as archives have them.
    init(referenceSeconds seconds: Double) {
        self.init(milliseconds: Int64(((seconds + Self.referenceDate) * 1000).rounded()))
    }

    var referenceSeconds: Double { Double(milliseconds) / 1000 - Self.referenceDate }

    /// 2001 began so many seconds after 1970.
    private static let referenceDate = 978_307_200.0
}
