import Glibc
import PlacekeeperCore
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperSQLite

@Suite(.timeLimit(.minutes(20)))
struct BackupTests {
    private let directory: DataDirectory
    private let other: DataDirectory

    init() throws {
        directory = try DataDirectory()
        other = try DataDirectory()
    }

    private var file: String { other.path + "/backup.sqlite" }

    /// A service on a store, with an erasure log in the directory.
    private func service(_ store: SQLiteStore, log: DataDirectory) -> RestorationService {
        let clock = ManualClock(at(1_000_000))
        return RestorationService(
            store: store, clock: clock, random: FixedRandom(), hashing: SpreadingHash(),
            erasures: ErasureFile(directory: log.path))
    }

    private struct FixedRandom: RandomSource {
        func bytes(_ count: Int) -> [UInt8] { Array(repeating: 7, count: count) }
    }

    @Test func hasEveryWriteThatWasAcknowledgedBeforeItsStart() async throws {
        let store = try directory.open()
        let body = (0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        for number in 1...100 as ClosedRange<UInt64> {
            _ = try await store.put(sample(number, bytes: body), retention: 10_000)
        }
        let writing = Task {
            var number: UInt64 = 101
            while !Task.isCancelled {
                _ = try await store.put(sample(number, bytes: body), retention: 10_000)
                number += 1
            }
        }
        for round in 1...3 {
            let before = try await store.numbers().count
            let contents = try Backup.create(from: directory.path, to: file, replaces: round > 1)
            #expect(
                contents.archives >= before && contents.users == 1 && contents.schemaVersion == Migrations.current)
            #expect(try Backup.verify(file) == contents)
        }
        writing.cancel()
        _ = await writing.result
        #expect(other.names == ["backup.sqlite"])
        var status = stat()
        #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(try await store.findings().isEmpty)
    }

    @Test func refusesAnExistingFileAndAnotherBackupToTheSameFile() async throws {
        let store = try directory.open()
        try await Planted.fill(store, 1)
        let first = try Backup.create(from: directory.path, to: file, replaces: false)
        try expect(.exists) { _ = try Backup.create(from: directory.path, to: file, replaces: false) }
        #expect(try Backup.verify(file) == first)
        do {
            let partial = try File(file + ".partial", O_RDWR | O_CREAT)
            try partial.lock(LOCK_EX)
            try expect(.unavailable) { _ = try Backup.create(from: directory.path, to: file, replaces: true) }
        }
        // A process that was killed left this file.
        #expect(try Backup.create(from: directory.path, to: file, replaces: true) == first)
        #expect(other.names == ["backup.sqlite"])
    }

    @Test func refusesADamagedDatabaseAndAForeignFile() async throws {
        let store = try directory.open()
        try await Planted.fill(store, 1, archives: 300)
        _ = try Backup.create(from: directory.path, to: file, replaces: false)
        let bytes = try File(file, O_RDONLY).size()
        do {
            let damaged = open(file, O_WRONLY)
            defer { close(damaged) }
            let junk = [UInt8](repeating: 0xFF, count: 16)
            let pages = bytes / Connection.pageSize
            // Overwrites the beginning of many pages.
            for page in stride(from: pages / 2, to: pages, by: 3) {
                _ = pwrite(damaged, junk, junk.count, off_t(page * Connection.pageSize))
            }
        }
        try expect(.corrupt) { _ = try Backup.verify(file) }
        try expect(.corrupt) { _ = try Backup.prepare(file, in: directory.path, replaces: true) }
        #expect(!directory.names.contains("restore.partial"))
        do {
            let foreign = try Connection(path: other.path + "/foreign.sqlite")
            try foreign.execute("CREATE TABLE user (id)")
        }
        try expect(.corrupt) { _ = try Backup.verify(other.path + "/foreign.sqlite") }
        #expect(try await store.numbers(in: SceneKey(owner: owner(1), name: Planted.mark(1) + "scene0")).count == 100)
    }

