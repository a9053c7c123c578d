import PlacekeeperCore
import PlacekeeperPostgresServer
import PlacekeeperService
import PlacekeeperStoreConformance
import Testing

@testable import PlacekeeperPostgres

@Suite(.enabled(if: PostgresServer.isNeeded, "PostgreSQL is not installed"))
struct PostgresStoreTests {
    @Test(arguments: StoreBehavior.all)
    func conformsToStoreBehavior(_ behavior: StoreBehavior) async throws {
        try await cluster().withStore { store in
            try await behavior.check(store)
            #expect(try cluster().findings(in: store.configuration.url) == [])
        }
    }

    /// A row that no program of Placekeeper writes.
    @Test(arguments: [
        "UPDATE users SET archives = -1", "UPDATE users SET created_at = 9223372036854775807",
        "UPDATE users SET revision = 9007199254740993", "UPDATE device SET last_seen_at = -9223372036854775807",
        "UPDATE users SET latest_time = 9223372036854775807",
        "UPDATE archive SET order_revision = -9223372036854775808", "UPDATE change SET at = 9223372036854775807",
    ])
    func worksForOtherUsersBesideADamagedOne(_ sql: String) async throws {
        try await cluster().withStore { store in
            let (damaged, other) = (
                Agreement.owner(), UserKey(app: Agreement.owner().app, user: UserID(high: 9, low: 9))
            )
            for (number, owner) in [damaged, other].enumerated() {
                let device = Device(
                    id: DeviceID(high: 0, low: UInt64(number + 1)), owner: owner, idiom: .phone,
                    createdAt: Timestamp(milliseconds: 1), lastSeenAt: Timestamp(milliseconds: 1))
                _ = try await store.register(
                    NewDevice(device, token: Digest(0, 0, 0, UInt64(number)), joins: .newUser))
                _ = try await store.put(archive(of: owner, UInt64(number)), retention: 3)
            }
            _ = try await store.write([Statement(sql + " WHERE owner = $1", .id(damaged.user))])
            let users = try await store.users(of: other.app, after: nil, limit: 1)
            #expect(users.count == 1)
            #expect(try await store.users(of: other.app, after: nil, limit: 9).contains { $0.user == other.user })
            #expect(try await store.facts(after: nil, limit: 9).contains { $0.owner == other })
            #expect(try await store.facts(after: nil, limit: 1).count == 1)
            _ = try await store.newestChanges(of: other.app, limit: 9)
            _ = try await store.externalInvalidations(following: [damaged, other, .everyone(of: other.app)])
            #expect(try await store.latestTime() != nil)
            try await store.prune(at: Timestamp(milliseconds: 400 * 86_400_000))
            guard case .created = try await store.put(archive(of: other, 5), retention: 3).value else {
                return #expect(Bool(false), "not created")
            }
        }
    }

    private func archive(of owner: UserKey, _ number: UInt64) -> NewArchive {
        NewArchive(
            id: ArchiveID(high: 0, low: number), scene: SceneKey(owner: owner, name: "main"),
            device: DeviceID(high: 0, low: 1), capturedAt: Timestamp(milliseconds: Int64(number)),
            receivedAt: Timestamp(milliseconds: Int64(number)), context: Context(idiom: .phone),
            digest: Digest(0, 0, 0, number), summary: Archive.Summary(place: []), bytes: [1])
    }
}
