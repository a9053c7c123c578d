import CPlacekeeperSQLite
import Dispatch
import PlacekeeperCore
import PlacekeeperService
import Synchronization

/// Checkpoints the write-ahead log: copies the log into the database, so that the log can restart from its beginning.
/// By default, SQLite copies the log in the commit that reaches 1,000 pages, and this commit waits for the copy. Here,
/// a second connection copies most pages while the writer works. Only the remaining pages are copied between two of the
/// writer's commits (docs/decisions/0031-checkpoints-beside-the-writer.md).
///
/// A checkpoint starts only if the log is longer than its copied part. SQLite before 3.51.3 can lose commits if a
/// checkpoint starts on a completely copied log while a commit restarts that log. A commit can restart only a log
/// that is completely copied.
///
/// Unchecked: the writer's connection, `due` and `emptying` are used only on the writer's queue. The connection `copying` is used
/// only on `queue`.
final class Checkpointing: @unchecked Sendable {
    /// Runs a checkpoint on a connection. Returns the total number of copied pages of the log, or a negative number
    /// if the checkpoint failed.
    typealias Checkpoint = @Sendable (_ connection: Connection, _ mode: Mode) -> Int
    /// Syncs the database's file. Returns false if that failed.
    typealias Sync = @Sendable (_ connection: Connection) -> Bool

    enum Mode { case copying, emptying }

    /// The state of the write-ahead log.
    private struct Log {
        /// The log's length in pages after the writer's last commit.
        var length = 0
        var copied = 0
        /// The number of restarts of the log.
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
    /// The length at which the log is copied next, and the generation of the log for which this length is valid. During
    /// a long read, the log cannot restart, so it grows. The length at which the log is copied next then rises too, so
    /// that the writer does not try to copy the log in vain after each commit.
    private var due = (length: Checkpointing.longLog, generation: 0)
    /// Whether the log's file must be emptied, and the earliest time of the next attempt.
    private var emptying = (isWanted: false, next: ContinuousClock.now)

    private enum Phase: UInt8, AtomicRepresentable {
        case waiting, copying, copied
    }

    /// The log is copied when it reaches this number of pages, about 40 MB. With a smaller number, a page that many
    /// commits change would be copied more often, because each checkpoint copies the last version of the page.
    private static let longLog = 10_000
    /// The maximum number of passes. Without this maximum, copying might not end, because the writer can add pages as
    /// fast as they are copied.
    private static let passes = 4
    /// Copying ends after a pass that copies at most this number of pages.
    private static let shortPass = 200
    /// The time from a failed attempt to empty the log until the next attempt.
    private static let emptyingInterval = Duration.milliseconds(900)
    /// When the log restarts, SQLite truncates the log's file to this number of bytes if the file is longer.
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

    /// Whether a sync of the database failed. The system reports such a failure once, and a later sync succeeds although
    /// pages are missing on the disk. So nothing is copied any more, and the log keeps everything until the next start,
    /// which copies it again.
    var hasFailed: Bool { failed.load(ordering: .acquiring) }

    /// If the log is long or must be emptied, starts copying on `queue`, or copies the rest after the copying on `queue`
    /// has ended. The writer calls this method between two commits.
    func advance() {
        guard !hasFailed else { return }
        let log = log.withLock { $0 }
        if due.generation != log.generation { due = (Checkpointing.longLog, log.generation) }
        let mustEmpty = emptying.isWanted && emptying.next <= .now
        guard log.length >= due.length || mustEmpty else {
            // If the phase is `copied`, the whole log was copied while the writer worked, and the log has restarted
            // since.
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
            // The log can restart only when it is copied completely, so nothing may be written during this copying.
            if mustEmpty { empty() } else { copy(by: writing) }
            due.length = log.length + Checkpointing.longLog
            phase.store(.waiting, ordering: .releasing)
        }
    }

    /// Makes the next calls of `advance` empty the log's file, so that deleted data is not left in the log. If a long read
    /// needs the log, they try again until they succeed.
    func wantEmptying() { emptying = (true, .now) }

    /// Whether the log's file must still be emptied.
    var isEmptyingWanted: Bool { emptying.isWanted }

