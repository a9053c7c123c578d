import PlacekeeperArchive
import PlacekeeperConcurrency
import PlacekeeperCore
import PlacekeeperMatching
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

/// Registrations of items.
@Suite struct RegistrationTests {
    @Test func ignoresRepeatedDelta() async throws {
        let fixture = try await IdentityFixture()
        let delta = ItemDelta(upserts: [Item("p1", aliases: ["a"], position: 3)], removals: ["p9"], after: 0)
        let first = try await fixture.service.lists.apply(delta, to: IdentityFixture.list, for: fixture.phone)
        #expect(first.cursor == 1 && first.count == 1)
        // A device repeats a delta if the answer was lost.
        #expect(try await fixture.service.lists.apply(delta, to: IdentityFixture.list, for: fixture.phone) == first)
        #expect(try await fixture.service.lists.registration(of: IdentityFixture.list, for: fixture.phone) == first)
    }

    /// A repeated delta may be older than the device's last one. The answer is the present state, not the former
    /// answer.
    @Test func answersAnOldDeltaWithThePresentState() async throws {
        let fixture = try await IdentityFixture()
        let delta = ItemDelta(upserts: [Item("p1", aliases: ["a"])], after: 0)
        _ = try await fixture.service.lists.apply(delta, to: IdentityFixture.list, for: fixture.phone)
        try await fixture.register(Item("p2"), on: fixture.phone)
        let repeated = try await fixture.service.lists.apply(delta, to: IdentityFixture.list, for: fixture.phone)
        #expect(repeated.cursor == 2 && repeated.count == 2)
        #expect(try await fixture.service.lists.registration(of: IdentityFixture.list, for: fixture.phone) == repeated)
    }

    @Test func rejectsDeltaWithStaleCursor() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(Item("p1"), on: fixture.phone)
        let delta = ItemDelta(upserts: [Item("p2")], after: 0)
        let refusal = await #expect(throws: ServiceError.self) {
            try await fixture.service.lists.apply(delta, to: IdentityFixture.list, for: fixture.phone)
        }
        #expect(refusal?.code == .cursorStale)
        #expect(refusal?.details["cursor"] == "1")
    }

    /// The same items have the same digest, regardless of the deltas that registered them.
    @Test func hasSameDigestForSameItems() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(Item("p1", aliases: ["a"], position: 1), Item("p2"), Item("p3"), on: fixture.phone)
        try await fixture.register(removals: ["p3"], on: fixture.phone)
        try await fixture.register(Item("p2", aliases: ["b", "c"]), on: fixture.phone)
        try await fixture.register(Item("p2", aliases: ["c", "b"]), on: fixture.pad)
        try await fixture.register(Item("p1", aliases: ["a"], position: 1), on: fixture.pad)
        let one = try await fixture.service.lists.registration(of: IdentityFixture.list, for: fixture.phone)
        let other = try await fixture.service.lists.registration(of: IdentityFixture.list, for: fixture.pad)
        #expect(one.digest == other.digest)
        #expect(one.cursor == 3 && other.cursor == 2)
        try await fixture.register(Item("p1", aliases: ["a"], position: 2), on: fixture.pad)
        #expect(
            try await fixture.service.lists.registration(of: IdentityFixture.list, for: fixture.pad).digest
                != one.digest)
        try await fixture.register(removals: ["p1", "p2"], on: fixture.pad)
        #expect(
            try await fixture.service.lists.registration(of: IdentityFixture.list, for: fixture.pad).digest
                == ItemDigest())
    }

    @Test func listsItemsInPages() async throws {
        let fixture = try await IdentityFixture()
        for number in 0..<7 { try await fixture.register(Item("p\(number)", aliases: ["a"]), on: fixture.phone) }
        try await fixture.register(removals: ["p3"], on: fixture.phone)
        var found: Set<String> = []
        var position: LookupKey?
        repeat {
            let page = try await fixture.service.lists.items(
                of: IdentityFixture.list, behind: position, limit: 3, for: fixture.phone)
            found.formUnion(page.map(\.item.identifier))
            position = page.last?.position
        } while position != nil
        #expect(found == ["p0", "p1", "p2", "p4", "p5", "p6"])
    }
}
