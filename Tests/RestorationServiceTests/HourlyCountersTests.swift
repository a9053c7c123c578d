import RestorationService
import TestSupport
import Testing

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

    @Test(arguments: [(0, 0), (3_599_999, 0), (3_600_000, 1), (-1, -1), (-3_600_000, -1), (-3_600_001, -2)])
    func roundsHoursDown(_ milliseconds: Int64, _ hour: Int64) {
        #expect(Timestamp(milliseconds: milliseconds).hour == hour)
    }

    @Test func flushesCountsOnce() async throws {
        let fixture = try await ServiceFixture()
        fixture.service.hourlyCounters.count(
            "request", "GET /v1/places 200", app: fixture.app.id, at: fixture.clock.now())
        try await fixture.service.flush()
        try await fixture.service.flush()
        #expect(try await fixture.store.counts(from: fixture.clock.now(), to: fixture.clock.now()).map(\.value) == [1])
    }
}
