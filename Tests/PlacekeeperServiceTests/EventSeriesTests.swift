import PlacekeeperCore
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperService

struct EventSeriesTests {
    private static func counter(
        _ label: String, _ version: String?, _ idiom: Idiom? = .phone, hour: Int64 = 100, name: String = "restore"
    ) -> Counter {
        Counter(
            hour: hour, app: nil, name: name, label: label, group: .init(idiom: idiom, bundleVersion: version))
    }

    @Test func makesSeriesOfEachLabelAndGroup() {
        var old = Self.counter("full", nil, hour: 101)
        old.group = nil
        let series = EventSeries.all(
            of: [
                Self.counter("full", "2.1"): 3, Self.counter("full", "2.1", hour: 102): 4,
                Self.counter("full", "2.1", .pad): 5, Self.counter("full", nil, .pad): 6,
                Self.counter("place", "2.1"): 7, Self.counter("full", "2.1", name: "a"): 8, old: 9,
                Self.counter("full", "2.1", hour: 99): 100, Self.counter("full", "2.1", hour: 103): 100,
            ], in: ChartPeriod(hours: 3, until: 102, offset: 0))
        #expect(series.map(\.name) == ["a"] + Array(repeating: "restore", count: 5))
        #expect(series.map(\.label) == ["full", "full", "full", "full", "full", "place"])
        #expect(series.map { $0.group?.idiom } == [.phone, nil, .pad, .pad, .phone, .phone])
        #expect(series.map { $0.group?.bundleVersion } == ["2.1", nil, nil, "2.1", "2.1", "2.1"])
        #expect(series.map(\.counts) == [[8, 0, 0], [0, 9, 0], [6, 0, 0], [5, 0, 0], [3, 0, 4], [7, 0, 0]])
    }

    @Test func addsUpVersionsThatAreEqualAsNumbers() {
        let series = EventSeries.all(
            of: [
                Self.counter("full", "2.00"): 1, Self.counter("full", "2.0"): 6, Self.counter("full", "2"): 2,
                Self.counter("place", "2.00"): 4, Self.counter("full", "2.0.1"): 1, Self.counter("full", "2", .pad): 1,
            ], in: ChartPeriod(hours: 1, until: 100, offset: 0))
        #expect(series.map { $0.group?.bundleVersion } == ["2", "2.0", "2.0.1", "2.0"])
        #expect(series.map(\.counts) == [[1], [9], [1], [4]])
    }

    @Test func limitsGroupsToThoseWithMostEvents() {
        var counts: [Counter: Int] = [:]
        for version in 1...100 { counts[Self.counter("full", "1.\(version)")] = version }
        counts[Self.counter("full", "other", nil)] = 1
        let series = EventSeries.all(of: counts, in: ChartPeriod(hours: 1, until: 100, offset: 0))
        let versions = Set(series.map { $0.group?.bundleVersion })
        #expect(versions == Set((81...100).map { "1.\($0)" } + ["other"]))
        #expect(series.first { $0.group == .other }?.counts == [(1...80).reduce(1, +)])
    }

    @Test func survivesDamagedCounts() {
        let series = EventSeries.all(
            of: [
                Self.counter("full", "1.0"): .max, Self.counter("full", "1"): .max,
                Self.counter("full", "1", hour: .min): 1, Self.counter("full", "1", hour: .max): 1,
            ], in: ChartPeriod(hours: 1, until: 100, offset: 0))
        #expect(series.count == 1)
    }

    @Test(
        arguments: [
            // Hour 1005 is 21:00 UTC; in Kiritimati it is 11:00 of the next day, and in Honolulu 11:00 of the same day.
            (24, 0, 982, 1, 24), (168, 0, 840, 3, 56), (720, 0, 288, 24, 30), (720, 14, 298, 24, 30),
            (720, -10, 298, 24, 30),
            (168, 1, 839, 3, 56),
        ] as [(Int, Int64, Int64, Int, Int)])
    func columnsBeginAtMidnightOfTheReader(
        hours: Int, offset: Int64, first: Int64, columnHours: Int, columns: Int
    ) {
        let period = ChartPeriod(hours: hours, until: 1005, offset: offset)
        #expect((period.first, period.columnHours, period.columns) == (first, columnHours, columns))
        #expect(period.column(of: first) == 0 && period.column(of: 1005) == columns - 1)
        #expect(period.column(of: first - 1) == nil && period.column(of: .max) == nil && period.column(of: .min) == nil)
    }
}
