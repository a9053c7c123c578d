import Glibc
import PlacekeeperCore
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperSQLite

@Suite(.timeLimit(.minutes(20)))
struct CheckpointingTests {
    @Test func restartsLogDuringWrites() async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        let body = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        for number in 1...800 as ClosedRange<UInt64> {
            _ = try await store.put(sample(number, bytes: body), retention: 3)
        }
        var status = stat()
        #expect(stat(directory.database + "-wal", &status) == 0)
        // The uploads wrote about 160 MB, so a write-ahead log of less than 80 MB has restarted.
        #expect(status.st_size < 80 << 20)
        #expect(try await store.externalInvalidations(following: []) == .none)
        #expect(try await store.numbers() == [800, 799, 798])
        #expect(try await store.findings().isEmpty)
    }

    @Test func copiesLongLogBesideTheWriter() throws {
        let directory = try DataDirectory()
        let writing = try Connection(path: directory.database)
        try writing.configureWriter(lockTimeout: .seconds(2))
        let checkpointing = try Checkpointing(for: writing, by: Connection(path: directory.database))
        try writing.execute("CREATE TABLE filler (bytes); INSERT INTO filler VALUES (zeroblob(50000000))")
        checkpointing.advance()
        // Waits for the copying connection, so that nothing is left for the writer to copy.
        checkpointing.settle()
        var status = stat()
        #expect(stat(directory.database, &status) == 0)
        #expect(status.st_size > 50_000_000)
        // The next commit restarts the log, so the checkpointing waits until the log is long again.
        try writing.execute("CREATE TABLE little (bytes)")
        checkpointing.advance()
        #expect(checkpointing.isWaiting)
    }

    /// SQLite before 3.51.3 can lose commits if a checkpoint starts on a completely copied log while a commit
    /// restarts that log.
    @Test func startsNoCheckpointOnCompletelyCopiedLog() throws {
        let fixture = try CheckpointFixture()
        let checkpointing = try fixture.makeCheckpointing()
        for _ in 0..<3 {
            for _ in 0..<11 { try fixture.commit(1000) }
            checkpointing.advance()
            checkpointing.settle()
            // Nothing was committed during the checkpoint, so nothing is left for a second pass or for the writer.
            checkpointing.advance()
            #expect(fixture.log.length == fixture.log.copied)
        }
        checkpointing.finish()
        let beside = CheckpointFixture.Checkpoint(isByWriter: false, startsOnCopiedLog: false)
        #expect(fixture.checkpoints == [beside, beside, beside])
    }

    @Test func copiesLaterCommitsInSecondPassAndTheRestByTheWriter() throws {
        let fixture = try CheckpointFixture(comingDuringCheckpoints: [100, 10])
        let checkpointing = try fixture.makeCheckpointing()
        try fixture.commit(11_000)
        checkpointing.advance()
        checkpointing.settle()
        checkpointing.advance()
        checkpointing.advance()
        checkpointing.finish()
        // The first pass copies 11,000 pages. The second pass copies the 100 pages that were committed during the first
        // pass. The writer copies the last 10 pages.
        #expect(fixture.checkpoints.map(\.isByWriter) == [false, false, true])
        // Each pass beside the writer ends with a sync, so the writer syncs only its own pages.
        #expect(fixture.steps.map(\.isSync) == [false, true, false, true, false])
        #expect(fixture.checkpoints.allSatisfy { !$0.startsOnCopiedLog })
        #expect(fixture.log.length == fixture.log.copied)
        try fixture.commit(1)
        #expect(fixture.log.length < 10)
    }

    /// The system reports a failed sync once. A later sync succeeds, although pages are missing on the disk.
    @Test func copiesNothingAfterAFailedSync() throws {
        let fixture = try CheckpointFixture(comingDuringCheckpoints: [300])
        fixture.syncsFail = true
        let checkpointing = try fixture.makeCheckpointing()
        try fixture.commit(11_000)
        checkpointing.advance()
        checkpointing.settle()
        #expect(checkpointing.hasFailed)
        fixture.syncsFail = false
        for _ in 0..<3 {
            try fixture.commit(11_000)
            checkpointing.advance()
            checkpointing.settle()
        }
        checkpointing.finish()
        #expect(fixture.checkpoints.count == 1)
        // The log keeps all later commits, because nothing copies them.
        #expect(fixture.log.length > 33_000)
    }

    /// A command works beside a running service, and leaves copying the log to the service.
    @Test func leavesLogToTheStoreThatCopiesIt() async throws {
        let directory = try DataDirectory()
        let service = try directory.open()
        let command = try directory.open { $0.copiesLog = false }
        let body = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        for number in 1...150 as ClosedRange<UInt64> {
            _ = try await command.put(sample(number, bytes: body), retention: 100)
        }
        await command.close()
        var status = stat()
        #expect(stat(directory.database, &status) == 0)
        #expect(status.st_size < 1 << 20)
        _ = try await service.put(sample(151), retention: 100)
        await service.close()
        #expect(stat(directory.database, &status) == 0)
        #expect(status.st_size > 20_000_000)
        #expect(try await service.findings().isEmpty)
    }

    /// SQLite deletes the log when the store's last connection closes, even if the log is empty or could not be copied.
    @Test(arguments: [nil, 4 << 20] as [Int?])
    func deletesLogOnCloseWhateverItsLength(_ maximumBytes: Int?) async throws {
        let directory = try DataDirectory()
        try await fillAndClose(directory, maximumBytes: maximumBytes)
        // The writer's queue may be the last to release the store, so the test waits for the deletion.
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

    @Test func keepsViewOfLongReadAndRestartsLogAfterIt() async throws {
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
