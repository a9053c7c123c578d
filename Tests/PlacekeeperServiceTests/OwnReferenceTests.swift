import PlacekeeperArchive
import PlacekeeperCore
import PlacekeeperMatching
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

/// Checks a reference's own identifier in two cases: for other devices if the source device reused the identifier after
/// the capture, and for the source device itself.
@Suite struct OwnReferenceTests {
    /// The source device reused p12 for another item after the capture. The reference still means the first item, even
    /// if a copy of the archive becomes the head later.
    @Test func resolveAsOfTheCaptureAfterCopies() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(Item("p12", aliases: ["server:1"]), on: fixture.phone)
        _ = try await fixture.upload([.to("p12", aliases: ["server:1"])], by: fixture.phone)
        try await fixture.register(Item("p12", aliases: ["server:2"]), on: fixture.phone)
        try await fixture.register(Item("q2", aliases: ["server:2"]), on: fixture.pad)
        #expect(try await fixture.references(for: fixture.pad)[0].element.identifier == nil)
        var last: UInt64 = 1
        for copy in 2...3 as ClosedRange<UInt64> {
            fixture.fixture.clock.advance(.seconds(1))
            _ = try await fixture.service.archives.makeHead(
                ArchiveID(high: 0, low: last), as: ArchiveID(high: 0, low: copy), in: "main", principal: fixture.pad)
            last = copy
            #expect(try await fixture.references(for: fixture.pad)[0].element.identifier == nil)
        }
        try await fixture.register(Item("q1", aliases: ["server:1"]), on: fixture.pad)
        let reference = try await fixture.references(for: fixture.pad)[0]
        #expect(reference.element.identifier == "q1" && reference.resolution?.isAmbiguous == false)
    }

    /// An alias that other items have doesn't prove that the identifier still names the item.
    @Test func areNotConfirmedByAmbiguousAlias() async throws {
        let fixture = try await IdentityFixture()
        let (first, other) = (Item("p12", aliases: ["t:Untitled", "server:1"]), Item("p13", aliases: ["t:Untitled"]))
        try await fixture.register(first, other, on: fixture.phone)
        try await fixture.register(Item("q2", aliases: ["server:2"]), on: fixture.pad)
        _ = try await fixture.upload([.to("p12", aliases: first.aliases)], by: fixture.phone)
        func identifiers() async throws -> [String?] {
            try await fixture.references(for: fixture.pad).map(\.element.identifier)
        }
        // The row's unique alias changed.
        try await fixture.register(Item("p12", aliases: ["t:Untitled", "server:2"]), on: fixture.phone)
        #expect(try await identifiers() == [nil])
        // The row was removed, and its number was given to another item.
        try await fixture.register(first, on: fixture.phone)
        _ = try await fixture.upload([.to("p12", aliases: ["t:Untitled"])], by: fixture.phone, number: 2)
        try await fixture.register(removals: ["p12"], on: fixture.phone)
        try await fixture.register(Item("p12", aliases: ["t:Untitled", "server:2"]), on: fixture.phone)
        #expect(try await identifiers() == [nil])
    }

    /// An item that only gets aliases stays the same item, also if its old alias is ambiguous.
    @Test func areKeptByAnItemThatGetsAliases() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(
            Item("p12", aliases: ["t:Untitled"]), Item("p13", aliases: ["t:Untitled"]), on: fixture.phone)
        _ = try await fixture.upload([.to("p12", aliases: ["t:Untitled"])], by: fixture.phone)
        try await fixture.register(Item("p12", aliases: ["t:Untitled", "server:9"]), on: fixture.phone)
        try await fixture.register(Item("q9", aliases: ["server:9"]), on: fixture.pad)
        #expect(try await fixture.references(for: fixture.pad)[0].element.identifier == "q9")
    }

    /// Two references of one archive have the alias, so it proves nothing about the item that has it now.
    @Test func areNotConfirmedByAliasOfTwoReferences() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(Item("p12", aliases: ["old"]), on: fixture.phone)
        _ = try await fixture.upload([.to("p12", aliases: ["new"]), .to("p14", aliases: ["new"])], by: fixture.phone)
        try await fixture.register(Item("p12", aliases: ["new", "server:9"]), on: fixture.phone)
        try await fixture.register(Item("q9", aliases: ["server:9"]), on: fixture.pad)
        #expect(try await fixture.references(for: fixture.pad)[0].element.identifier == nil)
    }

    /// If the source device has not registered the identifier of its own reference, the service serves the reference
    /// without a resolution, so that the app checks the identifier.
    @Test func stayUnresolvedIfOnlyNeighborWasReplaced() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(Item("p13", aliases: ["s:13"]), on: fixture.phone)
        _ = try await fixture.upload([.to("p12", aliases: ["s:12"], after: ["p13"])], by: fixture.phone)
        try await fixture.register(Item("p14", aliases: ["s:14"]), on: fixture.phone)
        try await fixture.redirect("p13", to: "p14", on: fixture.phone)
        let served = try await fixture.references(for: fixture.phone)[0]
        #expect(served.element == .init("p12", aliases: ["s:12"]))
        #expect(served.after == [.init("p13")])
        #expect(served.resolution == nil)
    }

    /// A resolution applies to all identifiers of a reference, so the service omits identifiers that it cannot confirm.
    @Test func omitIdentifiersOfUnregisteredNeighbors() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(
            Item("p12", aliases: ["s:12"]), Item("p13", aliases: ["s:13"]), Item("p14"), on: fixture.phone)
        var reference = ModelReference.to("p12", aliases: ["s:12"], role: .firstVisible, after: ["p13"])
        reference.before = [.init("p11", aliases: ["s:11"])]
        _ = try await fixture.upload([reference], by: fixture.phone)
        try await fixture.redirect("p13", to: "p14", on: fixture.phone)
        var served = try await fixture.references(for: fixture.phone)[0]
        #expect(served.resolution == .init(step: .exact, confidence: 1))
        #expect(served.element.identifier == "p12" && served.after == [.init("p14")])
        #expect(served.before == [.init(nil, aliases: ["s:11"])])
        // An unregistered neighbor does not replace a removed item.
        try await fixture.register(Item("p12", aliases: ["s:99"]), removals: ["p14"], on: fixture.phone)
        served = try await fixture.references(for: fixture.phone)[0]
        #expect(served.resolution?.step == .unresolved && served.element.identifier == nil)
        #expect(served.before == [.init(nil, aliases: ["s:11"])])
    }

    /// A reference that was captured while pending has no identifier, so it stays pending on its own device too.
    @Test func stayPendingOnTheirOwnDevice() async throws {
        let fixture = try await IdentityFixture()
        _ = try await fixture.upload([.to(nil, aliases: ["a"])], by: fixture.phone)
        func served() async throws -> ModelReference { try await fixture.references(for: fixture.phone)[0] }
        var reference = try await served()
        #expect(reference.element == .init(nil, aliases: ["a"]) && reference.resolution?.step == .pending)
        try await fixture.register(Item("p1", aliases: ["a"]), on: fixture.phone)
        reference = try await served()
        #expect(reference.element == .init("p1", aliases: ["a"]) && reference.resolution?.step == .alias)
        try await fixture.register(Item("p2", aliases: ["a"]), on: fixture.phone)
        reference = try await served()
        #expect(reference.element == .init(nil, sharedAliases: ["a"]) && reference.resolution?.step == .unresolved)
        try await fixture.register(removals: ["p1", "p2"], on: fixture.phone)
        reference = try await served()
        #expect(reference.element == .init(nil, aliases: ["a"]) && reference.resolution?.step == .unresolved)
    }
}
