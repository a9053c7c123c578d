import Glibc
import PlacekeeperCore
import PlacekeeperService
import Testing

@testable import PlacekeeperSQLite

/// Checks that today's store reads and continues the databases of earlier schema versions.
struct DatabaseFixtureTests {
    /// The lookup secret of every fixture. A new database has a random secret, so the test that writes a fixture sets
    /// this secret.
    private static let secret = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"

    @Test(arguments: DatabaseFixture.all)
    func keepsContentsOfEarlierSchemaVersion(_ fixture: DatabaseFixture) async throws {
        let (directory, newDirectory) = (try DataDirectory(), try DataDirectory())
        let migrated = try fixture.open(in: directory)
        let new = try DatabaseFixture.store(in: newDirectory.path)
        try await SampleContents.fill(new)
        #expect(try await migrated.findings().isEmpty)
        #expect(try await migrated.lookupSecret() == Array(0..<32))
        #expect(!directory.names.contains { $0.contains("segment") })
        try await expectSameContents(migrated, new)
        try await expectLatestTimes(of: migrated, new)
        // The results of these writes depend on facts that no read returns.
        let results = try await SampleContents.continueWriting(in: migrated)
        #expect(try await results == SampleContents.continueWriting(in: new))
        try await expectSameContents(migrated, new)
        #expect(try await migrated.findings().isEmpty)
        await migrated.close()
        await new.close()
    }

    private func expectLatestTimes(of migrated: SQLiteStore, _ new: SQLiteStore) async throws {
        for number in 1...2 as ClosedRange<UInt64> {
            #expect(try await migrated.latestTime(of: owner(number)) == new.latestTime(of: owner(number)))
        }
    }

    @Test(arguments: DatabaseFixture.all)
    func acceptsABackupOfAnEarlierSchemaVersion(_ fixture: DatabaseFixture) throws {
        let directory = try DataDirectory()
        try fixture.write(in: directory)
        #expect(try Backup.verify(directory.database).schemaVersion == fixture.schemaVersion)
    }

    /// The file of a data directory, or a backup of the directory that is made before the database is migrated.
    @Test(arguments: DatabaseFixture.all, [false, true])
    func restoresADatabaseOfAnEarlierSchemaVersion(_ fixture: DatabaseFixture, isBackup: Bool) async throws {
        let (old, target, expected) = (try DataDirectory(), try DataDirectory(), try DataDirectory())
        try fixture.write(in: old)
        var file = old.database
        if isBackup {
            file = old.path + "/../\(getpid())-\(fixture.schemaVersion).backup"
            _ = try Backup.create(from: old.path, to: file, replaces: false)
        }
        let prepared = try Backup.prepare(file, in: target.path, replaces: false)
        if isBackup { unlink(file) }
        _ = try Backup.install(prepared)
        #expect(target.names == [SQLiteStore.fileName])
        let (restored, new) = (
            try DatabaseFixture.store(in: target.path), try DatabaseFixture.store(in: expected.path)
        )
        try await SampleContents.fill(new)
        try await expectSameContents(restored, new)
        #expect(try await restored.findings().isEmpty)
        await restored.close()
        await new.close()
    }

    /// 0.1.0 kept larger archives in a file beside the database.
    @Test func keepsOtherArchivesIfBytesAreMissingFromASegment() async throws {
        let (directory, fixture) = (try DataDirectory(), DatabaseFixture(schemaVersion: Migrations.oldest))
        try fixture.write(in: directory)
        try #require(truncate(directory.database + "-segment-1", 20_480 + 17_999) == 0)
        let store = try DatabaseFixture.store(in: directory.path)
        var (whole, damaged) = (0, 0)
        for archive in try await store.history(of: scene(), below: nil, limit: 100).archives where archive.size > 8 {
            do {
                #expect(try await store.bytes(of: archive)?.count == archive.size)
                whole += 1
            } catch {
                #expect(error.code == .corrupt)
                damaged += 1
            }
        }
        #expect(whole > 0 && damaged > 0)
    }

    /// A release has a fixture of its schema version. Until then, the version may still change.
    @Test func hasAFixtureOfEachReleasedSchemaVersion() {
        #expect(DatabaseFixture.all.map(\.schemaVersion) == Array(Migrations.oldest..<Migrations.current))
    }

    @Test func refusesADatabaseOfABuildBeforeTheFirstRelease() throws {
        let directory = try DataDirectory()
        let connection = try Connection(path: directory.database)
        try connection.execute("PRAGMA user_version = 8")
        let failure = #expect(throws: StoreError.self) { try directory.open() }
        #expect(failure?.code == .corrupt)
    }

    /// Writes a database for `scripts/database-fixture`, which sets the environment variable to the path of an empty
    /// directory.
    @Test(.enabled(if: getenv("PLACEKEEPER_DATABASE_FIXTURE") != nil))
    func writesDatabaseForFixture() async throws {
        let path = String(cString: try #require(getenv("PLACEKEEPER_DATABASE_FIXTURE")))
        let store = try DatabaseFixture.store(in: path)
        try await SampleContents.fill(store)
        try await store.writer.write { transaction throws(StoreError) in
            try transaction.connection.execute("UPDATE store SET lookup_secret = x'\(Self.secret)'")
        }
        await store.close()
    }

    private func expectSameContents(
        _ one: SQLiteStore, _ other: SQLiteStore
    ) async throws {
        let parts = try await SampleContents.parts(of: one)
        let expected = try await SampleContents.parts(of: other)
        #expect(parts.keys.sorted() == expected.keys.sorted())
        for (name, part) in parts { #expect(part == expected[name], "\(name)") }
    }
}
