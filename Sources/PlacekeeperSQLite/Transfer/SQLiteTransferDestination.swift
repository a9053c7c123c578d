package import PlacekeeperCore
import PlacekeeperFiles
package import PlacekeeperService
import PlacekeeperSystem

/// Writes all data to a new database in a subdirectory of the data directory, and finally puts it in place of the data
/// directory's database.
///
/// The caller must make sure that nothing else uses the data directory.
package final class SQLiteTransferDestination: TransferDestination {
    private let directory: String
    private let partial: String
    /// The database to be replaced, or `nil` if there is none.
    private let old: FileStatus?
    private let compression: any BlobCompression
    private let configuration: SQLiteStore.Configuration
    private var transaction: Transaction?
    /// The new database, for comparison.
    private var reader: SQLiteTransferSource?
    /// The size of the rows since the last commit, in bytes.
    private var uncommittedBytes = 0

    /// The size of the rows that one transaction writes, in bytes.
    private static let bytesAtOnce = 64 << 20

    /// - Parameter replaces: whether an existing database may be replaced. If false and one exists, throws `exists`.
    package init(
        directory: String, compression: any BlobCompression, replaces: Bool,
        configuration: SQLiteStore.Configuration = SQLiteStore.Configuration()
    ) throws(StoreError) {
        self.directory = directory
        self.compression = compression
        self.configuration = configuration
        partial = directory + "/" + PartialDatabases.ofTransfer
        old = try Backup.replacedDatabase(at: directory + "/" + SQLiteStore.fileName, replaces: replaces)
        try PartialDatabases.make(partial)
        do throws(StoreError) {
            transaction = try open()
        } catch {
            abandon()
            throw error
        }
    }

    private var target: String { directory + "/" + SQLiteStore.fileName }
    private var copy: String { partial + "/" + SQLiteStore.fileName }

    private func open() throws(StoreError) -> Transaction {
        // If SQLite created the file, other users of the system could read it.
        do { _ = try File(copy, O_RDWR | O_CREAT | O_EXCL) }
        let connection = try Connection(path: copy)
        try connection.configure(lockTimeout: .seconds(10))
        // A crash leaves only a partial directory, so commits need not be durable before the end.
        try connection.execute(
            """
            PRAGMA page_size = \(Connection.pageSize); PRAGMA auto_vacuum = NONE; PRAGMA synchronous = OFF;
            PRAGMA cache_size = -65536;
            """)
        try Migrations.apply(to: connection)
        let transaction = try Transaction(connection)
        try transaction.begin()
        return transaction
    }

    private func opened() throws(StoreError) -> Transaction {
        guard let transaction else { throw StoreError(.unavailable, "The new database is closed.") }
        return transaction
    }

    // Rows

    package func insert(_ rows: [TransferRow], into table: TransferTable) throws(StoreError) {
        let transaction = try opened()
        guard let queries = TransferQueries.all[table.name] else {
            throw .corrupt("SQLite has no table \(table.name).")
        }
        for row in rows {
            if table == .archive { try transaction.insert(archive: row, compression, configuration.compressedSize) }
            for query in queries.inserts {
                let insert = try transaction.connection.statement(query)
                insert.bind(row, of: table)
                try insert.run()
            }
            uncommittedBytes += row.reduce(0) { $0 + $1.size }
        }
        guard uncommittedBytes >= Self.bytesAtOnce else { return }
        uncommittedBytes = 0
        try transaction.commit()
        try transaction.begin()
    }

    package func complete() throws(StoreError) {
        let transaction = try opened()
        try transaction.derive()
        try transaction.commit()
        self.transaction = nil
        reader = try SQLiteTransferSource(directory: partial, compression: compression)
    }

    package func count(of table: TransferTable) throws(StoreError) -> Int { try read().count(of: table) }

    package func read(
        _ table: TransferTable, _ receive: ([TransferRow]) throws(StoreError) -> Void
    ) throws(StoreError) {
        try read().read(table, receive)
    }

    private func read() throws(StoreError) -> SQLiteTransferSource {
        guard let reader else { throw StoreError(.unavailable, "The new database is not complete.") }
        return reader
    }

    package func finish() throws(StoreError) {
        reader = nil
        _ = try Backup.verify(copy)
        let database = try File(copy, O_RDWR)
        try database.sync()
        database.giveToOwner(of: directory)
        // The old database is complete until this moment. If none was to be replaced but a command has created one in
        // the meantime, throws `exists`.
        Backup.deleteOldLog(of: target, replacing: old)
        try usingPaths { () throws(PathFault) in try FileNames.give(target, to: copy, replacing: old) }
        PartialDatabases.delete(partial)
    }

    package func abandon() {
        (transaction, reader) = (nil, nil)
        PartialDatabases.delete(partial)
    }
}

extension Transaction {
    /// Stores an archive with its bytes and its screenshot.
    fileprivate func insert(
        archive row: TransferRow, _ compression: any BlobCompression, _ compressedSize: Int
    ) throws(StoreError) {
        let columns = TransferTable.archive.columns
        guard case .bytes(let bytes) = row[row.count - 1] else { throw .corrupt("An archive has no bytes.") }
        let content = try write(Content(bytes, compressing: compressedSize, with: compression))
        let insert = try connection.statement(row[4] == .null ? .insertStoredArchive : .insertDeletedArchive)
        for (index, (value, column)) in zip(row, columns).dropLast(3).enumerated() {
            insert.bind(value, of: column, at: Int32(index) + 1)
        }
        insert.bind(content, at: 25)
        insert.bind(row[25] == .null ? 0 : 1, at: 26)
        try insert.run()
        guard case .bytes(let format) = row[24], case .bytes(let screenshot) = row[25] else { return }
        let store = try connection.statement(.insertTransferredScreenshot, content, Text(utf8: format))
        try store.run(binding: screenshot, at: 3)
    }
}

extension Statement {
    fileprivate func bind(_ row: TransferRow, of table: TransferTable) {
        for (index, (value, column)) in zip(row, table.columns).enumerated() {
            bind(value, of: column, at: Int32(index) + 1)
        }
    }
}

extension Query {
    fileprivate static let insertStoredArchive = TransferQueries.insertArchive
    fileprivate static let insertDeletedArchive = TransferQueries.insertDeletedArchive
    fileprivate static let insertTransferredScreenshot = Query(
        "INSERT INTO screenshot (content, format, bytes) VALUES (?1, ?2, ?3)")
}
