import PlacekeeperSystem

extension SQLiteStore {
    package struct Configuration: Sendable {
        /// The number of reading connections. This number limits concurrent reads. The default is one connection for
        /// each worker of the HTTP server, one connection for each thread of `OffloadQueue`, and two connections for
        /// scheduled work.
        package var readers = 2 * max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN))) + 2
        /// The maximum time that a read waits for a free connection.
        package var readDeadline: Duration = .seconds(1)
        /// The maximum number of waiting writes. Further writes are refused.
        package var waitingWrites = 4096
        /// The maximum number of bytes that all writes together hold until they are answered.
        package var waitingBytes = 64 << 20
        /// The approximate number of rows that the long writes of one transaction may change together. A single long
        /// write may change more rows. A change of this number of rows takes about a tenth of a second, in which all
        /// other writes wait.
        package var rowsAtOnce = 16_384
        /// The maximum time that a short write waits for its turn.
        package var writeDeadline: Duration = .seconds(5)
        /// The maximum time that a long write, such as a delta of items, waits for its turn. Many devices may send
        /// large deltas of items at the same time, and the writer then applies these deltas one by one.
        package var deltaDeadline: Duration = .seconds(30)
        /// The maximum time that a connection waits for a lock on the database, such as a lock of another process.
        package var lockTimeout: Duration = .seconds(2)
        /// Whether this store checkpoints the write-ahead log, that is, copies the log into the database. At most one
        /// process may checkpoint the log: with two processes, some versions of SQLite can lose commits
        /// (docs/decisions/0031-checkpoints-beside-the-writer.md).
        package var copiesLog = true
        /// The maximum size of the database, in bytes. Nil if only the disk limits the size.
        package var maximumBytes: Int?
        /// Archives with at least this number of bytes are compressed, if compression saves enough bytes
        /// (`BlobCompression`). Compressing an archive of 35 KB takes as long as the rest of its upload.
        package var compressedSize = 64 << 10
        /// Receives a line for the log about each damaged row that was left out.
        package var report: @Sendable (String) -> Void = { _ in }
        /// The limit in bytes of the cache of scenes' heads (`HeadCache`).
        package var rememberedBytes = 32 << 20

        package init() {}
    }
}
