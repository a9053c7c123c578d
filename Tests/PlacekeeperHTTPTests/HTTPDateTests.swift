@testable import PlacekeeperHTTP
import Testing

@Suite struct HTTPDateTests {
    @Test(arguments: [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
        (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
        (951_868_799, "Tue, 29 Feb 2000 23:59:59 GMT"),
        (951_868_800, "Wed, 01 Mar 2000 00:00:00 GMT"),
        (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"),
        (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
        (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
        (-62_167_219_200, "Sat, 01 Jan 0000 00:00:00 GMT"),
        (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
    ])
    func formatsDatesFromYear0ToYear9999(seconds: Int, text: String) {
        #expect(String(decoding: HTTPDate.bytes(secondsSince1970: seconds), as: UTF8.self) == text)
    }

    @Test func computesEveryDateOfFourHundredYears() {
        let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        // The day number of 1 January 1800.
        var day = -62_091
        for year in 1800..<2200 {
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            for month in 1...12 {
                for dayOfMonth in 1...lengths[month - 1] + (isLeap && month == 2 ? 1 : 0) {
                    let date = HTTPDate.civil(daysSince1970: day)
                    guard date == (year, month, dayOfMonth) else {
                        Issue.record("day \(day) is \(date), not \((year, month, dayOfMonth))")
                        return
                    }
                    day += 1
                }
            }
        }
    }
}
