import CSQLite
import Dispatch
import RestorationService
import Synchronization

/// Copies the write-ahead log into the database, so that it can start again from its beginning. SQLite's own habit, in
/// the commit that makes 1,000 pages, stalls every writer; here most is copied beside the writer, and only the rest
/// between two of its commits (docs/decisions/0031-checkpoints-beside-the-writer.md).
///
/// No checkpoint starts unless the log is longer than its copied part. SQLite before 3.51.3 can lose commits if a
/// checkpoint starts on a log that is copied completely while a commit starts that log again; no commit can start a log
/// again that is not copied completely.
///
/// Unchecked: the writer's connection and `due` are used on the writer's queue, the other connection on `queue`.
final class Checkpointing: @unchecked Sendable {
    /// Starts a checkpoint on a connection. Returns how many pages of the log are copied then, now and before; a
    /// negative number if it failed.
    typealias Checkpoint = @Sendable (_ connection: Connection, _ mode: Mode) -> Int

    enum Mode { case copying, emptying }

    /// The state of the log.
    private struct Log {
        /// Its length in pages, as of the writer's last commit.
        var length = 0
        var copied = 0
        /// How often it was seen to start again.
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
    /// The length at which the log is copied next, in a generation. A long read keeps the log from starting again: then
    /// the log grows, and copying is not tried in vain after each commit.
    private var due = (length: Checkpointing.longLog, generation: 0)

    private enum Phase: UInt8, AtomicRepresentable {
        case waiting, copying, copied
    }

    /// A log of so many pages is worth it: about 16 MB. In a shorter one fewer pages were written more than once, of
    /// which only the last is copied.
    private static let longLog = 4000
    /// Writers may be as fast as the copying: then it ends after so many passes.
    private static let passes = 4
    /// After a pass of so many pages, few enough came meanwhile.
    private static let shortPass = 200
    /// The log's file is cut back to this once it was copied.
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

    /// To be called by the writer between two commits.
    func advance() {
        let log = log.withLock { $0 }
        if due.generation != log.generation { due = (Checkpointing.longLog, log.generation) }
        guard log.length >= due.length else {
            // All was copied beside the writer, and the log has started again by itself.
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
            // The log starts again only when all of it is copied, and so no one may be writing.
            copy(by: writing)
            due.length = log.length + Checkpointing.longLog
            phase.store(.waiting, ordering: .releasing)
        }
    }

    /// Whether the next log that grows long is copied beside the writer.
    var isWaiting: Bool { phase.load(ordering: .acquiring) == .waiting }

    /// Returns once nothing is being copied: two connections cannot copy at once, and the second gives up.
    func settle() { queue.sync {} }

    /// Copies all of the log and empties it, unless another process is using it. To be called by the writer after its
    /// last commit.
    func finish() {
        settle()
        copy(by: writing, .emptying)
    }

    /// Each pass copies the commits of the pass before, which are fewer and fewer, until little is left to the writer.
    private func copyMost() {
        for _ in 0..<Checkpointing.passes {
            if copy(by: copying) <= Checkpointing.shortPass { return }
        }
    }

    /// Copies the rest of the log, and returns how many pages were copied.
    ///
    /// Not inlined: Swift 6.3's optimizer ends with a failed verification when it inlines this into a loop.
    @inline(never) @discardableResult
    private func copy(by connection: Connection, _ mode: Mode = .copying) -> Int {
        let before = log.withLock { $0 }
        guard before.isLongerThanCopied else { return 0 }
        let copied = max(before.copied, checkpoint(connection, mode))
        // A commit may have started the log again meanwhile: nothing of the new one is copied.
        log.withLock { if $0.generation == before.generation { $0.copied = copied } }
        return copied - before.copied
    }
}

extension Connection {
    /// Reads, for a connection that never did knows of no log: it would copy nothing, and say that all went well.
    func openLog() throws(StoreError) { _ = try value("SELECT count(*) FROM sqlite_schema") }

    /// Copies the log into the database as far as no one reads an older state, and returns how many of its pages are
    /// copied. Should it fail, it is tried again when more is written: the log is safe by itself.
    func checkpoint(_ mode: Checkpointing.Mode) -> Int {
        var copied: Int32 = -1
        let mode = mode == .copying ? SQLITE_CHECKPOINT_PASSIVE : SQLITE_CHECKPOINT_TRUNCATE
        sqlite3_wal_checkpoint_v2(handle, nil, mode, nil, &copied)
        return Int(copied)
    }
}
