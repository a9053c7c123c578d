/// A Gregorian date in UTC, as text (RFC 3339).
struct CalendarDate: CustomStringConvertible {
    let description: String

    /// Creates a date from seconds since the start of 2001. Outside the years 1 to 9999, the description is the number
    /// of seconds.
    init(_ seconds: Double) {
        guard PropertyListDate.isValid(seconds) else {
            description = "\(seconds) s since 2001"
            return
        }
        // Round to the nearest millisecond without `rounded`, which needs the C math library. Some clients do not link
        // it.
        let shifted = seconds * 1000 + 0.5
        let truncated = Int64(shifted)
        let milliseconds = Double(truncated) > shifted ? truncated - 1 : truncated
        let (day, time) = Self.divide(milliseconds, 86_400_000)
        // Days since March 1 of year 0, in eras of 400 years.
        let (era, dayOfEra) = Self.divide(day + 730_791, 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let year = era * 400 + yearOfEra + (month >= 10 ? 1 : 0)
        let date =
            "\(Self.pad(year, 4))-\(Self.pad(month < 10 ? month + 3 : month - 9, 2))-\(Self.pad(dayOfYear - (153 * month + 2) / 5 + 1, 2))"
        let clock = [time / 3_600_000, time / 60_000 % 60, time / 1000 % 60].map { Self.pad($0, 2) }
        let fraction = time % 1000 == 0 ? "" : ".\(Self.pad(time % 1000, 3))"
        description = "\(date)T\(clock.joined(separator: ":"))\(fraction)Z"
    }

    private static func divide(_ value: Int64, _ divisor: Int64) -> (Int64, Int64) {
        let remainder = (value % divisor + divisor) % divisor
        return ((value - remainder) / divisor, remainder)
    }

    private static func pad(_ value: Int64, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
