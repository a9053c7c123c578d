/// A point in time. In a body, it is a string (RFC 3339) in UTC with milliseconds, such as `2026-11-21T03:40:00.125Z`.
package struct Time: Sendable, Hashable, Comparable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    package var milliseconds: Int64

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    package static func < (left: Time, right: Time) -> Bool { left.milliseconds < right.milliseconds }
}

extension Time: CustomStringConvertible {
    package var description: String {
        let (days, time) = milliseconds.flooredQuotientAndRemainder(dividingBy: 86_400_000)
        let date = CivilDate(daysSince1970: days)
        return String(unsafeUninitializedCapacity: 24) { buffer in
            _ = buffer.initialize(from: "0000-00-00T00:00:00.000Z".utf8)
            func write(_ number: Int64, endingAt end: Int, width: Int) {
                var rest = number
                for index in (end - width..<end).reversed() {
                    buffer[index] = 0x30 + UInt8(rest % 10)
                    rest /= 10
                }
            }
            // RFC 3339 requires four-digit years, so a year after 9999 is written as 9999, and a year before 0 as 0000.
            write(min(max(date.year, 0), 9999), endingAt: 4, width: 4)
            write(date.month, endingAt: 7, width: 2)
            write(date.day, endingAt: 10, width: 2)
            write(time / 3_600_000, endingAt: 13, width: 2)
            write(time / 60_000 % 60, endingAt: 16, width: 2)
            write(time / 1000 % 60, endingAt: 19, width: 2)
            write(time % 1000, endingAt: 23, width: 3)
            return 24
        }
    }

    /// Parses the format of `description`, with at most 37 characters. The fraction may be absent or have any number of
    /// digits. Digits beyond milliseconds are ignored. Returns nil for other text.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        func number(_ range: Range<Int>) -> Int64? {
            var value: Int64 = 0
            for byte in bytes[range] {
                guard case 0x30...0x39 = byte else { return nil }
                value = value * 10 + Int64(byte - 0x30)
            }
            return value
        }
        guard (20...37).contains(bytes.count), bytes[4] == 0x2D, bytes[7] == 0x2D, bytes[10] == 0x54,
            bytes[13] == 0x3A, bytes[16] == 0x3A, bytes.last == 0x5A,
            let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), let hour = number(11..<13),
            let minute = number(14..<16), let second = number(17..<19),
            (1...12).contains(month), hour < 24, minute < 60, second < 60
        else { return nil }
        let date = CivilDate(year: year, month: month, day: day)
        guard CivilDate(daysSince1970: date.daysSince1970) == date else { return nil }
        var fraction: Int64 = 0
        if bytes.count > 20 {
            guard bytes[19] == 0x2E, bytes.count > 21, number(20..<bytes.count - 1) != nil else { return nil }
            let digits = bytes[20..<bytes.count - 1].prefix(3)
            fraction = digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
            for _ in digits.count..<3 { fraction *= 10 }
        }
        milliseconds =
            date.daysSince1970 * 86_400_000 + hour * 3_600_000 + minute * 60_000 + second * 1000 + fraction
    }
}

extension Time: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let time = Time(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a time of RFC 3339 in UTC")
        }
        self = time
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
