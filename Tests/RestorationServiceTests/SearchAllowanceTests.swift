import Testing

@testable import RestorationService

/// What one request may ask while it follows evidence from device to device.
@Suite struct SearchAllowanceTests {
    /// Asks many times for an item that a third device alone connects with another.
    private func find(_ count: Int, within questions: Int) async throws -> [ItemResolution] {
        let bench = try await IdentityBench()
        try await bench.register(Item("p1", aliases: ["a"]), on: bench.phone)
        try await bench.register(Item("o1", aliases: ["a", "b"]), on: bench.other)
        try await bench.register(Item("q1", aliases: ["b"]), on: bench.pad)
        let resolver = try await IdentityResolver(
            bench.service, ItemList(owner: bench.phone.owner, dataSource: IdentityBench.list),
            from: bench.phone.device.id, for: bench.pad.device.id, capturedAt: bench.service.clock.now(),
            within: SearchAllowance(questions))
        return try await resolver.resolve(Array(repeating: Evidence("p1"), count: count))
    }

    @Test(arguments: [(questions: 0, finds: false), (questions: 5, finds: false), (questions: 1000, finds: true)])
    func endsASearchAsIfTooMuchWereConnected(_ questions: Int, _ finds: Bool) async throws {
        let found = try await find(1, within: questions)
        #expect(found.map(\.identifier) == [finds ? "q1" : nil])
        #expect(found.map(\.step) == [finds ? .alias : .pending])
    }

    @Test func isSpentOnceForWhatIsAskedForOften() async throws {
        #expect(try await find(600, within: 10).allSatisfy { $0.identifier == "q1" })
    }
}
