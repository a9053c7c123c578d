import Testing

@testable import PlacekeeperAPI

@Suite struct TimeTests {
    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (1_750_000_000_125, "2025-06-15T15:06:40.125Z"),
        (951_782_400_000, "2000-02-29T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
        (253_402_300_799_999, "9999-12-31T23:59:59.999Z"), (-62_135_596_800_000, "0001-01-01T00:00:00.000Z"),
    ])
    func parsesItsOwnOutput(_ milliseconds: Int64, _ text: String) {
        #expect(Time(milliseconds: milliseconds).description == text)
        #expect(Time(text)?.milliseconds == milliseconds)
    }

    @Test(
        arguments: [
            ("2025-06-15T15:06:40Z", 1_750_000_000_000), ("2025-06-15T15:06:40.1Z", 1_750_000_000_100),
            ("2025-06-15T15:06:40.125999Z", 1_750_000_000_125),
        ] as [(String, Int64)])
    func parsesAnyNumberOfFractionalDigits(_ text: String, _ milliseconds: Int64) {
        #expect(Time(text)?.milliseconds == milliseconds)
    }

    @Test(arguments: [
        "", "2025-06-15", "2025-06-15T15:06:40", "2025-06-15T15:06:40.Z", "2025-06-15T15:06:40+00:00",
        "2025-13-15T15:06:40Z", "2025-02-29T15:06:40Z", "2025-06-00T15:06:40Z", "2025-06-15T24:06:40Z",
        "2025-06-15T15:60:40Z", "2025-06-15T15:06:60Z", "+025-06-15T15:06:40Z", "2025-06-15t15:06:40z",
        "2025-06-15T15:06:40.12x5Z",
    ])
    func rejectsInvalidTimes(_ text: String) { #expect(Time(text) == nil) }
}
