import CPlacekeeperSQLite
package import PlacekeeperCore
package import PlacekeeperFiles
package import PlacekeeperService
import PlacekeeperSystem

/// A store in one SQLite database. A pool of connections reads; one connection writes, in group commits.
package final class SQLiteStore: Store {
    let readers: ReaderPool
    let writer: Writer
    let heads: HeadCache
    let versions: UserVersions
    let compression: any BlobCompression
    let configuration: Configuration
    let damaged: DamagedRows
    private let path: String

    /// Opens the database in a directory, and creates both if needed. Only the owner can access a new directory and its
    /// files.
    package init(
        directory: String, compression: any BlobCompression, configuration: Configuration = Configuration()
    ) throws(StoreError) {
        let path = directory + "/" + SQLiteStore.fileName
        self.path = path
        try SQLiteStore.prepare(directory: directory, path: path)
        let hasLog = SQLiteStore.hasLog(path)
        let connection = try Connection(path: path)
        try connection.configure(lockTimeout: configuration.lockTimeout)
        try connection.configureWriter(lockTimeout: configuration.lockTimeout)
        try Migrations.apply(to: connection, segmentsOf: path, willMigrate: configuration.willMigrate)
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
        // The previous process left a log that isn't empty; it may contain data of an erased user.
        if hasLog { writer.wantEmptyLog() }
    }

    /// The number of user versions in memory, which take about a megabyte. Several users may share a version.
    private static let versionCount = 1 << 16

    package static let fileName = "placekeeper.sqlite"

    /// The directories where commands must not write their files: `directory`, and any directory with a database.
    package static func dataDirectories(besides directory: String?) -> DataDirectories {
        DataDirectories(mark: fileName, own: directory)
    }

    /// The version of the linked SQLite library, such as `3.51.3`.
    package static var libraryVersion: String { String(cString: sqlite3_libversion()) }

    /// Performs the waiting writes, rejects new ones, and checkpoints the write-ahead log if `Configuration.copiesLog`
    /// is true. Reads still work until the store is released.
    package func close() async { await writer.close() }

    /// The number of group commits.
    package var commits: Int { writer.commits }

    /// The sizes of the database and of its write-ahead log on disk, in bytes.
    var fileBytes: (database: Int, log: Int) { (Self.size(path), Self.size(path + "-wal")) }

    private static func size(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Whether the database has a write-ahead log that isn't empty.
    private static func hasLog(_ path: String) -> Bool { size(path + "-wal") > 0 }

    /// Creates the directory and the database file. If SQLite created the file, other users of the system could read
    /// it. SQLite copies the file's mode to the write-ahead log and its index.
    private static func prepare(directory: String, path: String) throws(StoreError) {
        if mkdir(directory, 0o700) == 0 {
            try usingPaths { () throws(PathFault) in try FileNames.syncName(ofDirectory: directory) }
        } else if errno != EEXIST {
            throw unreachable("mkdir")
        }
        // Don't open an existing file: closing it would release the locks of another store in this process.
        let file = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        guard file >= 0 || errno == EEXIST else { throw unreachable("open") }
        if file >= 0 { PlacekeeperSystem.close(file) }
    }

    private static func unreachable(_ call: String) -> StoreError {
        StoreError(
            .unavailable, "The data directory cannot be used.", cause: "\(call): \(String(cString: strerror(errno)))")
    }
}
