/// Formats an HTTP-date (IMF-fixdate, RFC 9110 section 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
package enum HTTPDate {
    /// Returns the date for a time in whole seconds since 1970. The year must be from 0 to 9999.
    package static func bytes(secondsSince1970 seconds: Int) -> [UInt8] {
        let day = floorDivision(seconds, by: 86_400)
        let time = seconds - day * 86_400
        let (year, month, dayOfMonth) = civil(daysSince1970: day)
        // 1 January 1970 was a Thursday.
        let weekday = (day % 7 + 11) % 7

        var bytes: [UInt8] = []
        bytes.reserveCapacity(29)
        append(name: weekday, of: "SunMonTueWedThuFriSat", to: &bytes)
        bytes += [0x2C, 0x20]
        append(twoDigits: dayOfMonth, to: &bytes)
        bytes.append(0x20)
        append(name: month - 1, of: "JanFebMarAprMayJunJulAugSepOctNovDec", to: &bytes)
        bytes.append(0x20)
        append(twoDigits: year / 100 % 100, to: &bytes)
        append(twoDigits: year % 100, to: &bytes)
        bytes.append(0x20)
        append(twoDigits: time / 3600, to: &bytes)
        bytes.append(0x3A)
        append(twoDigits: time / 60 % 60, to: &bytes)
        bytes.append(0x3A)
        append(twoDigits: time % 60, to: &bytes)
        ResponseEncoder.append(" GMT", to: &bytes)
        return bytes
    }

    /// Returns the proleptic Gregorian date of a day. The calculation uses eras of 400 years that start on 1 March,
    /// so a leap day is the last day of its year (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
    static func civil(daysSince1970: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = daysSince1970 + 719_468
        let era = floorDivision(shifted, by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    private static func floorDivision(_ value: Int, by divisor: Int) -> Int {
        value / divisor - (value % divisor < 0 ? 1 : 0)
    }

    private static func append(name index: Int, of names: StaticString, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: names.utf8Start + index * 3, count: 3))
    }

    private static func append(twoDigits value: Int, to bytes: inout [UInt8]) {
        bytes.append(0x30 + UInt8(value / 10))
        bytes.append(0x30 + UInt8(value % 10))
    }
}
