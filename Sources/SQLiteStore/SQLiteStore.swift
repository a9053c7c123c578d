import CSQLite
import Glibc
package import RestorationService

/// Everything in one SQLite database: reads on a pool of connections, writes on one, in group commits.
package final class SQLiteStore: Store {
    let readers: ReaderPool
    let writer: Writer
    let heads: HeadCache
    let compression: any BlobCompression
    let configuration: Configuration

    /// Opens the database in a directory, or makes both: the directory for its owner only, and so the files.
    package init(
        directory: String, compression: any BlobCompression, configuration: Configuration = Configuration()
    ) throws(StoreError) {
        let path = directory + "/" + SQLiteStore.fileName
        try SQLiteStore.prepare(directory: directory, path: path)
        let connection = try Connection(path: path)
        try connection.configure(lockTimeout: configuration.lockTimeout)
        try connection.configureWriter(maximumPages: configuration.maximumBytes.map { $0 / Connection.pageSize })
        try Migrations.apply(to: connection)
        readers = try ReaderPool(path: path, configuration: configuration)
        var copying: Connection?
        if configuration.copiesLog {
            copying = try Connection(path: path)
            try copying?.configure(lockTimeout: configuration.lockTimeout)
        }
        writer = try Writer(connection, copying: copying, configuration: configuration)
        heads = HeadCache(capacity: configuration.rememberedBytes)
        self.compression = compression
        self.configuration = configuration
    }

    package static let fileName = "placekeeper.sqlite"

    /// The SQLite library that is linked, such as `3.51.3`.
    package static var libraryVersion: String { String(cString: sqlite3_libversion()) }

    /// Carries out the writes that wait, refuses any that come later, and leaves everything in the database's own file,
    /// unless another process copies the log. Reads go on until the store is gone.
    package func close() async { await writer.close() }

    /// How many group commits there were.
    package var commits: Int { writer.commits }

    /// Makes the directory and the file before SQLite would make the latter readable for all; its log and its index get
    /// the modes of the database.
    private static func prepare(directory: String, path: String) throws(StoreError) {
        guard mkdir(directory, 0o700) == 0 || errno == EEXIST else { throw unreachable("mkdir") }
        // A file that exists is not opened: closing it would end the locks of another store of this process.
        let file = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        guard file >= 0 || errno == EEXIST else { throw unreachable("open") }
        if file >= 0 { Glibc.close(file) }
    }

    private static func unreachable(_ call: String) -> StoreError {
        StoreError(
            .unavailable, "The data directory cannot be used.", cause: "\(call): \(String(cString: strerror(errno)))")
    }
}
