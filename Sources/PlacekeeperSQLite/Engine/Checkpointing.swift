import CPlacekeeperSQLite
import Dispatch
import PlacekeeperCore
import PlacekeeperService
import Synchronization

/// Checkpoints the write-ahead log: copies it into the database so it can restart from its beginning. By default, the
/// commit that reaches 1,000 pages does the copying and waits for it. Here, a second connection copies most pages while
/// the writer works, and only the rest is copied between two commits
/// (docs/decisions/0031-checkpoints-beside-the-writer.md).
///
/// A checkpoint starts only if part of the log isn't copied yet. SQLite before 3.51.3 can lose commits if a checkpoint
/// starts on a fully copied log while a commit restarts that log, and a commit can restart only a fully copied log.
///
/// Unchecked: the writer's connection, `due` and `emptying` are used only on the writer's queue, the connection
/// `copying` only on `queue`.
final class Checkpointing: @unchecked Sendable {
    /// Runs a checkpoint on a connection. Returns how many pages of the log are copied in total, or a negative number
    /// on failure.
    typealias Checkpoint = @Sendable (_ connection: Connection, _ mode: Mode) -> Int
    /// Syncs the database file. Returns false on failure.
    typealias Sync = @Sendable (_ connection: Connection) -> Bool

    enum Mode { case copying, emptying }

    /// The state of the write-ahead log.
    private struct Log {
        /// The length in pages after the writer's last commit.
        var length = 0
        var copied = 0
        /// How often the log has restarted.
        var generation = 0

        var isLongerThanCopied: Bool { length > copied }

        mutating func note(length: Int) {
            if length < self.length { (generation, copied) = (generation + 1, 0) }
            self.length = length
        }
    }

    private let queue = DispatchQueue(label: "placekeeper.sqlite.checkpoint")
    private let writing: Connection
    private let copying: Connection
    private let checkpoint: Checkpoint
    private let sync: Sync
    private let log = Mutex(Log())
    private let phase = Atomic(Phase.waiting)
    private let failed = Atomic(false)
    /// The length at which to copy the log next, and the log's generation that this applies to. During a long read the
    /// log grows because it can't restart, so this length rises too. Otherwise the writer would try in vain after each
    /// commit to copy the log.
    private var due = (length: Checkpointing.longLog, generation: 0)
    /// Whether to empty the log's file, and the earliest time of the next attempt.
    private var emptying = (isWanted: false, next: ContinuousClock.now)

    private enum Phase: UInt8, AtomicRepresentable {
        case waiting, copying, copied
    }

    /// The log is copied when it reaches this many pages, about 40 MB. A checkpoint copies only the last version of
    /// each page, so a smaller number would copy frequently changed pages more often.
    private static let longLog = 10_000
    /// The maximum number of passes. The writer can add pages as fast as they are copied, so copying might never end.
    private static let passes = 4
    /// Copying ends after a pass that copies no more pages than this.
    private static let shortPass = 200
    /// The time between attempts to empty the log.
    private static let emptyingInterval = Duration.milliseconds(900)
    /// When the log restarts, SQLite truncates a longer file to this many bytes.
    static let keptBytes = 64 << 20