    /// Calls the closure when the copying on `queue` has ended.
    func whenSettled(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

    /// Whether no copying is in progress, so that a long log is first copied while the writer works.
    var isWaiting: Bool { phase.load(ordering: .acquiring) == .waiting }

    /// Waits until the copying on `queue` has ended. Two connections cannot copy at the same time: the second
    /// connection would give up.
    func settle() { queue.sync {} }

    /// Copies the whole log and empties the log's file, unless another process uses the log. Does nothing if all pages
    /// of the log are already copied. The writer calls this method after its last commit.
    func finish() {
        settle()
        guard !hasFailed else {
            // Otherwise SQLite copies the log when the last connection closes.
            writing.leaveLogOnClose()
            copying.leaveLogOnClose()
            return
        }
        if emptying.isWanted { empty() } else { copy(by: writing, .emptying) }
    }

    /// Tries to copy the whole log and to empty the log's file. Waits only a moment for readers.
    private func empty() {
        emptying.next = .now + Checkpointing.emptyingInterval
        // The whole log may be copied already. No checkpoint may start on such a log, so a commit makes the log longer.
        // Another process may also have made the log longer, and this commit finds out the actual length.
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

    /// Copies and syncs in at most `passes` passes, and ends early after a pass that copies at most `shortPass` pages.
    /// Each pass copies the commits that were made during the previous pass.
    private func copyMost() {
        for _ in 0..<Checkpointing.passes {
            let copied = copy(by: copying)
            guard sync(copying) else { return failed.store(true, ordering: .releasing) }
            guard !hasFailed else { return }
            if copied <= Checkpointing.shortPass { return }
        }
    }

    /// Copies the remaining pages of the log, and returns the number of copied pages.
    ///
    /// Not inlined: Swift 6.3's optimizer ends with a failed verification when it inlines this function into a loop.
    @inline(never) @discardableResult
    private func copy(by connection: Connection, _ mode: Mode = .copying) -> Int {
        let before = log.withLock { $0 }
        guard before.isLongerThanCopied else { return 0 }
        let copied = max(before.copied, checkpoint(connection, mode))
        if connection.hasFailedSync { failed.store(true, ordering: .releasing) }
        // A commit may have restarted the log during the checkpoint. In this case no page of the restarted log is
        // copied, so `copied` stays 0.
        log.withLock { if $0.generation == before.generation { $0.copied = copied } }
        return copied - before.copied
    }
}

extension Connection {
    /// Reads from the database once. A connection that has never read has not opened the log: its checkpoint would copy
    /// nothing and report success.
    func openLog() throws(StoreError) { _ = try value("SELECT count(*) FROM sqlite_schema") }

    /// Copies the log into the database, except commits that a current reader does not see yet. Returns the total
    /// number of the log's copied pages, or -1 after a failure. Returns 0 after the log's file was emptied. A failure does
    /// no harm: the log is durable, and copying is tried again after later writes.
    func checkpoint(_ mode: Checkpointing.Mode) -> Int {
        var copied: Int32 = -1
        let mode = mode == .copying ? SQLITE_CHECKPOINT_PASSIVE : SQLITE_CHECKPOINT_TRUNCATE
        let code = sqlite3_wal_checkpoint_v2(handle, nil, mode, nil, &copied)
        if code == Self.failedSync { hasFailedSync = true }
        // If a reader needs the first page of the log, no page is copied, and the log is not emptied.
        if code != SQLITE_OK, copied == 0 { return -1 }
        return Int(copied)
    }

    /// The extended result code `SQLITE_IOERR_FSYNC`, which Swift does not import.
    private static let failedSync = SQLITE_IOERR | 4 << 8

    /// Waits until the pages that were copied into the database are on the disk. SQLite itself syncs the database only
    /// when the whole log is copied. If the writer copies the last pages, its sync would wait for all pages, and no
    /// upload could be committed in this time.
    ///
    /// Returns false if the sync failed. The system reports such a failure once for each open file, so no later sync
    /// proves that the pages are on the disk.
    func syncDatabase() -> Bool {
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK, let file else {
            return false
        }
        return file.pointee.pMethods?.pointee.xSync(file, SQLITE_SYNC_NORMAL) == SQLITE_OK
    }

    /// Commits a transaction that writes a page and changes nothing: the schema version gets the value that it has.
    func commitNothing() throws(StoreError) {
        guard let version = try value("PRAGMA user_version").flatMap({ Int32($0) }) else {
            throw .corrupt("The database has no readable schema version.")
        }
        try execute("PRAGMA user_version = \(version)")
    }

    /// Calls a closure during which the connection waits at most `time` for locks.
    fileprivate func waiting<Result>(atMost time: Duration, _ body: () -> Result) -> Result {
        let usual = lockTimeout
        setLockTimeout(time)
        defer { setLockTimeout(usual) }
        return body()
    }
}
