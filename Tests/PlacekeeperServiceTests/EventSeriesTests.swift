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
            ], from: 100, hours: 3)
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
            ], from: 100, hours: 1)
        #expect(series.map { $0.group?.bundleVersion } == ["2", "2.0", "2.0.1", "2.0"])
        #expect(series.map(\.counts) == [[1], [9], [1], [4]])
    }

    @Test func limitsGroupsToThoseWithMostEvents() {
        var counts: [Counter: Int] = [:]
        for version in 1...100 { counts[Self.counter("full", "1.\(version)")] = version }
        counts[Self.counter("full", "other", nil)] = 1
        let series = EventSeries.all(of: counts, from: 100, hours: 1)
        let versions = Set(series.map { $0.group?.bundleVersion })
        #expect(versions == Set((81...100).map { "1.\($0)" } + ["other"]))
        #expect(series.first { $0.group == .other }?.counts == [(1...80).reduce(1, +)])
    }

    @Test func survivesDamagedCounts() {
        let series = EventSeries.all(
            of: [
                Self.counter("full", "1.0"): .max, Self.counter("full", "1"): .max,
                Self.counter("full", "1", hour: .min): 1, Self.counter("full", "1", hour: .max): 1,
            ], from: 100, hours: 1)
        #expect(series.count == 1)
    }
}
