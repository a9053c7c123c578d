import PlacekeeperCore
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperService

struct HourlyCountersTests {
    static let now = Timestamp(milliseconds: 3_600_000 * 10 + 5)

    @Test func countsByTheHour() {
        let hourlyCounters = HourlyCounters()
        hourlyCounters.count("outcome", "crashed", app: nil, at: Self.now)
        hourlyCounters.count("outcome", "crashed", app: nil, at: Self.now + .seconds(60), by: 2)
        hourlyCounters.count("outcome", "crashed", app: nil, at: Self.now + .seconds(3600))
        let taken = hourlyCounters.take()
        #expect(taken[Counter(hour: 10, app: nil, name: "outcome", label: "crashed")] == 3)
        #expect(taken[Counter(hour: 11, app: nil, name: "outcome", label: "crashed")] == 1)
        #expect(hourlyCounters.take().isEmpty)
        hourlyCounters.restore(taken)
        #expect(hourlyCounters.take() == taken)
    }

    @Test func limitsNumberOfCounters() {
        let hourlyCounters = HourlyCounters()
        for number in 0..<20_000 { hourlyCounters.count("request", "\(number)", app: nil, at: Self.now) }
        let taken = hourlyCounters.take()
        #expect(taken.count <= 10_001)
        #expect(taken.values.reduce(0, +) == 20_000)
    }

    @Test func countsGroupsApart() {
        let hourlyCounters = HourlyCounters()
        let app = AppID(high: 0, low: 1)
        let contexts = [
            Context(idiom: .phone, bundleVersion: "2.0"), Context(idiom: .phone, bundleVersion: "2.1"),
            Context(idiom: .pad, bundleVersion: "2.0"), Context(idiom: .pad),
        ]
        for (index, context) in contexts.enumerated() {
            for _ in 0...index { hourlyCounters.count("upload", "stored", app: app, from: context, at: Self.now) }
        }
        hourlyCounters.count("upload", "stored", app: app, at: Self.now, by: 9)
        let taken = hourlyCounters.take()
        #expect(taken.count == 5)
        for (index, context) in contexts.enumerated() {
            let group = Counter.Group(idiom: context.idiom, bundleVersion: context.bundleVersion)
            let counter = Counter(hour: 10, app: app, name: "upload", label: "stored", group: group)
            #expect(taken[counter] == index + 1)
        }
        #expect(taken[Counter(hour: 10, app: app, name: "upload", label: "stored")] == 9)
    }

    @Test func limitsGroupsOfAnAppInAnHour() {
        let hourlyCounters = HourlyCounters()
        func count(_ versions: Range<Int>, app: UInt64 = 1, at time: Timestamp = Self.now) -> [Counter: Int] {
            for version in versions {
                hourlyCounters.count(
                    "upload", "stored", app: AppID(high: 0, low: app),
                    from: Context(idiom: .phone, bundleVersion: "1.\(version)"), at: time)
            }
            return hourlyCounters.take()
        }
        let first = count(0..<200)
        let other = Counter(
            hour: 10, app: AppID(high: 0, low: 1), name: "upload", label: "stored", group: .other)
        #expect(first.count == HourlyCounters.groupLimit + 1 && first[other] == 200 - HourlyCounters.groupLimit)
        // The limit holds for the hour, and not only until the next flush.
        let second = count(1000..<1100)
        #expect(second == [other: 100])
        let known = count(0..<1)
        #expect(known.count == 1 && known[other] == nil)
        #expect(count(1000..<1010, app: 2).count == 10, "another app has groups of its own")
        #expect(count(1000..<1010, at: Self.now + .seconds(3600)).count == 10)
    }

    @Test(arguments: [
        ("stored", nil), ("full\tphone\t2.1", Counter.Group(idiom: .phone, bundleVersion: "2.1")),
        ("full\tcarPlay\t", Counter.Group(idiom: .carPlay, bundleVersion: nil)), ("full\tother\tother", .other),
        ("\tpad\t1 \u{e9}", Counter.Group(idiom: .pad, bundleVersion: "1 \u{e9}")),
    ])
    func writesAndReadsLabelWithGroup(_ text: String, _ group: Counter.Group?) {
        let counter = Counter(hour: 1, app: nil, name: "restore", labelAndGroup: text)
        #expect(counter.group == group && counter.label == text.prefix { $0 != "\t" })
        #expect(counter.labelAndGroup == text)
    }

    @Test func readsDamagedLabelAsPlainLabel() {
        for text in ["", "a\tphone", "\t"] {
            let counter = Counter(hour: 1, app: nil, name: "restore", labelAndGroup: text)
            #expect(counter.label == text && counter.group == nil)
        }
        let unknown = Counter(hour: 1, app: nil, name: "restore", labelAndGroup: "a\tglasses\t1\t2")
        #expect(unknown.label == "a" && unknown.group == Counter.Group(idiom: nil, bundleVersion: "1\t2"))
    }

    @Test func countsEventsInGroupOfDeviceThatMadeThem() async throws {
        let (fixture, phone, pad) = try await ServiceFixture().withDevices(.phone, .pad)
        try await fixture.upload(1, by: phone) { $0.bundleVersion = "42" }
        #expect(try await fixture.latest(for: pad, bundleVersion: "43").number == 1)
        try await fixture.report(.failed, of: 1, by: pad, bundleVersion: "44")
        fixture.clock.advance(.seconds(31 * 86_400))
        #expect(try await fixture.latest(for: phone, bundleVersion: "7").refusals != nil)
        let taken = fixture.service.hourlyCounters.take()
        func groups(_ name: String) -> Set<Counter.Group?> { Set(taken.keys.filter { $0.name == name }.map(\.group)) }
        #expect(groups("upload") == [.init(idiom: .phone, bundleVersion: "42")])
        #expect(groups("restore") == [.init(idiom: .pad, bundleVersion: "43")])
        #expect(groups("outcome") == [.init(idiom: .pad, bundleVersion: "44")])
        #expect(groups("refusal") == [.init(idiom: .phone, bundleVersion: "7")])
    }

    @Test func countsCopyInGroupOfDeviceThatMadeIt() async throws {
        let (fixture, phone, pad) = try await ServiceFixture().withDevices(.phone, .pad)
        try await fixture.upload(1, by: phone)
        _ = fixture.service.hourlyCounters.take()
        _ = try await fixture.service.archives.makeHead(
            ArchiveID(high: 0, low: 1), as: ArchiveID(high: 0, low: 2), in: "main", principal: pad)
        #expect(
            fixture.service.hourlyCounters.take().keys.map(\.group) == [.init(idiom: .pad, bundleVersion: nil)])
    }

    @Test(arguments: [(0, 0), (3_599_999, 0), (3_600_000, 1), (-1, -1), (-3_600_000, -1), (-3_600_001, -2)])
    func roundsHoursDown(_ milliseconds: Int64, _ hour: Int64) {
        #expect(Timestamp(milliseconds: milliseconds).hour == hour)
    }

    @Test func flushesCountsOnce() async throws {
        let fixture = try await ServiceFixture()
        fixture.service.hourlyCounters.count(
            "request", "GET /v1/places 200", app: fixture.app.id, at: fixture.clock.now())
        try await fixture.service.upkeep.flush()
        try await fixture.service.upkeep.flush()
        let now = fixture.clock.now()
        #expect(
            try await fixture.store.counts(of: fixture.app.id, named: nil, from: now, to: now, each: 1).map(\.value)
                == [1])
    }
}
