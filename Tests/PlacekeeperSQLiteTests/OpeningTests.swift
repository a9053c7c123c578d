import Glibc
import PlacekeeperCore
import PlacekeeperService
import Testing

@testable import PlacekeeperSQLite

struct OpeningTests {
    @Test func createsFilesForTheirOwnerOnly() async throws {
        let directory = try DataDirectory()
        let inner = directory.path + "/data"
        let store = try SQLiteStore(directory: inner, compression: RunLength())
        _ = try await store.put(sample(1), retention: 20)
        #expect(mode(of: inner) == 0o700)
        for name in ["", "-wal", "-shm"] {
            let path = inner + "/" + SQLiteStore.fileName + name
            #expect(mode(of: path) == 0o600)
            unlink(path)
        }
        rmdir(inner)
    }

    @Test func configuresSyncLogAndPageSize() async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        let settings = try await store.writer.write { transaction throws(StoreError) in
            var settings: [String] = []
            for name in ["synchronous", "journal_mode", "page_size", "wal_autocheckpoint", "secure_delete"] {
                settings.append(try transaction.connection.value("PRAGMA \(name)") ?? "")
            }
            return settings
        }
        #expect(settings == ["2", "wal", "4096", "0", "1"])
    }

    @Test func keepsAcknowledgedWritesAfterAKill() async throws {
        let directory = try DataDirectory()
        let copy = try DataDirectory()
        let store = try directory.open()
        for number in 1...50 as ClosedRange<UInt64> { _ = try await store.put(sample(number), retention: 100) }
        // Copies the files as a kill of the process would leave them: the write-ahead log is not copied into the
        // database.
        for name in ["", "-wal"] { try copyFile(directory.database + name, to: copy.database + name) }
        let reopened = try copy.open()
        #expect(try await reopened.numbers() == (1...50).reversed())
        #expect(try await reopened.findings().isEmpty)
        #expect(try await reopened.latestTime(of: owner()) == at(50))
        guard case .created(let next, _) = try await reopened.put(sample(51), retention: 100).value else {
            return #expect(Bool(false), "not created")
        }
        #expect(next.revision == Revision(rawValue: 51))
    }

    @Test func leavesOneFileAfterClosing() async throws {
        let directory = try DataDirectory()
        let copy = try DataDirectory()
        let store = try directory.open()
        _ = try await store.put(sample(1), retention: 20)
        await store.close()
        try copyFile(directory.database, to: copy.database)
        #expect(try await copy.open().numbers() == [1])
    }

    @Test(arguments: [
        "CREATE TABLE song (title TEXT)", "PRAGMA application_id = 7", "PRAGMA user_version = 3; CREATE TABLE a (b)",
    ])
    func refusesOtherProgramsDatabaseWithoutChangingIt(_ sql: String) throws {
        let directory = try DataDirectory()
        try Connection(path: directory.database).execute(sql)
        let before = try contents(of: directory.database)
        let failure = #expect(throws: StoreError.self) { try directory.open() }
        #expect(failure?.code == .corrupt)
        #expect(try contents(of: directory.database) == before)
    }

    @Test func refusesFileThatIsNoDatabaseWithoutChangingIt() throws {
        let directory = try DataDirectory()
        let text = Array(
            "Dear diary, today I wrote a file that is long enough to be taken for a database's header."
                .utf8)
        try write(text + text, to: directory.database)
        let failure = #expect(throws: StoreError.self) { try directory.open() }
        #expect(failure?.code == .corrupt)
        #expect(try contents(of: directory.database) == text + text)
    }

    @Test func refusesNewerSchemaVersionWithAnInstruction() async throws {
        let directory = try DataDirectory()
        await (try directory.open()).close()
        try Connection(path: directory.database).execute("PRAGMA user_version = 999")
        let failure = #expect(throws: StoreError.self) { try directory.open() }
        #expect(failure?.code == .tooNew)
        #expect(failure?.message.contains("install") == true)
    }

    @Test func reportsDirectoryThatCannotBeCreatedAsUnavailable() {
        let failure = #expect(throws: StoreError.self) {
            try SQLiteStore(directory: "/proc/nowhere", compression: RunLength())
        }
        #expect(failure?.code == .unavailable)
    }

    @Test func migratesOnceWhenOpenedConcurrently() async throws {
        let directory = try DataDirectory()
        let path = directory.path
        try await withThrowingTaskGroup(of: SQLiteStore.self) { group in
            for _ in 0..<8 {
                group.addTask { try SQLiteStore(directory: path, compression: RunLength()) }
            }
            var number: UInt64 = 0
            for try await store in group {
                number += 1
                _ = try await store.put(sample(number), retention: 20)
            }
        }
        #expect(try await directory.open().numbers() == (1...8).reversed())
    }

    private func mode(of path: String) -> mode_t {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    private func copyFile(_ source: String, to target: String) throws { try write(contents(of: source), to: target) }

    private func contents(of path: String) throws -> [UInt8] {
        let file = try #require(fopen(path, "r"))
        defer { fclose(file) }
        var contents: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { contents += buffer[..<count] }
        return contents
    }

    private func write(_ bytes: [UInt8], to path: String) throws {
        let file = try #require(fopen(path, "w"))
        defer { fclose(file) }
        try #require(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    }
}
