import PlacekeeperConcurrency
@testable import PlacekeeperCore
@testable import PlacekeeperMatching
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperService
@testable import PlacekeeperSQLite

struct PruneTests {
    @Test func stopsCanceledPruneBetweenStepsAndContinuesNextTime() async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        _ = try await store.put(sample(1), retention: 20)
        _ = try await store.forget(scene(), at: at(2))
        // Inserts more tombstones than one step deletes.
        try await store.writer.write { transaction throws(StoreError) in
            try transaction.connection.execute(
                """
                WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 2500)
                INSERT INTO tombstone SELECT scene, CAST(printf('%016d', n) AS BLOB), deleted_at FROM tombstone, number;
                """)
        }
        let gate = await Gate(closing: store)
        let prune = Task { try await store.prune(at: at(31 * 86_400_000)) }
        while store.writer.waitingWrites == 0 { await Task.yield() }
        prune.cancel()
        gate.open()
        try await prune.value
        #expect(try count("tombstone", in: store) == 2501)
        #expect(try count("change", in: store) == 2)

        try await store.prune(at: at(31 * 86_400_000))
        #expect(try count("tombstone", in: store) == 0)
        // The newest change stays.
        #expect(try count("change", in: store) == 1)
    }

    /// A response that was made from deleted items must not be served after their deletion, even if pruning takes
    /// long.
    @Test func raisesTheVersionWithEachStepThatDeletesItems() async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        let device = sampleDevice()
        _ = try await store.register(device, token: Digest(0, 0, 0, 1), linkCode: nil)
        var delta = sampleDelta()
        delta.upserts = (0..<2500).map { number in
            .init(
                key: LookupKey(rawValue: number), aliases: [], position: nil, texts: [1], digest: ItemDigest())
        }
        let list = ItemList(owner: owner(), dataSource: "photos")
        _ = try await store.apply(delta, to: list, of: device.id, limit: 10_000)
        delta.removals = delta.upserts.map(\.key)
        delta.upserts = []
        _ = try await store.apply(delta, to: list, of: device.id, limit: 10_000)
        let other = try await store.userVersion(of: owner(2))
        let before = try await store.userVersion(of: owner())
        try await store.prune(at: at(31 * 86_400_000))
        #expect(try count("item", in: store) == 0)
        #expect(try await store.userVersion(of: owner()).version >= before.version + 5)
        #expect(try await store.userVersion(of: owner(2)) == other)
    }

    @Test func deletesEmptySceneWithItsLastChange() async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        let device = sampleDevice(of: owner(2))
        _ = try await store.register(device, token: Digest(0, 0, 0, 1), linkCode: nil)
        _ = try await store.register(sampleDevice(3), token: Digest(0, 0, 0, 3), linkCode: nil)
        try await store.create(LinkCode(digest: Digest(0, 0, 0, 2), owner: owner(1), expiresAt: at(1000)))
        // Inserts more scenes than one step deletes. None of these scenes ever had an archive.
        for number in 1...2500 { _ = try await store.forget(scene("name-\(number)"), at: at(1)) }
        for (number, name) in [(1, "kept"), (2, "emptied"), (3, "begun anew"), (4, "thinned"), (5, "thinned")]
            as [(UInt64, String)]
        {
            _ = try await store.put(sample(number, in: scene(name)), retention: 20)
        }
        _ = try await store.put(sample(6, in: scene("moved", of: 2)), retention: 20)
        #expect(try await store.delete(ArchiveID(high: 0, low: 2), in: scene("emptied"), at: at(10)).value)
        #expect(try await store.delete(ArchiveID(high: 0, low: 4), in: scene("thinned"), at: at(10)).value)
        _ = try await store.forget(scene("begun anew"), at: at(10))
        _ = try await store.put(sample(20, in: scene("begun anew")), retention: 20)
        #expect(
            try await store.move(
                device.id, of: owner(2), linkCode: Digest(0, 0, 0, 2), at: at(30), retention: 20
            ).value.device != nil)
        #expect(try count("scene", in: store) == 2506)

        let month: Int64 = 30 * 86_400_000
        _ = try await store.put(sample(UInt64(month), in: scene("kept")), retention: 20)
        try await store.prune(at: at(month + 1))
        #expect(try count("scene", in: store) == 2506)
        #expect(try await store.findings().isEmpty)

        try await store.prune(at: at(month + 31))
        #expect(try names(in: store) == ["begun anew", "kept", "moved", "thinned"])
        #expect(try await store.findings().isEmpty)

        // A scene that was skipped is deleted after its next removal.
        _ = try await store.forget(scene("thinned"), at: at(month + 40))
        _ = try await store.forget(scene("kept"), at: at(month + 40))
        _ = try await store.put(sample(30, in: scene("moved")), retention: 20)
        _ = try await store.forget(scene("moved"), at: at(2 * month + 40))
        try await store.prune(at: at(2 * month + 41))
        #expect(try names(in: store) == ["begun anew", "moved"])
        #expect(try await store.findings().isEmpty)
    }

    /// Reading all archives of a user takes time. Other writes continue meanwhile.
    @Test func findsUnneededRegistrationsBesideTheWriter() async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        _ = try await store.put(sample(1), retention: 20)
        // Inserts more registrations than one step reads. The first registration belongs to the device that uploaded
        // the archive.
        try await store.writer.write { transaction throws(StoreError) in
            try transaction.connection.execute(
                """
                WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 1500)
                INSERT INTO registry (user, data_source, device, digest)
                SELECT user, 'photos', CASE n WHEN 1 THEN device ELSE randomblob(16) END, zeroblob(16)
                FROM number, archive JOIN scene ON archive.scene = scene.id;
                """)
        }
        let gate = await Gate(closing: store)
        let found = try store.registriesOfMissingDevices(above: 0)
        let user = try #require(found.registries.keys.first)
        #expect(found.registries[user]?.count == 1000 && found.last == 1000)
        #expect(try store.devicesWithArchives(of: user).count == 1)
        gate.open()
        try await store.prune(at: at(2))
        #expect(try count("registry", in: store) == 1)
    }

    private func names(in store: SQLiteStore) throws -> [String] {
        try store.readers.read { connection throws(StoreError) in
            try connection.values("SELECT name FROM scene ORDER BY name")
        }
    }

    private func count(_ table: String, in store: SQLiteStore) throws -> Int {
        try store.readers.read { connection throws(StoreError) in
            Int(try connection.value("SELECT count(*) FROM \(table)") ?? "") ?? -1
        }
    }
}
