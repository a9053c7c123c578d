import PlacekeeperArchive
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
        #expect(served.element == .init(nil))
        #expect(served.resolution == .init(step: item == .live ? .pending : .unresolved, confidence: 0))
        let resolved = try await fixture.resolve("p1", of: fixture.phone, for: fixture.pad)
        #expect(resolved.step == (item == .live ? .pending : .unresolved))
    }
}
