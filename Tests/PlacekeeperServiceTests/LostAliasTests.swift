import PlacekeeperArchive
import PlacekeeperCore
import PlacekeeperMatching
import Testing

@testable import PlacekeeperService

/// Items that lose aliases, such as a mistyped ISBN.
@Suite struct LostAliasTests {
    enum Side: CaseIterable { case saving, asking }

    /// One device has corrected the ISBN. The other still has the wrong one.
    @Test(arguments: Side.allCases) func stayEvidence(_ side: Side) async throws {
        let fixture = try await IdentityFixture()
        let (changed, other) = side == .saving ? (fixture.phone, fixture.pad) : (fixture.pad, fixture.phone)
        try await fixture.register(Item("1", aliases: ["isbn:1", "t:Dune"]), on: changed)
        try await fixture.register(Item("x", aliases: ["isbn:1"]), on: other)
        _ = try await fixture.upload([.to(side == .saving ? "1" : "x", aliases: [])], by: fixture.phone)
        try await fixture.register(Item("1", aliases: ["isbn:2", "t:Dune"]), on: changed)
        let served = try await fixture.references(for: fixture.pad)[0]
        #expect(served.element.identifier == (side == .saving ? "x" : "1"))
        #expect(served.resolution?.step == .alias)
        // The book whose ISBN it was is another one.
        try await fixture.register(Item("2", aliases: ["isbn:1"]), on: changed)
        let found = try await fixture.references(for: fixture.pad)[0].element.identifier
        #expect(found == (side == .saving ? nil : "2"))
    }

    /// An operator saw that the wrong ISBN led to another book.
    @Test func areNoReasonToCallAnItemGone() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(Item("p1", aliases: ["isbn:1"]), on: fixture.phone)
        try await fixture.register(Item("q1", aliases: ["isbn:1", "t:Dune"]), on: fixture.pad)
        _ = try await fixture.upload([.to("p1", aliases: [])], by: fixture.phone)
        try await fixture.decide(.different, "p1", "q1")
        try await fixture.register(Item("q1", aliases: ["isbn:2", "t:Dune"]), on: fixture.pad)
        #expect(try await fixture.references(for: fixture.pad)[0].resolution?.step == .pending)
    }

    /// With all aliases, an identifier loses what proves that it names the same item.
    @Test(arguments: Side.allCases, [[], ["t:Untitled"]])
    func areNoEvidenceWithoutProof(_ side: Side, _ kept: [String]) async throws {
        let fixture = try await IdentityFixture()
        let (changed, other) = side == .saving ? (fixture.phone, fixture.pad) : (fixture.pad, fixture.phone)
        let draft = Item("2", aliases: ["t:Untitled"])
        try await fixture.register(Item("1", aliases: ["id:1"] + kept), draft, on: changed)
        try await fixture.register(Item("x", aliases: ["id:1"]), on: other)
        _ = try await fixture.upload([.to(side == .saving ? "1" : "x", aliases: [])], by: fixture.phone)
        try await fixture.register(Item("1", aliases: kept), on: changed)
        #expect(try await fixture.references(for: fixture.pad)[0].element.identifier == nil)
    }

    /// What an earlier item of the identifier has lost is not of the present item.
    @Test(arguments: Side.allCases) func endWhenTheIdentifierIsReused(_ side: Side) async throws {
        let fixture = try await IdentityFixture()
        let (changed, other) = side == .saving ? (fixture.phone, fixture.pad) : (fixture.pad, fixture.phone)
        try await fixture.register(Item("1", aliases: ["isbn:1", "t:Dune"]), on: changed)
        try await fixture.register(Item("1", aliases: ["isbn:2", "t:Dune"]), on: changed)
        try await fixture.register(Item("1", aliases: ["isbn:8", "t:Emma"]), on: changed)
        try await fixture.register(Item("1", aliases: ["isbn:9", "t:Emma"]), on: changed)
        try await fixture.register(Item("x", aliases: ["isbn:1"]), Item("y", aliases: ["isbn:8"]), on: other)
        let (saved, found) = side == .saving ? (["1"], ["y"]) : (["x", "y"], [nil, "1"])
        _ = try await fixture.upload(saved.map { .to($0, aliases: []) }, by: fixture.phone)
        #expect(try await fixture.references(for: fixture.pad).map(\.element.identifier) == found)
    }
}
