import Glibc
import PlacekeeperCore
import PlacekeeperService
import Synchronization
import Testing

@testable import PlacekeeperSQLite

/// A write-ahead log whose growth the test controls, with a record of each checkpoint.
///
/// Unchecked: the test waits for each checkpoint, so the test and the checkpoint do not use the connections at the same
/// time.
final class CheckpointFixture: @unchecked Sendable {
    struct Checkpoint: Sendable, Hashable {
        var isByWriter: Bool
        /// Whether the database was synced, and no page was copied.
        var isSync = false
        /// Whether the whole log was copied when the checkpoint started, according to SQLite's index of the log.
        var startsOnCopiedLog: Bool
    }

    private let directory: DataDirectory
    private let writing: Connection
    private let copying: Connection
    private let made = Mutex<[Checkpoint]>([])
    private var coming: [Int]
    /// Whether each sync of the database reports a failure.
    var syncsFail = false

    /// - Parameter coming: the numbers of pages that the fixture commits during the checkpoints, one number for each.
    init(comingDuringCheckpoints coming: [Int] = []) throws {
        directory = try DataDirectory()
        writing = try Connection(path: directory.database)
        try writing.configureWriter(lockTimeout: .seconds(2))
        copying = try Connection(path: directory.database)
        self.coming = coming
        try writing.execute("CREATE TABLE filler (bytes)")
    }

    /// The checkpoints without the syncs of the database.
    var checkpoints: [Checkpoint] { steps.filter { !$0.isSync } }

    /// The checkpoints and the syncs of the database.
    var steps: [Checkpoint] { made.withLock { $0 } }

    func makeCheckpointing() throws -> Checkpointing {
        try Checkpointing(
            for: writing, by: copying,
            checkpoint: { [self] connection, mode in checkpoint(connection, mode) },
            sync: { [self] connection in
                made.withLock {
                    $0.append(
                        Checkpoint(isByWriter: connection === writing, isSync: true, startsOnCopiedLog: false))
                }
                return connection.syncDatabase() && !syncsFail
            })
    }

    private func checkpoint(_ connection: Connection, _ mode: Checkpointing.Mode) -> Int {
        let log = log
        let checkpoint = Checkpoint(
            isByWriter: connection === writing, startsOnCopiedLog: log.copied == log.length)
        made.withLock { $0.append(checkpoint) }
        let copied = connection.checkpoint(mode)
        if !coming.isEmpty {
            let pages = coming.removeFirst()
            _ = Result { () throws(StoreError) in try commit(pages) }
        }
        return copied
    }

    func commit(_ pages: Int) throws(StoreError) {
        try writing.execute("INSERT INTO filler VALUES (zeroblob(\(pages * Connection.pageSize)))")
    }

    /// The number of frames in the log, and the number of copied frames: `mxFrame` and `nBackfill` of the log's index
    /// (https://www.sqlite.org/walformat.html).
    var log: (length: UInt32, copied: UInt32) {
        var words = [UInt32](repeating: 0, count: 25)
        let file = open(directory.database + "-shm", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        let count = words.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, 0) }
        return count == 100 ? (words[4], words[24]) : (0, 0)
    }
}
