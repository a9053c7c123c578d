import PlacekeeperCore
import PlacekeeperMatching
import PlacekeeperService
import Testing

/// Operators' decisions about items whose identifiers are reused.
@Suite struct DecisionTests {
    @Test func listsWhetherADecisionHasEnded() async throws {
        let fixture = try await IdentityFixture()
        let list = ItemList(owner: fixture.phone.owner, dataSource: IdentityFixture.list)
        func ended() async throws -> [Bool] { try await fixture.service.lists.decisions(in: list).map(\.hasEnded) }
        func found() async throws -> String? {
            try await fixture.resolve("p1", of: fixture.phone, for: fixture.pad).identifier
        }
        try await fixture.register(Item("p1", aliases: ["a"]), Item("p2"), on: fixture.phone)
        try await fixture.register(Item("q1"), Item("q2"), on: fixture.pad)
        try await fixture.decide(.same, "p1", "q1")
        try await fixture.decide(.same, "p2", "q2")
        #expect(try await ended() == [false, false])
        #expect(try await found() == "q1")
        // The removal alone does not end the decision.
        try await fixture.register(removals: ["p1"], on: fixture.phone)
        #expect(try await ended() == [false, false])
        try await fixture.register(Item("p1", aliases: ["b"]), on: fixture.phone)
        #expect(try await ended() == [true, false])
        #expect(try await found() == nil)
        // A new decision is about the present item.
        try await fixture.decide(.same, "p1", "q1")
        #expect(try await ended() == [false, false])
        #expect(try await found() == "q1")
    }
}
