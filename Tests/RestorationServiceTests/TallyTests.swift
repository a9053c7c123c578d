import RestorationService
import Testing

struct TallyTests {
    static let now = Timestamp(milliseconds: 3_600_000 * 10 + 5)

    @Test func countsByTheHour() {
        let tally = Tally()
        tally.count("outcome", "crashed", app: nil, at: Self.now)
        tally.count("outcome", "crashed", app: nil, at: Self.now + .seconds(60), by: 2)
        tally.count("outcome", "crashed", app: nil, at: Self.now + .seconds(3600))
        let taken = tally.take()
        #expect(taken[Counter(hour: 10, app: nil, name: "outcome", label: "crashed")] == 3)
        #expect(taken[Counter(hour: 11, app: nil, name: "outcome", label: "crashed")] == 1)
        #expect(tally.take().isEmpty)
        tally.restore(taken)
        #expect(tally.take() == taken)
    }

    @Test func holdsABoundedNumberOfCounters() {
        let tally = Tally()
        for number in 0..<20_000 { tally.count("request", "\(number)", app: nil, at: Self.now) }
        let taken = tally.take()
        #expect(taken.count <= 10_001)
        #expect(taken.values.reduce(0, +) == 20_000)
    }

    @Test(arguments: [(0, 0), (3_599_999, 0), (3_600_000, 1), (-1, -1), (-3_600_000, -1), (-3_600_001, -2)])
    func hoursAreRoundedDown(_ milliseconds: Int64, _ hour: Int64) {
        #expect(Timestamp(milliseconds: milliseconds).hour == hour)
    }

    @Test func countsAreFlushedOnce() async throws {
        let bench = try await ServiceBench()
        bench.service.tally.count("request", "GET /v1/places 200", app: bench.app.id, at: bench.clock.now())
        try await bench.service.flush()
        try await bench.service.flush()
        #expect(try await bench.store.counts(from: bench.clock.now(), to: bench.clock.now()).map(\.value) == [1])
    }
}
