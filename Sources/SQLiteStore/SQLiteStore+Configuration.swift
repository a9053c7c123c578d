import Glibc

extension SQLiteStore {
    package struct Configuration: Sendable {
        /// The number of connections that read, and so of reads at once: one for each worker and for each thread of
        /// `OffloadQueue`, and two for scheduled work.
        package var readers = 2 * max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN))) + 2
        /// How long a read waits for a free connection.
        package var readDeadline: Duration = .seconds(1)
        /// Writes that may wait; more are refused.
        package var waitingWrites = 4096
        /// Bytes that the waiting writes may hold.
        package var waitingBytes = 64 << 20
        /// About how many rows the items of one transaction may take, unless a single delta is more: a tenth of a
        /// second's, for which all other writes wait.
        package var rowsAtOnce = 16_384
        /// How long a write waits for its turn.
        package var writeDeadline: Duration = .seconds(5)
        /// The same for a delta of items: they go one after the other where they are large, and many devices may load
        /// theirs at once.
        package var deltaDeadline: Duration = .seconds(30)
        /// How long another process may hold the database.
        package var lockTimeout: Duration = .seconds(2)
        /// Whether this store copies the log into the database. No more than one process may: two that do can lose
        /// commits on some versions of SQLite (docs/decisions/0031-checkpoints-beside-the-writer.md).
        package var copiesLog = true
        /// What the database may grow to; nil for what the disk holds.
        package var maximumBytes: Int?
        /// Archives of this size and more are compressed when it pays.
        package var compressedSize = 8192
        /// Bytes of scenes' heads that are kept in memory.
        package var rememberedBytes = 64 << 20

        package init() {}
    }
}