    init(
        for writing: Connection, by copying: Connection,
        checkpoint: @escaping Checkpoint = { connection, mode in connection.checkpoint(mode) },
        sync: @escaping Sync = { connection in connection.syncDatabase() }
    ) throws(StoreError) {
        try copying.openLog()
        self.writing = writing
        self.copying = copying
        self.checkpoint = checkpoint
        self.sync = sync
        sqlite3_wal_hook(
            writing.handle,
            { context, _, _, pages in
                guard let context else { return SQLITE_OK }
                let checkpointing = Unmanaged<Checkpointing>.fromOpaque(context).takeUnretainedValue()
                checkpointing.log.withLock { $0.note(length: Int(pages)) }
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit { sqlite3_wal_hook(writing.handle, nil, nil) }

    /// Whether a sync of the database failed. The system reports such a failure only once; later syncs succeed although
    /// pages are missing on disk. So copying stops, and the log keeps everything for the next start, which copies it
    /// again.
    var hasFailed: Bool { failed.load(ordering: .acquiring) }

    /// If the log is long or must be emptied, starts copying on `queue`. The first call after that copying has ended
    /// copies the rest. The writer calls this method between commits.
    func advance() {
        guard !hasFailed else { return }
        let log = log.withLock { $0 }
        if due.generation != log.generation { due = (Checkpointing.longLog, log.generation) }
        let mustEmpty = emptying.isWanted && emptying.next <= .now
        guard log.length >= due.length || mustEmpty else {
            // In the phase `copied`, the whole log was copied while the writer worked, and the log has restarted since.
            if phase.load(ordering: .acquiring) == .copied { phase.store(.waiting, ordering: .releasing) }
            return
        }
        switch phase.load(ordering: .acquiring) {
        case .copying: break
        case .waiting:
            phase.store(.copying, ordering: .releasing)
            queue.async { [self] in
                copyMost()
                phase.store(.copied, ordering: .releasing)
            }
        case .copied:
            // The log can restart only once it is fully copied, so nothing may be written during this copying.
            if mustEmpty { empty() } else { copy(by: writing) }
            due.length = log.length + Checkpointing.longLog
            phase.store(.waiting, ordering: .releasing)
        }
    }

    /// Makes the next calls of `advance` empty the log's file, so no deleted data remains in it. They try again as long
    /// as a long read needs the log.
    func wantEmptying() { emptying = (true, .now) }

    /// Whether the log's file has yet to be emptied.
    var isEmptyingWanted: Bool { emptying.isWanted }

    /// Calls the closure when copying on `queue` has ended.
    func whenSettled(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

    /// Whether the next call of `advance` starts copying on `queue` if the log is long.
    var isWaiting: Bool { phase.load(ordering: .acquiring) == .waiting }

    /// Waits for the copying on `queue` to end. Two connections can't copy at the same time: the second would give up.
    func settle() { queue.sync {} }

    /// Copies the whole log and empties its file, unless another process uses the log. Does nothing if every page is
    /// copied already. The writer calls this method after its last commit.
    func finish() {
        settle()
        guard !hasFailed else {
            // By default, SQLite copies the log when the last connection closes.
            writing.leaveLogOnClose()
            copying.leaveLogOnClose()
            return
        }
        if emptying.isWanted { empty() } else { copy(by: writing, .emptying) }
    }

    /// Tries to copy the whole log and empty its file. Waits only briefly for readers.
    private func empty() {
        emptying.next = .now + Checkpointing.emptyingInterval
        // The whole log may be copied already, and no checkpoint may start on such a log, so a commit makes it longer.
        // Another process may also have extended the log; this commit finds the actual length.
        guard (try? writing.commitNothing()) != nil else { return }
        let before = log.withLock { $0 }
        let copied = writing.waiting(atMost: .milliseconds(20)) { checkpoint(writing, .emptying) }
        log.withLock {
            if copied == 0 {
                $0 = Log(generation: before.generation + 1)
            } else {
                $0.copied = max($0.copied, copied)
            }
        }
        if copied == 0 { emptying.isWanted = false }
    }

    /// Copies and syncs in at most `passes` passes, each of which copies the commits made during the previous one.
    /// Stops early after a pass of at most `shortPass` pages.
    private func copyMost() {
        for _ in 0..<Checkpointing.passes {
            let copied = copy(by: copying)
            guard sync(copying) else { return failed.store(true, ordering: .releasing) }
            guard !hasFailed else { return }
            if copied <= Checkpointing.shortPass { return }
        }
    }

    /// Copies the rest of the log, and returns the number of pages copied.
    ///
    /// Not inlined: Swift 6.3's optimizer fails a verification when it inlines this function into a loop.
    @inline(never) @discardableResult
    private func copy(by connection: Connection, _ mode: Mode = .copying) -> Int {
        let before = log.withLock { $0 }
        guard before.isLongerThanCopied else { return 0 }
        let copied = max(before.copied, checkpoint(connection, mode))
        if connection.hasFailedSync { failed.store(true, ordering: .releasing) }
        // A commit may have restarted the log during the checkpoint. No page of the restarted log is copied then, so
        // `copied` remains 0.
        log.withLock { if $0.generation == before.generation { $0.copied = copied } }
        return copied - before.copied
    }
}

extension Connection {
    /// Reads from the database once. Until its first read, a connection hasn't opened the log, and its checkpoint would
    /// report success without copying anything.
    func openLog() throws(StoreError) { _ = try value("SELECT count(*) FROM sqlite_schema") }

    /// Copies the log into the database, except for commits that a current reader doesn't see yet. Returns how many
    /// pages of the log are copied in total, 0 once the log's file is emptied, or -1 on failure. A failure is harmless:
    /// the log is durable, and later writes try again.
    func checkpoint(_ mode: Checkpointing.Mode) -> Int {
        var copied: Int32 = -1
        let mode = mode == .copying ? SQLITE_CHECKPOINT_PASSIVE : SQLITE_CHECKPOINT_TRUNCATE
        let code = sqlite3_wal_checkpoint_v2(handle, nil, mode, nil, &copied)
        if code == Self.failedSync { hasFailedSync = true }
        // If a reader needs the first page of the log, no page is copied and the log isn't emptied.
        if code != SQLITE_OK, copied == 0 { return -1 }
        return Int(copied)
    }

    /// The extended result code `SQLITE_IOERR_FSYNC`, which Swift does not import.
    private static let failedSync = SQLITE_IOERR | 4 << 8

    /// Waits until the pages copied into the database are on disk. SQLite itself syncs the database only once the whole
    /// log is copied. If the writer copied the last pages, its sync would wait for all of them, and no upload could
    /// commit meanwhile.
    ///
    /// Returns false if the sync failed. The system reports such a failure once for each open file, so a later success
    /// doesn't prove that the pages are on disk.
    func syncDatabase() -> Bool {
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK, let file else {
            return false
        }
        return file.pointee.pMethods?.pointee.xSync(file, SQLITE_SYNC_NORMAL) == SQLITE_OK
    }

    /// Commits a transaction that writes a page without changing anything: it sets the schema version to its current
    /// value.
    func commitNothing() throws(StoreError) {
        guard let version = try value("PRAGMA user_version").flatMap({ Int32($0) }) else {
            throw .corrupt("The database has no readable schema version.")
        }
        try execute("PRAGMA user_version = \(version)")
    }

    /// Runs a closure during which the connection waits at most `time` for locks.
    fileprivate func waiting<Result>(atMost time: Duration, _ body: () -> Result) -> Result {
        let usual = lockTimeout
        setLockTimeout(time)
        defer { setLockTimeout(usual) }
        return body()
    }
}
