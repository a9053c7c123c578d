import PlacekeeperArchive
import PlacekeeperMatching
import Testing

@testable import PlacekeeperService

/// What is kept of an item when its aliases change, or when its identifier is given to another item.
@Suite struct FormerItemTests {
    enum Side: CaseIterable { case saving, asking }

    /// One device has corrected the ISBN. The other still has the wrong one.
    @Test(arguments: Side.allCases) func areFoundByAnAliasThatWasCorrected(_ side: Side) async throws {
        let fixture = try await IdentityFixture()
        let (wrong, right) = (Item("1", aliases: ["isbn:1", "t:Dune"]), Item("1", aliases: ["isbn:2", "t:Dune"]))
        let (changed, other) = side == .saving ? (fixture.phone, fixture.pad) : (fixture.pad, fixture.phone)
        try await fixture.register(wrong, on: changed)
        try await fixture.register(Item("x", aliases: ["isbn:1"]), on: other)
        _ = try await fixture.upload([.to(side == .saving ? "1" : "x", aliases: [])], by: fixture.phone)
        try await fixture.register(right, on: changed)
        // A second correction keeps what the first one replaced.
        try await fixture.register(Item("1", aliases: ["isbn:3", "t:Dune"]), on: changed)
        let served = try await fixture.references(for: fixture.pad)[0]
        #expect(served.element.identifier == (side == .saving ? "x" : "1"))
        #expect(served.resolution?.step == .alias)
        // A live item that has the alias takes precedence.
        if side == .asking {
            try await fixture.register(Item("2", aliases: ["isbn:1"]), on: fixture.pad)
            #expect(try await fixture.references(for: fixture.pad)[0].element.identifier == "2")
        }
    }

    /// The app numbers its rows anew, and gives no aliases with its references.
    @Test func areFoundThroughAnIdentifierThatNowNamesAnotherItem() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(Item("1", aliases: ["a"]), Item("2", aliases: ["b"]), on: fixture.phone)
        try await fixture.register(Item("x", aliases: ["a"]), Item("y", aliases: ["b"]), on: fixture.pad)
        _ = try await fixture.upload([.to("1", aliases: []), .to("2", aliases: [])], by: fixture.phone)
        try await fixture.register(Item("1", aliases: ["c"]), Item("2", aliases: ["a"]), on: fixture.phone)
        #expect(try await fixture.references(for: fixture.pad).map(\.element.identifier) == ["x", "y"])
        // On the device itself, the first item has another identifier now, and the second one is gone.
        #expect(try await fixture.references(for: fixture.phone).map(\.element.identifier) == ["2", nil])
        // Only the last item before the present one is kept.
        try await fixture.register(Item("1", aliases: ["d"]), on: fixture.phone)
        #expect(try await fixture.references(for: fixture.pad).map(\.element.identifier) == [nil, "y"])
    }

    @Test func keepTheirRedirectsIfTheirIdentifierIsReused() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(Item("temporary"), Item("1", aliases: ["a"]), on: fixture.phone)
        try await fixture.register(Item("x", aliases: ["a"]), on: fixture.pad)
        _ = try await fixture.upload([.to("temporary", aliases: [])], by: fixture.phone)
        try await fixture.redirect("temporary", to: "1", on: fixture.phone)
        try await fixture.register(Item("temporary", aliases: ["b"]), on: fixture.phone)
        #expect(try await fixture.references(for: fixture.pad)[0].element.identifier == "x")
    }

    /// Nothing shows whether the upsert takes the redirect back or adds another item.
    @Test func loseTheirRedirectsToAnItemWithTheSameAliases() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(Item("draft"), Item("1", aliases: ["a"]), on: fixture.phone)
        try await fixture.register(Item("x", aliases: ["a"]), on: fixture.pad)
        _ = try await fixture.upload([.to("draft", aliases: [])], by: fixture.phone)
        try await fixture.redirect("draft", to: "1", on: fixture.phone)
        #expect(try await fixture.references(for: fixture.pad)[0].element.identifier == "x")
        try await fixture.register(Item("draft"), on: fixture.phone)
        #expect(try await fixture.references(for: fixture.pad)[0].element.identifier == nil)
    }

    /// The asking device has removed the item and reused its identifier.
    @Test func areGoneOnTheDeviceThatReusedTheirIdentifier() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(Item("1", aliases: ["a"]), on: fixture.phone)
        try await fixture.register(Item("x", aliases: ["a"]), on: fixture.pad)
        _ = try await fixture.upload([.to("1", aliases: [])], by: fixture.phone)
        try await fixture.register(Item("x", aliases: ["b"]), on: fixture.pad)
        let served = try await fixture.references(for: fixture.pad)[0]
        #expect(served.element.identifier == nil && served.resolution?.step == .unresolved)
    }
}
