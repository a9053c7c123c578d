import CSQLite
import Dispatch
import RestorationService
import Synchronization

/// Copies the write-ahead log into the database, so that the log can restart from its beginning. By default, SQLite
/// does this in the commit that reaches 1,000 pages, which stalls every writer. Here, most pages are copied beside
/// the writer, and only the rest between two of its commits (docs/decisions/0031-checkpoints-beside-the-writer.md).
///
/// No checkpoint starts unless the log is longer than its copied part. SQLite before 3.51.3 can lose commits if a
/// checkpoint starts on a completely copied log while a commit restarts that log. No commit can restart a log that is
/// not completely copied.
///
/// Unchecked: the writer's connection and `due` are used on the writer's queue, the other connection on `queue`.
final class Checkpointing: @unchecked Sendable {
    /// Runs a checkpoint on a connection. Returns the total number of copied pages of the log, or a negative number
    /// if the checkpoint failed.
    typealias Checkpoint = @Sendable (_ connection: Connection, _ mode: Mode) -> Int

    enum Mode { case copying, emptying }

    /// The state of the log.
    private struct Log {
        /// The log's length in pages after the writer's last commit.
        var length = 0
        var copied = 0
        /// How often the log restarted.
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
    private let log = Mutex(Log())
    private let phase = Atomic(Phase.waiting)
    /// The length at which the log is copied next, in a generation. A long read keeps the log from restarting. The
    /// log then grows, and the length rises so that copying is not tried in vain after each commit.
    private var due = (length: Checkpointing.longLog, generation: 0)

    private enum Phase: UInt8, AtomicRepresentable {
        case waiting, copying, copied
    }

    /// The number of pages from which the log is copied, about 16 MB. Fewer pages of a shorter log are written
    /// repeatedly, and only the last version of a page is copied.
    private static let longLog = 4000
    /// The maximum number of passes. Writers can be as fast as the copying.
    private static let passes = 4
    /// Copying ends after a pass of at most this many pages.
    private static let shortPass = 200
    /// The log's file is truncated to this size after it was copied.
    static let keptBytes = 64 << 20

    init(
        for writing: Connection, by copying: Connection,
        checkpoint: @escaping Checkpoint = { connection, mode in connection.checkpoint(mode) }
    ) throws(StoreError) {
        try copying.openLog()
        self.writing = writing
        self.copying = copying
        self.checkpoint = checkpoint
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

    /// Starts or continues copying if the log is long. The writer calls this between two commits.
    func advance() {
        let log = log.withLock { $0 }
        if due.generation != log.generation { due = (Checkpointing.longLog, log.generation) }
        guard log.length >= due.length else {
            // The whole log was copied beside the writer, and has restarted.
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
            // The log can restart only when it is copied completely, so nothing may write now.
            copy(by: writing)
            due.length = log.length + Checkpointing.longLog
            phase.store(.waiting, ordering: .releasing)
        }
    }

    /// Whether the next long log will be copied beside the writer.
    var isWaiting: Bool { phase.load(ordering: .acquiring) == .waiting }

    /// Waits until nothing is being copied. Two connections cannot copy at once: the second would give up.
    func settle() { queue.sync {} }

    /// Copies the whole log and empties it, unless another process uses it. The writer calls this after its last
    /// commit.
    func finish() {
        settle()
        copy(by: writing, .emptying)
    }

    /// Copies in passes. Each pass copies the commits that came during the pass before, until little is left for the
    /// writer.
    private func copyMost() {
        for _ in 0..<Checkpointing.passes {
            if copy(by: copying) <= Checkpointing.shortPass { return }
        }
    }

    /// Copies the rest of the log, and returns the number of copied pages.
    ///
    /// Not inlined: Swift 6.3's optimizer ends with a failed verification when it inlines this into a loop.
    @inline(never) @discardableResult
    private func copy(by connection: Connection, _ mode: Mode = .copying) -> Int {
        let before = log.withLock { $0 }
        guard before.isLongerThanCopied else { return 0 }
        let copied = max(before.copied, checkpoint(connection, mode))
        // A commit may have restarted the log meanwhile. Nothing of the new log is copied.
        log.withLock { if $0.generation == before.generation { $0.copied = copied } }
        return copied - before.copied
    }
}

extension Connection {
    /// Reads once. A connection that never read does not know the log: it would copy nothing and report success.
    func openLog() throws(StoreError) { _ = try value("SELECT count(*) FROM sqlite_schema") }

    /// Copies the log into the database as far as no reader needs an older state, and returns the number of its
    /// copied pages. A failure does no harm: the log is durable, and copying is tried again after later writes.
    func checkpoint(_ mode: Checkpointing.Mode) -> Int {
        var copied: Int32 = -1
        let mode = mode == .copying ? SQLITE_CHECKPOINT_PASSIVE : SQLITE_CHECKPOINT_TRUNCATE
        sqlite3_wal_checkpoint_v2(handle, nil, mode, nil, &copied)
        return Int(copied)
    }
}
