import CSQLite

/// When the write-ahead log is copied into the database: between commits, on the writer, when no one waits or the log
/// has grown long. SQLite's own habit, every 1,000 pages inside of a commit, would stall one commit in fifty.
///
/// Used by the connection's owner alone.
final class Checkpointing {
    private let connection: Connection
    /// Pages in the log, told by SQLite after each commit.
    private var pages: Int32 = 0

    /// About 8 MB: worth it when there is nothing else to do.
    private static let idlePages: Int32 = 1000
    /// About 64 MB: copied even under load.
    private static let busyPages: Int32 = 8000
    /// The log's file is cut back to this once it was copied.
    static let keptBytes = 64 << 20

    init(_ connection: Connection) {
        self.connection = connection
        sqlite3_wal_hook(
            connection.handle,
            { context, _, _, pages in
                if let context { Unmanaged<Checkpointing>.fromOpaque(context).takeUnretainedValue().pages = pages }
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit { sqlite3_wal_hook(connection.handle, nil, nil) }

    func afterCommit(isIdle: Bool) {
        guard pages >= (isIdle ? Checkpointing.idlePages : Checkpointing.busyPages) else { return }
        // Without room, or beside a long read, it copies less; the next commit tries again.
        sqlite3_wal_checkpoint_v2(connection.handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    }
}
