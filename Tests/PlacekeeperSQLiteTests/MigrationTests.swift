import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperService
@testable import PlacekeeperSQLite

/// Checks that a migration to the next schema version keeps the database's contents.
struct MigrationTests {
    /// Two devices, one of which was served two archives, a third device that was revoked, outcomes, and
    /// registrations.
    private static let contents = """
        INSERT INTO app VALUES (1, zeroblob(16), 'com.example.photos', 'pk', 1, '{}', '{}');
        INSERT INTO user (id, app, uuid, revision) VALUES
            (1, x'00000000000000000000000000000001', x'00000000000000000000000000000001', 9);
        INSERT INTO device (id, uuid, user, token, idiom, created_at, last_seen_at) VALUES
            (1, x'00000000000000000000000000000001', 1, CAST(zeroblob(31) || char(1) AS BLOB), 0, 1, 1),
            (2, x'00000000000000000000000000000002', 1, CAST(zeroblob(31) || char(2) AS BLOB), 0, 1, 1);
        INSERT INTO scene (id, user, name) VALUES (1, 1, 'main');
        INSERT INTO content VALUES (1, 0, x'01'), (2, 0, x'02'), (3, 0, x'03'), (4, 0, x'04');
        INSERT INTO archive (
            scene, captured_at, revision, uuid, content, device, written_at, received_at, idiom, digest, size, place,
            object_count, reference_count, has_outcomes)
        SELECT 1, 1750000000000 + id, id, CAST(zeroblob(15) || char(id) AS BLOB), id,
            x'00000000000000000000000000000001', 1, 1, 0, zeroblob(32), 1, '', 0, 0, id = 3
        FROM content;
        INSERT INTO outcome VALUES (3, 1, x'00000000000000000000000000000001', 'crashed', 0, NULL, NULL, NULL, NULL, 5);
        INSERT INTO served VALUES
            (1, x'00000000000000000000000000000002', 10), (2, x'00000000000000000000000000000002', 20),
            (3, x'00000000000000000000000000000003', 30);
        INSERT INTO registry (id, user, data_source, device, digest) VALUES
            (7, 1, 'photos', x'00000000000000000000000000000001', zeroblob(16));
        UPDATE store SET latest_time = 1750000000999;
        """

    private let directory: DataDirectory
    private let store: SQLiteStore

    init() throws {
        directory = try DataDirectory()
        let connection = try Connection(path: directory.database)
        try connection.configureWriter(lockTimeout: .seconds(2))
        try Migrations.apply(to: connection, Array(Migrations.all.prefix(1)))
        try connection.execute(Self.contents)
        store = try directory.open()
    }

    @Test func keepsRowsAndReferences() async throws {
        #expect(try await store.findings().isEmpty)
        #expect(try await store.numbers() == [4, 3, 2, 1])
        #expect(try await store.devices(of: owner()).count == 2)
    }

    @Test func retainsTheSameArchivesAsBefore() async throws {
        let outcome = Outcome(
            archive: ArchiveID(high: 0, low: 4), device: DeviceID(high: 0, low: 1), result: .crashed,
            context: Context(idiom: .phone), reportedAt: at(50))
        #expect(try await store.report(outcome, in: scene()).value == .recorded)
        var new = sample(100)
        new.device = DeviceID(high: 0, low: 2)
        _ = try await store.put(new, retention: 1)
        // The store keeps archive 100, which is the head, and archive 4, which is the first device's newest archive and
        // crashed. It also keeps archive 2, which is this device's newest archive that did not crash. The second device
        // was served archive 2 last. The store removes archive 1, which the second device was served before.
        #expect(try await store.numbers() == [100, 4, 2])
        _ = try await store.revoke(DeviceID(high: 0, low: 1), of: owner(), at: at(200))
        new = sample(101)
        new.device = DeviceID(high: 0, low: 2)
        _ = try await store.put(new, retention: 1)
        #expect(try await store.numbers() == [101, 2])
        #expect(try await store.findings().isEmpty)
    }

    @Test func givesEveryUserTheLatestTimeOfTheDatabase() async throws {
        #expect(try await store.latestTime(of: owner()) == at(999))
        #expect(try await store.latestTime(of: owner(2)) == nil)
        _ = try await store.put(sample(100), retention: 20)
        #expect(try await store.latestTime(of: owner()) == at(999))
    }

    @Test func numbersRegistrationsAfterExistingOnes() async throws {
        func numbers() throws -> [String] {
            try store.readers.read { connection throws(StoreError) in
                try connection.values("SELECT id FROM registry ORDER BY id")
            }
        }
        let list = ItemList(owner: owner(), dataSource: "photos")
        let item = PreparedDelta.Upsert(
            key: LookupKey(rawValue: 1), aliases: [], position: nil, texts: [1], digest: ItemDigest())
        _ = try await store.apply(sampleDelta([item]), to: list, of: DeviceID(high: 0, low: 2), limit: 10)
        #expect(try numbers() == ["7", "8"])
        // The number of a deleted registration is not assigned again.
        _ = try await store.revoke(DeviceID(high: 0, low: 2), of: owner(), at: at(1))
        try await store.prune(at: at(2))
        #expect(try numbers() == ["7"])
        _ = try await store.register(sampleDevice(5), token: Digest(0, 0, 0, 9), linkCode: nil)
        _ = try await store.apply(sampleDelta([item]), to: list, of: sampleDevice(5).id, limit: 10)
        #expect(try numbers() == ["7", "9"])
    }
}
