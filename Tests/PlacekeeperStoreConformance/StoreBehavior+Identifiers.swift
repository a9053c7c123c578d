import PlacekeeperConcurrency
import PlacekeeperCore
import PlacekeeperMatching
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperService

extension StoreBehavior {
    /// Two canonically equivalent texts, in normalization forms C and D.
    private static let (composed, decomposed) = ("Fotos/\u{E9}.jpg", "Fotos/e\u{301}.jpg")

    static let identifiers = [
        StoreBehavior("keeps items apart whose identifiers differ only in their normalization form") {
            store async throws in
            let user = try await IdentifierUser(on: store)
            let items = [Item(composed, aliases: ["a"], position: 1), Item(decomposed, aliases: ["b"], position: 2)]
            let state = try await user.apply(ItemDelta(upserts: items), by: 0)
            var digest = ItemDigest()
            for item in items { digest.toggle(ItemDigest(of: item, SpreadingHash())) }
            #expect(state == RegistrationState(cursor: 1, digest: digest, count: 2))
            let stored = try await user.service.lists.items(
                of: "photos", behind: nil, limit: 9, for: user.principals[0])
            let expected = [bytes(composed), bytes(decomposed)]
            #expect(Set(stored.map { bytes($0.item.identifier) }) == Set(expected))
            _ = try await user.apply(
                ItemDelta(upserts: [Item("q1", aliases: ["a"]), Item("q2", aliases: ["b"])]), by: 1)
            #expect(try await user.resolve([composed, decomposed], of: 0, for: 1) == [bytes("q1"), bytes("q2")])
            #expect(try await user.resolve(["q1", "q2"], of: 1, for: 0) == expected)
        },
        StoreBehavior("removes and redirects only the item with these bytes as its identifier") { store async throws in
            let user = try await IdentifierUser(on: store)
            let items = [Item(composed, aliases: ["a"]), Item(decomposed, aliases: ["b"])]
            _ = try await user.apply(ItemDelta(upserts: items), by: 0)
            #expect(try await user.apply(ItemDelta(removals: [decomposed]), by: 0).count == 1)
            #expect(try await user.resolve([composed], of: 0, for: 0) == [bytes(composed)])
            _ = try await user.apply(ItemDelta(upserts: [items[1]]), by: 0)
            let redirect = ItemDelta(redirects: [.init(from: composed, to: decomposed)])
            #expect(try await user.apply(redirect, by: 0).count == 1)
            #expect(try await user.resolve([composed], of: 0, for: 0) == [bytes(decomposed)])
            _ = try await user.apply(ItemDelta(upserts: [Item("q1", aliases: ["b"])]), by: 1)
            #expect(try await user.resolve([composed], of: 0, for: 1) == [bytes("q1")])
        },
        StoreBehavior("keeps decisions about two normalization forms of an identifier apart") { store async throws in
            let user = try await IdentifierUser(on: store)
            _ = try await user.apply(ItemDelta(upserts: [Item(composed), Item(decomposed)]), by: 0)
            _ = try await user.apply(ItemDelta(upserts: [Item("q1"), Item("q2")]), by: 1)
            for (own, other) in [(composed, "q1"), (decomposed, "q2")] {
                try await user.service.lists.decide(
                    .same, user.name(own, of: 0), user.name(other, of: 1), note: "", in: user.list)
            }
            #expect(try await user.resolve([composed, decomposed], of: 0, for: 1) == [bytes("q1"), bytes("q2")])
            let isRemoved = try await user.service.lists.removeDecision(
                user.name(decomposed, of: 0), user.name("q2", of: 1), in: user.list)
            #expect(isRemoved)
            #expect(try await user.resolve([composed, decomposed], of: 0, for: 1) == [bytes("q1"), nil])
        },
        StoreBehavior("takes the normalization forms of an alias for one alias") { store async throws in
            let user = try await IdentifierUser(on: store)
            _ = try await user.apply(ItemDelta(upserts: [Item("p1", aliases: [composed])]), by: 0)
            _ = try await user.apply(ItemDelta(upserts: [Item("q1", aliases: [decomposed])]), by: 1)
            #expect(try await user.resolve(["p1"], of: 0, for: 1) == [bytes("q1")])
        },
    ]

    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
}

/// A user with two devices and a registered list.
private struct IdentifierUser {
    let service: RestorationService
    let list = ItemList(owner: user(1), dataSource: "photos")
    private(set) var principals: [Principal] = []

    init(on store: any Store) async throws {
        let clock = ManualClock()
        service = RestorationService(store: store, clock: clock, random: NoRandomness(), hashing: SpreadingHash())
        let app = App(
            id: list.owner.app, bundleIdentifier: "com.example.photos", publishableKey: "pk", createdAt: clock.now(),
            dataSources: [list.dataSource: DataSource(scope: .registered)])
        for number in 1...2 as ClosedRange<UInt64> {
            let joined = try await store.register(
                makeDevice(number), token: digest(number), linkCode: nil
            ).value
            principals.append(Principal(app: app, device: try #require(joined.device)))
        }
    }

    func apply(_ delta: ItemDelta, by device: Int) async throws -> RegistrationState {
        try await service.lists.apply(delta, to: list.dataSource, for: principals[device])
    }

    func name(_ identifier: String, of device: Int) -> ItemName {
        ItemName(device: principals[device].device.id, identifier: identifier)
    }

    /// Returns the bytes of the identifiers found.
    func resolve(_ identifiers: [String], of source: Int, for requestingDevice: Int) async throws -> [[UInt8]?] {
        try await service.lists.resolve(
            identifiers, of: principals[source].device.id, in: list.dataSource, for: principals[requestingDevice]
        ).map { $0.identifier.map { Array($0.utf8) } }
    }
}
