import CPlacekeeperSQLite
package import PlacekeeperCore
package import PlacekeeperFiles
package import PlacekeeperService
import PlacekeeperSystem

/// A store in one SQLite database. A pool of connections reads, and one connection writes in group commits.
package final class SQLiteStore: Store {
    let readers: ReaderPool
    let writer: Writer
    let heads: HeadCache
    let versions: UserVersions
    let compression: any BlobCompression
    let configuration: Configuration
    let damaged: DamagedRows

    /// Opens the database in a directory. Creates the directory and the database if needed. If this initializer creates
    /// them, only their owner can access the directory and the files.
    package init(
        directory: String, compression: any BlobCompression, configuration: Configuration = Configuration()
    ) throws(StoreError) {
        let path = directory + "/" + SQLiteStore.fileName
        try SQLiteStore.prepare(directory: directory, path: path)
        let hasLog = SQLiteStore.hasLog(path)
        let connection = try Connection(path: path)
        try connection.configure(lockTimeout: configuration.lockTimeout)
        try connection.configureWriter(lockTimeout: configuration.lockTimeout)
        try Migrations.apply(to: connection, segmentsOf: path)
        Segments.delete(beside: path)
        if let bytes = configuration.maximumBytes {
            try connection.execute("PRAGMA max_page_count = \(max(1, bytes / Connection.pageSize))")
        }
        readers = try ReaderPool(path: path, configuration: configuration)
        var copying: Connection?
        if configuration.copiesLog {
            copying = try Connection(path: path)
            try copying?.configure(lockTimeout: configuration.lockTimeout)
        }
        let versions = UserVersions(count: Self.versionCount)
        self.versions = versions
        heads = HeadCache(capacity: configuration.rememberedBytes)
        writer = try Writer(connection, copying: copying, configuration: configuration) { versions.apply($0) }
        self.compression = compression
        self.configuration = configuration
        damaged = DamagedRows(report: configuration.report)
        // The process before this one did not empty the log, so the log may have data of an erased user.
        if hasLog { writer.wantEmptyLog() }
    }

    /// The number of versions in memory. Several users share a version. All versions together take a megabyte.
    private static let versionCount = 1 << 16

    package static let fileName = "placekeeper.sqlite"

    /// The directories in which commands write no files of their own: those with a database, and `directory`.
    package static func dataDirectories(besides directory: String?) -> DataDirectories {
        DataDirectories(mark: fileName, own: directory)
    }

    /// The version of the linked SQLite library, such as `3.51.3`.
    package static var libraryVersion: String { String(cString: sqlite3_libversion()) }

    /// Performs the waiting writes, refuses later writes, and checkpoints the write-ahead log if
    /// `Configuration.copiesLog` is true. Reads continue until the store is released.
    package func close() async { await writer.close() }

    /// The number of group commits.
    package var commits: Int { writer.commits }

    /// Returns whether the database has a write-ahead log that is not empty.
    private static func hasLog(_ path: String) -> Bool {
        var status = stat()
        return stat(path + "-wal", &status) == 0 && status.st_size > 0
    }

    /// Creates the directory and the database file. SQLite itself would create a file that other users of the system
    /// can read. SQLite gives the modes of the database file to the write-ahead log and its index.
    private static func prepare(directory: String, path: String) throws(StoreError) {
        guard mkdir(directory, 0o700) == 0 || errno == EEXIST else { throw unreachable("mkdir") }
        // An existing file is not opened: closing it would release the locks of another store in this process.
        let file = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        guard file >= 0 || errno == EEXIST else { throw unreachable("open") }
        if file >= 0 { PlacekeeperSystem.close(file) }
    }

    private static func unreachable(_ call: String) -> StoreError {
        StoreError(
            .unavailable, "The data directory cannot be used.", cause: "\(call): \(String(cString: strerror(errno)))")
    }
}
