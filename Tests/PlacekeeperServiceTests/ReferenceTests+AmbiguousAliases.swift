import PlacekeeperArchive
import PlacekeeperCore
import PlacekeeperMatching
import PlacekeeperService
import Testing

/// References to items whose aliases are all ambiguous.
extension ReferenceTests {
    /// The registration of the item on the source device.
    enum SourceItem: CaseIterable { case live, removed, never }

    /// Only the source device's registration shows that the item exists, because an ambiguous alias is no evidence.
    @Test(arguments: SourceItem.allCases, [[], ["a"]])
    func arePendingWithoutEvidenceOnlyIfSourceDeviceHasItem(_ item: SourceItem, _ aliases: [String]) async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(Item("q1", aliases: ["a"]), Item("q2", aliases: ["a"]), on: fixture.pad)
        // Another device's item is not found by an ambiguous alias.
        try await fixture.register(Item("r1", aliases: ["a"]), on: fixture.other)
        if item != .never { try await fixture.register(Item("p1", aliases: ["a"]), on: fixture.phone) }
        _ = try await fixture.upload([.to("p1", aliases: aliases)], by: fixture.phone)
        if item == .removed { try await fixture.register(removals: ["p1"], on: fixture.phone) }
        let served = try await fixture.references(for: fixture.pad)[0]
        #expect(served.element == .init(nil, sharedAliases: aliases.isEmpty ? nil : aliases))
        #expect(served.resolution == .init(step: item == .live ? .pending : .unresolved, confidence: 0))
        let resolved = try await fixture.resolve("p1", of: fixture.phone, for: fixture.pad)
        #expect(resolved.step == (item == .live ? .pending : .unresolved))
    }

    /// An ambiguous alias leads to no item, but helps the device to compare the lists.
    @Test func keepAmbiguousAliasesAsShared() async throws {
        let fixture = try await IdentityFixture()
        let aliases = ["t:Untitled", "server:1"]
        try await fixture.register(Item("p1", aliases: aliases), Item("p2", aliases: ["t:Untitled"]), on: fixture.phone)
        try await fixture.register(Item("q1", aliases: ["server:1"]), on: fixture.pad)
        var reference = ModelReference.to("p1", aliases: aliases)
        reference.after = [.init("p2", aliases: ["t:Untitled"], sharedAliases: ["t:Draft"])]
        _ = try await fixture.upload([reference], by: fixture.phone)
        let served = try await fixture.references(for: fixture.pad)[0]
        #expect(served.element == .init("q1", aliases: ["server:1"], sharedAliases: ["t:Untitled"]))
        #expect(served.after == [.init(nil, sharedAliases: ["t:Untitled", "t:Draft"])])
    }

    /// The saving device registers only what it refers to, so the service can't see that two of its rows have the alias.
    @Test func areNotFoundByAnAliasThatTheArchiveListsAsShared() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(Item("p1", aliases: ["t:Intro"]), Item("p2", aliases: ["t:Song"]), on: fixture.phone)
        try await fixture.register(Item("q1", aliases: ["t:Intro"]), Item("q2", aliases: ["t:Song"]), on: fixture.pad)
        var reference = ModelReference.to("p1", aliases: [])
        reference.element.sharedAliases = ["t:Intro"]
        var other = ModelReference.to("p2", aliases: ["t:Song"])
        other.before = [.init("p1", sharedAliases: ["t:Intro"])]
        _ = try await fixture.upload([reference, other], by: fixture.phone)
        let served = try await fixture.references(for: fixture.pad)
        #expect(served[0].element == .init(nil, sharedAliases: ["t:Intro"]))
        #expect(served[0].resolution?.step == .pending)
        #expect(served[1].element == .init("q2", aliases: ["t:Song"]))
        #expect(served[1].before == [.init(nil, sharedAliases: ["t:Intro"])])
    }

    @Test func haveNoAliasesIfAnOperatorDecided() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(Item("p1", aliases: ["t:Untitled"]), on: fixture.phone)
        try await fixture.register(Item("q1", aliases: ["t:Untitled"]), Item("q2"), on: fixture.pad)
        _ = try await fixture.upload([.to("p1", aliases: ["t:Untitled"])], by: fixture.phone)
        try await fixture.decide(.same, "p1", "q2")
        #expect(try await fixture.references(for: fixture.pad)[0].element == .init("q2"))
    }
}