    @Test func erasesUsersOfTheLogBeforeAnOlderBackupIsInstalled() async throws {
        do {
            let store = try directory.open()
            for number in 1...3 as ClosedRange<UInt64> { try await Planted.fill(store, number) }
            _ = try Backup.create(from: directory.path, to: file, replaces: false)
            #expect(try await service(store, log: directory).accounts.erase(owner(1)))
            // In the backup, the subject of user 1 belongs to user 2.
            await store.close()
        }
        do {
            let connection = try Connection(path: file)
            try connection.execute(
                """
                UPDATE user SET subject_digest = NULL WHERE uuid = x'00000000000000000000000000000001';
                UPDATE user SET subject_digest = x'\(String(repeating: "0", count: 15))7\(String(repeating: "0", count: 47))1'
                WHERE uuid = x'00000000000000000000000000000002';
                """)
        }
        let prepared = try Backup.prepare(file, in: directory.path, replaces: true)
        try await eraseUsers(of: prepared)
        let contents = try Backup.install(prepared)
        #expect(contents.users == 1)
        #expect(directory.names == [ErasureFile.fileName, SQLiteStore.fileName])
        #expect(try directory.files(with: Planted.mark(1)) == [])
        #expect(try directory.files(with: Planted.mark(2)) == [])
        #expect(try directory.files(with: Planted.mark(3)) == [SQLiteStore.fileName])
        let store = try directory.open()
        #expect(try await store.facts(after: nil, limit: 10).map(\.owner) == [owner(3)])
        #expect(try await store.findings().isEmpty)
    }

    private func eraseUsers(of prepared: Backup.Prepared) async throws {
        let copy = try SQLiteStore(directory: prepared.directory, compression: RunLength())
        #expect(try await service(copy, log: directory).accounts.resumeErasures() == 2)
        await copy.close()
    }

    @Test func keepsAUserWhoseSubjectCameBackAfterTheErasure() async throws {
        let store = try directory.open()
        try await Planted.fill(store, 1)
        let service = service(store, log: directory)
        _ = try await service.accounts.erase(owner(1))
        _ = try await store.register(sampleDevice(9, of: owner(2)), token: Digest(5, 5, 5, 5), linkCode: nil)
        try await store.setSubject([1], Digest(7, 0, 0, 1), of: owner(2), createdAt: at(1_000_000))
        #expect(try await service.accounts.resumeErasures() == 0)
        try await store.setSubject([1], Digest(7, 0, 0, 1), of: owner(2), createdAt: at(999_999))
        #expect(try await service.accounts.resumeErasures() == 1)
    }

    @Test func leavesRemainsOfDeletedRowsOutOfTheCopy() async throws {
        let store = try directory.open()
        try await Planted.fill(store, 1)
        try await Planted.fill(store, 2)
        _ = try await store.erase(owner(1))
        _ = try Backup.create(from: directory.path, to: file, replaces: false)
        #expect(try other.files(with: Planted.mark(1)) == [])
        #expect(try other.files(with: Planted.mark(2)) == ["backup.sqlite"])
    }

    /// Bytes of the first size are compressed, and bytes of the second size are not.
    @Test(arguments: [90_000, 9]) func findsTheArchiveWhoseBytesWereChanged(size: Int) async throws {
        let bytes = [UInt8](repeating: 5, count: size)
        let check = ArchiveCheck(compression: RunLength(), hashing: SpreadingHash())
        let store = try directory.open()
        for number in 1...3 as ClosedRange<UInt64> {
            var archive = sample(number, bytes: bytes)
            archive.digest = SpreadingHash().sha256(bytes)
            _ = try await store.put(archive, retention: 10)
        }
        let whole = try Backup.create(from: directory.path, to: file, replaces: false, checking: check)
        #expect(whole.damagedArchives.isEmpty && whole.archives == 3)
        await store.close()
        do {
            let connection = try Connection(path: directory.database)
            let second = "(SELECT content FROM archive ORDER BY revision LIMIT 1 OFFSET 1)"
            try connection.execute(
                "UPDATE content SET bytes = CAST(x'07' || substr(bytes, 2) AS BLOB) WHERE id = \(second)")
        }
        let damaged = [DamagedArchive(id: ArchiveID(high: 0, low: 2), scene: scene())]
        // The file has undamaged archives, so a damaged copy does not replace it.
        try expect(.corrupt) {
            _ = try Backup.create(from: directory.path, to: file, replaces: true, checking: check)
        }
        #expect(try Backup.verify(file, checking: check) == whole)
        let other = file + ".other"
        let made = try Backup.create(from: directory.path, to: other, replaces: false, checking: check)
        #expect(made.damagedArchives == damaged)
        let prepared = try Backup.prepare(other, in: directory.path, replaces: true, checking: check)
        #expect(prepared.damagedArchives == damaged)
        Backup.discard(prepared)
    }

    @Test(arguments: [
        "ALTER TABLE counter RENAME TO other; CREATE VIEW counter AS SELECT * FROM other", "DROP TABLE counter",
        "ALTER TABLE counter ADD COLUMN more INTEGER NOT NULL DEFAULT 0", "DROP INDEX device_by_user",
        "CREATE UNIQUE INDEX one ON user (app)", "ALTER TABLE user RENAME COLUMN revision TO number",
    ])
    func refusesABackupWithoutTheTablesOfItsVersion(sql: String) async throws {
        await (try directory.open()).close()
        _ = try Backup.create(from: directory.path, to: file, replaces: false)
        try Connection(path: file).execute(sql)
        try expect(.corrupt) { _ = try Backup.verify(file) }
        try expect(.corrupt) { _ = try Backup.prepare(file, in: directory.path, replaces: true) }
        #expect(!directory.names.contains("restore.partial"))
    }

