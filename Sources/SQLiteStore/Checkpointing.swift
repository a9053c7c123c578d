import CSQLite
import Dispatch
import RestorationService
import Synchronization

/// Copies the write-ahead log into the database, so that it can start again from its beginning. SQLite's own habit, in
/// the commit that makes 1,000 pages, stalls every writer; here most is copied beside the writer, and only what came
/// meanwhile between two of its commits (docs/decisions/0031-checkpoints-beside-the-writer.md).
///
/// Unchecked: the writer's connection and `pages` are used on the writer's queue, the other connection on `queue`.
final class Checkpointing: @unchecked Sendable {
    private let queue = DispatchQueue(label: "placekeeper.sqlite.checkpoint")
    private let writing: Connection
    private let copying: Connection
    private let phase = Atomic(Phase.waiting)
    /// Pages in the log, told by SQLite after each commit.
    private var pages: Int32 = 0 {
        didSet { if pages < oldValue { due = Checkpointing.longLog } }
    }
    /// The length at which it is copied next. Someone who reads for long keeps it from starting again: then it grows,
    /// and is not to be tried in vain after each commit.
    private var due = Checkpointing.longLog

    private enum Phase: UInt8, AtomicRepresentable {
        case waiting, copying, copied
    }

    /// A log of so many pages is worth it: about 16 MB. In a shorter one fewer pages were written more than once, of which
    /// only the last is copied.
    private static let longLog: Int32 = 4000
    /// Writers may be as fast as the copying: then it ends after so many passes.
    private static let passes = 4
    /// After a pass of so many pages, few enough came meanwhile.
    private static let shortPass = 200
    /// The log's file is cut back to this once it was copied.
    static let keptBytes = 64 << 20

    init(for writing: Connection, by copying: Connection) throws(StoreError) {
        try copying.openLog()
        self.writing = writing
        self.copying = copying
        sqlite3_wal_hook(
            writing.handle,
            { context, _, _, pages in
                if let context { Unmanaged<Checkpointing>.fromOpaque(context).takeUnretainedValue().pages = pages }
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit { sqlite3_wal_hook(writing.handle, nil, nil) }

    /// To be called by the writer between two commits.
    func advance() {
        guard pages >= due else {
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
            writing.copyLog()
            due = pages + Checkpointing.longLog
            phase.store(.waiting, ordering: .releasing)
        }
    }

    /// Whether the next log that grows long is copied beside the writer.
    var isWaiting: Bool { phase.load(ordering: .acquiring) == .waiting }

    /// Returns once nothing is being copied: two connections cannot copy at once, and the second gives up.
    func settle() { queue.sync {} }

    /// What is committed during one pass is left to the next, which is shorter, until little is left to the writer.
    private func copyMost() {
        var copied = 0
        for _ in 0..<Checkpointing.passes {
            let before = copied
            copied = copying.copyLog()
            if copied - before <= Checkpointing.shortPass { return }
        }
    }
}
