import PlacekeeperSystem

extension SQLiteStore {
    package struct Configuration: Sendable {
        /// The number of connections for reads, and so the limit of concurrent reads. By default one for each worker of
        /// the HTTP server, one for each thread of `OffloadQueue`, and two for scheduled work.
        package var readers = 2 * max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN))) + 2
        /// The maximum time a read waits for a free connection.
        package var readDeadline: Duration = .seconds(1)
        /// The maximum number of waiting writes. Further writes are rejected.
        package var waitingWrites = 4096
        /// The maximum size of all unanswered writes together, in bytes.
        package var waitingBytes = 64 << 20
        /// The approximate number of rows that the long writes of one transaction may change together; a single long
        /// write may change more. Changing this many rows takes about a tenth of a second, and all other writes wait
        /// meanwhile.
        package var rowsAtOnce = 16_384
        /// The maximum time a short write waits for its turn.
        package var writeDeadline: Duration = .seconds(5)
        /// The maximum time a long write, such as a delta of items, waits for its turn. Many devices may send large
        /// deltas at the same time, and the writer applies them one by one.
        package var deltaDeadline: Duration = .seconds(30)
        /// The maximum time a connection waits for a lock on the database, for example a lock that another process
        /// holds.
        package var lockTimeout: Duration = .seconds(2)
        /// Whether this store checkpoints the write-ahead log, that is, copies it into the database. Only one process
        /// may checkpoint the log: with two, some versions of SQLite can lose commits
        /// (docs/decisions/0031-checkpoints-beside-the-writer.md).
        package var copiesLog = true
        /// The maximum size of the database, in bytes. `nil` if only the disk limits it.
        package var maximumBytes: Int?
        /// Archives of at least this many bytes are compressed if that saves enough (`BlobCompression`). Compressing an
        /// archive of 35 KB takes as long as the rest of its upload.
        package var compressedSize = 64 << 10
        /// Called before the database is migrated to a schema version.
        package var willMigrate: @Sendable (_ version: Int) -> Void = { _ in }
        /// Logs a line about each damaged row that a read skipped.
        package var report: @Sendable (String) -> Void = { _ in }
        /// The maximum size of the cache of scenes' heads (`HeadCache`), in bytes.
        package var rememberedBytes = 32 << 20

        package init() {}
    }
}
