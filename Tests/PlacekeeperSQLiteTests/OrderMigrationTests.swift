import PlacekeeperService
import Testing

@testable import PlacekeeperSQLite

/// Checks that the eighth migration keeps the order of the stored archives.
struct OrderMigrationTests {
    /// Two devices. In one millisecond, each has captures that only the revision orders. The first device has a capture
    /// that a later one of it moved a millisecond down, and the second device has a glance at a capture of the first.
    private static let contents = """
        INSERT INTO app VALUES (1, zeroblob(16), 'com.example.photos', 'pk', 1, '{}', '{}');
        INSERT INTO user (id, app, uuid, revision) VALUES
            (1, x'00000000000000000000000000000001', x'00000000000000000000000000000001', 9);
        INSERT INTO device (id, uuid, user, token, idiom, created_at, last_seen_at) VALUES
            (1, x'00000000000000000000000000000001', 1, x'01', 0, 1, 1),
            (2, x'00000000000000000000000000000002', 1, x'02', 0, 1, 1);
        INSERT INTO scene (id, user, name) VALUES (1, 1, 'main');
        CREATE TEMP TABLE sample (id, device, time, written, sequence);
        INSERT INTO sample VALUES
            (1, 1, 100, 100, 1), (2, 2, 100, 100, NULL), (3, 1, 100, 100, 3), (4, 1, 200, 200, 5),
            (5, 1, 199, 300, 4), (6, 2, 199, 400, NULL), (7, 2, 50, 50, 7), (8, 2, 300, 300, 9);
        INSERT INTO content SELECT id, 0, CAST(char(id) AS BLOB) FROM sample;
        INSERT INTO archive (
            scene, captured_at, revision, uuid, content, device, written_at, received_at, sequence, idiom, digest, size,
            place, object_count, reference_count)
        SELECT 1, 1750000000000 + time, id, CAST(zeroblob(15) || char(id) AS BLOB), id,
            CAST(zeroblob(15) || char(device) AS BLOB), 1750000000000 + written, 1, sequence, 0, zeroblob(32), 1, '', 0, 0
        FROM sample;
        DROP TABLE sample;
        UPDATE user SET revision = 10;
        """

    private let directory: DataDirectory
    private let store: SQLiteStore

    init() async throws {
        directory = try DataDirectory()
        let connection = try Connection(path: directory.database)
        try connection.configureWriter(lockTimeout: .seconds(2))
        try Migrations.apply(to: connection, Array(Migrations.all.prefix(1)))
        try connection.execute(Self.contents)
        try Migrations.apply(to: connection, Array(Migrations.all.prefix(7)))
        // An administrator deleted the archives 2 and 8 before the migration.
        try connection.execute(
            """
            INSERT INTO deleted_archive (
                scene, uuid, deleted_at, captured_at, revision, content, device, written_at, received_at, sequence, idiom,
                digest, size, place, object_count, reference_count, has_snapshot, has_outcomes, is_servable)
            SELECT scene, uuid, 1750000000500, captured_at, revision, content, device, written_at, received_at, sequence,
                idiom, digest, size, place, object_count, reference_count, has_snapshot, has_outcomes, is_servable
            FROM archive WHERE revision IN (2, 8);
            DELETE FROM archive WHERE revision IN (2, 8);
            INSERT INTO tombstone SELECT scene, uuid, deleted_at FROM deleted_archive;
            """)
        store = try directory.open()
    }

    @Test func keepsTheOrderAndRecognizesGlances() async throws {
        let archives = try await store.history(of: scene(), below: nil, limit: 10).archives
        #expect(archives.map(\.id.low) == [4, 6, 5, 3, 1, 7])
        #expect(archives.map(\.isGlance) == [false, true, false, false, false, false])
        #expect(archives.map(\.sequence) == [5, nil, 4, 3, 1, 7])
        #expect(archives.map(\.orderRevision) == archives.map(\.revision))
    }

    @Test func undoesEarlierDeletionsAtTheirFormerPositions() async throws {
        for number in [2, 8] as [UInt64] {
            let undeletion = try await store.undelete(
                ArchiveID(high: 0, low: number), in: scene(), at: at(600), quotas: .none)
            #expect(undeletion.value == .restored)
        }
        let archives = try await store.history(of: scene(), below: nil, limit: 10).archives
        #expect(archives.map(\.id.low) == [8, 4, 6, 5, 3, 2, 1, 7])
        #expect(archives.map(\.sequence) == [9, 5, nil, 4, 3, nil, 1, 7])
    }

    @Test func placesALateCaptureBetweenStoredOnes() async throws {
        var late = sample(20)
        (late.device, late.sequence) = (DeviceID(high: 0, low: 1), 2)
        (late.capturedAt, late.receivedAt) = (at(100), at(700))
        _ = try await store.put(late, retention: 20)
        #expect(try await store.numbers() == [4, 6, 5, 3, 20, 1, 7])
    }
}