    @Test func acceptsTablesAndViewsThatAnOperatorAdded() async throws {
        await (try directory.open()).close()
        try Connection(path: directory.database).execute(
            "CREATE TABLE report (a); CREATE VIEW users AS SELECT count(*) FROM user")
        _ = try Backup.create(from: directory.path, to: file, replaces: false)
        Backup.discard(try Backup.prepare(file, in: directory.path, replaces: true))
    }

    @Test func replacesOnlyABackup() async throws {
        let store = try directory.open()
        try await Planted.fill(store, 1)
        let (copy, used) = (other.path + "/copy", other.path + "/used")
        try File(other.path + "/empty", O_RDWR | O_CREAT).write([])
        try File(other.path + "/text", O_RDWR | O_CREAT).write(Array("a text".utf8))
        try Connection(path: other.path + "/sqlite").execute("CREATE TABLE song (title TEXT)")
        do {
            // A database with a write-ahead log is one that a service has used.
            let connection = try Connection(path: used)
            try connection.configureWriter(lockTimeout: .seconds(1))
            try Migrations.apply(to: connection)
        }
        for name in ["empty", "text", "sqlite", "used"] {
            let path = other.path + "/" + name
            let before = try File(path, O_RDONLY).read(at: 0, count: 1 << 20)
            try expect(.corrupt) { _ = try Backup.create(from: directory.path, to: path, replaces: true) }
            #expect(try File(path, O_RDONLY).read(at: 0, count: 1 << 20) == before)
        }
        #expect(other.names == ["empty", "sqlite", "text", "used"])
        // SQLite would take the log for the log of the backup.
        try File(copy + "-wal", O_RDWR | O_CREAT).write([1])
        try expect(.corrupt) { _ = try Backup.create(from: directory.path, to: copy, replaces: false) }
    }

    @Test func writesNoBackupIntoADataDirectory() async throws {
        let store = try directory.open()
        try await Planted.fill(store, 1)
        await (try other.open()).close()
        let names = (directory.names, other.names)
        for path in ["/placekeeper.sqlite", "/erasures.log", "/new"] {
            for directory in [directory, other] {
                try expect(.corrupt) {
                    _ = try Backup.create(from: self.directory.path, to: directory.path + path, replaces: true)
                }
            }
        }
        #expect(directory.names == names.0 && other.names == names.1)
    }

    @Test func keepsADatabaseThatWasMadeDuringTheRestore() async throws {
        await (try directory.open()).close()
        _ = try Backup.create(from: directory.path, to: file, replaces: false)
        let target = try DataDirectory()
        let prepared = try Backup.prepare(file, in: target.path, replaces: false)
        let store = try target.open()
        try await Planted.fill(store, 1)
        try expect(.exists) { _ = try Backup.install(prepared) }
        Backup.discard(prepared)
        #expect(!target.names.contains("restore.partial"))
        #expect(try await store.facts(after: nil, limit: 10).map(\.owner) == [owner(1)])
    }

    @Test func deletesNothingThroughALink() throws {
        for name in [PartialDatabases.ofRestore, PartialDatabases.ofTransfer] {
            try #require(symlink(other.path, directory.path + "/" + name) == 0)
        }
        _ = try File(other.path + "/kept", O_RDWR | O_CREAT)
        PartialDatabases.delete(in: directory.path)
        try expect(.unavailable) { try PartialDatabases.make(directory.path + "/" + PartialDatabases.ofRestore) }
        #expect(other.names == ["kept"])
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
    func givesTheDatabaseToTheOwnerOfTheDirectory() async throws {
        await (try directory.open()).close()
        _ = try Backup.create(from: directory.path, to: file, replaces: false)
        try #require(chown(directory.path, 65_534, 65_534) == 0)
        _ = try Backup.install(try Backup.prepare(file, in: directory.path, replaces: true))
        var status = stat()
        #expect(stat(directory.database, &status) == 0 && status.st_uid == 65_534)
    }

    private func expect(_ code: StoreError.Code, _ body: () throws -> Void) throws {
        do {
            try body()
            Issue.record("The call succeeded.")
        } catch let error as StoreError {
            #expect(error.code == code, "\(error)")
        }
    }
}
