import Glibc
import RestorationService
import Testing

@testable import SQLiteStore

@Suite(.timeLimit(.minutes(20)))
struct CheckpointingTests {
    @Test func theLogStartsAgainWhileWritesGoOn() async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        let body = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        for number in 1...800 as ClosedRange<UInt64> {
            _ = try await store.put(sample(number, bytes: body), retention: 3)
        }
        var status = stat()
        #expect(stat(directory.database + "-wal", &status) == 0)
        // A hundred and sixty megabytes were written.
        #expect(status.st_size < 80 << 20)
        #expect(try await !store.hasForeignChanges())
        #expect(try await store.numbers() == [800, 799, 798])
        #expect(try await store.findings().isEmpty)
    }

    @Test func aLongLogIsCopiedBesideTheWriter() throws {
        let directory = try DataDirectory()
        let writing = try Connection(path: directory.database)
        try writing.configureWriter(maximumPages: nil)
        let checkpointing = try Checkpointing(for: writing, by: Connection(path: directory.database))
        try writing.execute("CREATE TABLE filler (bytes); INSERT INTO filler VALUES (zeroblob(20000000))")
        checkpointing.advance()
        // What is copied from here on is not copied by the one that writes.
        checkpointing.settle()
        var status = stat()
        #expect(stat(directory.database, &status) == 0)
        #expect(status.st_size > 20_000_000)
        // The next commit starts the log again, and the next long one is copied beside the writer too.
        try writing.execute("CREATE TABLE little (bytes)")
        checkpointing.advance()
        #expect(checkpointing.isWaiting)
    }

    /// The log that could not be copied, or holds no more, is gone with the store's last connection.
    @Test(arguments: [nil, 4 << 20] as [Int?])
    func aStoreThatIsClosedLeavesNoLogBehindHoweverLongItGrew(_ maximumBytes: Int?) async throws {
        let directory = try DataDirectory()
        try await fillAndClose(directory, maximumBytes: maximumBytes)
        // The writer's queue may be the last to let go of it.
        while directory.names != [SQLiteStore.fileName] { await Task.yield() }
        let store = try directory.open()
        #expect(try await store.numbers().first ?? 0 > 10)
        #expect(try await store.findings().isEmpty)
    }

    private func fillAndClose(_ directory: DataDirectory, maximumBytes: Int?) async throws {
        let store = try directory.open { $0.maximumBytes = maximumBytes }
        let body = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        for number in 1...60 as ClosedRange<UInt64> {
            do { _ = try await store.put(sample(number, bytes: body), retention: 100) } catch {
                #expect(error.code == .full && maximumBytes != nil)
            }
        }
        var status = stat()
        #expect(stat(directory.database + "-wal", &status) == 0 && status.st_size > 0)
        await store.close()
    }

    @Test func aLongReadKeepsItsViewAndTheLogStartsAgainAfterIt() async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        _ = try await store.put(sample(1), retention: 3)
        let reader = try Connection(path: directory.database)
        try reader.execute("BEGIN; SELECT * FROM store;")
        let body = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        for number in 2...120 as ClosedRange<UInt64> {
            _ = try await store.put(sample(number, bytes: body), retention: 3)
        }
        #expect(try reader.value("SELECT count(*) FROM archive") == "1")
        try reader.execute("COMMIT")
        #expect(try reader.value("SELECT count(*) FROM archive") == "3")
        await store.close()
        var status = stat()
        #expect(stat(directory.database + "-wal", &status) == 0 && status.st_size == 0)
    }
}
