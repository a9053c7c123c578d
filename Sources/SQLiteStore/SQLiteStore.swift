import Glibc
package import RestorationService

/// Everything in one SQLite database: reads on a pool of connections, writes on one, in group commits.
package final class SQLiteStore: Store {
    let readers: ReaderPool
    let writer: Writer
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
        writer = try Writer(connection, configuration: configuration)
        self.compression = compression
        self.configuration = configuration
    }

    package static let fileName = "placekeeper.sqlite"

    /// Ends the store: carries out the writes that wait, refuses others, and leaves one file that holds everything.
    package func close() async {
        await writer.close { connection in connection.emptyLog() }
    }

    /// How many group commits there were.
    var commits: Int { writer.commits }

    /// Makes the file before SQLite would, since SQLite gives its log and its index the modes of the database.
    private static func prepare(directory: String, path: String) throws(StoreError) {
        guard mkdir(directory, 0o700) == 0 || errno == EEXIST else {
            throw StoreError(
                .unavailable, "The data directory cannot be made.", cause: "mkdir: \(String(cString: strerror(errno)))")
        }
        let file = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            throw StoreError(
                .unavailable, "The database cannot be opened in the data directory.",
                cause: "open: \(String(cString: strerror(errno)))")
        }
        Glibc.close(file)
    }
}
