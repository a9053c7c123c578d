import CPlacekeeperSQLite
package import PlacekeeperCore
package import PlacekeeperFiles
import PlacekeeperService
import PlacekeeperSystem

/// Copies a database to a single file while a service runs, and restores a database from such a file
/// (docs/decisions/0069-erasures-outlive-backups.md).
package enum Backup {
    /// The contents of a verified backup.
    package struct Contents: Sendable, Hashable {
        package var bytes: Int
        package var schemaVersion: Int
        package var users: Int
        package var archives: Int
        /// Rows with invalid values, each with its column. At most ten for each table.
        package var wrongRows: [String] = []
        /// The archives with damaged bytes. Empty if the bytes weren't checked.
        package var damagedArchives: [DamagedArchive] = []
    }

    /// A step of a backup or restore.
    package enum Step: Sendable, Hashable {
        /// The fraction of the bytes copied, from 0 to 1.
        case copying(Double)
        case verifying
        /// The fraction of the archives whose bytes were checked, from 0 to 1.
        case checking(Double)
    }

    /// Reports the current step. Called several times during a long step.
    package typealias Report = @Sendable (Step) -> Void

    /// Copies the database of a directory to the file `path`. The copy includes all writes committed before this call.
    /// It is written to a file beside `path`, verified, and renamed once it is durable.
    ///
    /// Only an earlier backup is ever replaced (`look`), and only if this process's user owns the file.
    ///
    /// A copy with damaged archives or wrong rows is kept, because it may be the only one. But it never replaces an
    /// existing file, which may be intact: throws `corrupt` instead.
    ///
    /// - Parameters:
    ///   - replaces: whether an existing file at `path` may be replaced. If false and one exists, throws `exists`.
    ///   - check: the check of the archives' bytes, or `nil` to skip it.
    package static func create(
        from directory: String, to path: String, replaces: Bool, checking check: ArchiveCheck? = nil,
        report: @escaping Report = { _ in }
    ) throws(StoreError) -> Contents {
        let target = try usingPaths { () throws(PathFault) in
            try look(at: path, replaces: replaces, besides: directory)
        }
        // Keep the file open until the copy is renamed: its lock stops a second backup to the same file.
        let file = try usingPaths { () throws(PathFault) in try PartialFile(for: target, leftover: .unfinishedBackup) }
        let partial = file.path
        do throws(StoreError) {
            let source = directory + "/" + SQLiteStore.fileName
            let segments = try Segments.hold(beside: source)
            try copy(source, to: partial, report: report)
            try migrate(partial, segmentsOf: source)
            _ = consume segments
            report(.verifying)
            let contents = try verify(partial, checking: check, report: report)
            if let row = contents.wrongRows.first, target.old != nil {
                throw StoreError(
                    .corrupt,
                    "The database has a row with a value out of range (\(row)), so the existing file is not replaced; give a "
                        + "new file.")
            }
            guard contents.damagedArchives.isEmpty || target.old == nil else {
                throw StoreError(
                    .corrupt,
                    "The database has \(contents.damagedArchives.count) damaged archives, so the existing file is not "
                        + "replaced; give a new file.")
            }
            try usingPaths { () throws(PathFault) in try file.install() }
            return contents
        } catch {
            file.discard()
            RegularFile.remove(partial + "-journal")
            throw error
        }
    }

    /// Checks a path for a backup without changing anything. Throws unless the path is free or holds an earlier backup
    /// that may be replaced. Rejects a path in a data directory.
    ///
    /// - Parameter directory: the data directory to back up.
    @discardableResult
    package static func look(
        at path: String, replaces: Bool, besides directory: String
    ) throws(PathFault) -> WritePath {
        // A file with this name would make its directory a data directory.
        guard path.split(separator: "/").last != SQLiteStore.fileName[...] else {
            throw PathFault(path, .reserved(SQLiteStore.fileName))
        }
        let target = try WritePath(
            path, replacing: replaces ? .backup : nil, outside: SQLiteStore.dataDirectories(besides: directory))
        // SQLite and `backup restore` would take such a file for part of the backup.
        for other in [path + "-wal", path + "-journal", path + ".partial-wal"] {
            if try FileStatus.of(other) != nil { throw PathFault(path, .attached(other)) }
        }
        // A killed backup leaves these files.
        for leftover in [path + ".partial", path + ".partial-journal"] {
            if let kind = try FileStatus.of(leftover)?.kind, kind != .regular { throw PathFault(leftover, .kind(kind)) }
        }
        _ = try WritePath.Replaceable.unfinishedBackup.file(at: path + ".partial")
        return target
    }

    /// Checks every page, reference and row of a database, its schema version, and the archives' bytes. Doesn't change
    /// the file.
    ///
    /// - Parameter check: the check of the archives' bytes, or `nil` to skip it.
    package static func verify(
        _ path: String, checking check: ArchiveCheck? = nil, report: Report = { _ in }
    ) throws(StoreError) -> Contents {
        let connection = try open(path)
        if let damage = try connection.values("PRAGMA integrity_check").first(where: { $0 != "ok" }) {
            throw StoreError(.corrupt, "The file is damaged.", cause: damage)
        }
        if let table = try connection.value("PRAGMA foreign_key_check") {
            throw StoreError(.corrupt, "The file is damaged: a row of \(table) refers to a missing row.")
        }
        try checkTables(of: connection)
        // `nobody` isn't a user.
        var contents = Contents(
            bytes: try File(path, O_RDONLY).size(), schemaVersion: try Migrations.version(of: connection),
            users: try connection.number("SELECT count(*) FROM user WHERE app <> zeroblob(16)"),
            archives: try connection.number("SELECT count(*) FROM archive"), wrongRows: try connection.wrongRows())
        if let check {
            contents.damagedArchives = try check.damagedArchives(
                in: connection, count: contents.archives, report: report)
        }
        return contents
    }

    /// Brings a copy of a 0.1.0 database up to date, as a single file. A backup made by 0.1.0 is already a single file.
    ///
    /// - Parameter source: the database that was copied.
    static func migrate(_ copy: String, segmentsOf source: String) throws(StoreError) {
        let connection = try open(copy)
        guard try Migrations.version(of: connection) == Migrations.oldest else { return }
        try Migrations.apply(to: connection, segmentsOf: source)
    }

    /// Opens a Placekeeper database without migrating it.
    static func open(_ path: String) throws(StoreError) -> Connection {
        guard access(path, R_OK) == 0 else { throw StoreError(failed: "access", errno) }
        let connection = try Connection(path: path)
        try connection.configure(lockTimeout: .seconds(10))
        guard try connection.value("PRAGMA application_id") == String(Connection.applicationID) else {
            throw .corrupt("The file is not a database of Placekeeper.")
        }
        return connection
    }

    /// Copies with `VACUUM INTO`, which reads the database in one transaction. The copy has no free pages and no
    /// remains of deleted rows.
    private static func copy(_ source: String, to path: String, report: @escaping Report) throws(StoreError) {
        let connection = try open(source)
        _ = try Migrations.version(of: connection)
        let pages = try connection.number(
            "SELECT page_count - freelist_count FROM pragma_page_count, pragma_freelist_count")
        let watch = Watch(path: path, bytes: pages * Connection.pageSize, report: report)
        try withExtendedLifetime(watch) { () throws(StoreError) in
            sqlite3_progress_handler(
                connection.handle, 200_000,
                { context in
                    guard let context else { return 0 }
                    Unmanaged<Watch>.fromOpaque(context).takeUnretainedValue().look()
                    return 0
                }, Unmanaged.passUnretained(watch).toOpaque())
            defer { sqlite3_progress_handler(connection.handle, 0, nil, nil) }
            let quoted = path.map { $0 == "'" ? "''" : String($0) }.joined()
            try connection.execute("VACUUM INTO '\(quoted)'")
        }
    }

    /// Reports how the copy grows.
    private final class Watch {
        private let path: String
        private let bytes: Int
        private let report: Report

        init(path: String, bytes: Int, report: @escaping Report) {
            self.path = path
            self.bytes = bytes
            self.report = report
        }

        func look() {
            var status = stat()
            guard bytes > 0, stat(path, &status) == 0 else { return }
            report(.copying(min(1, Double(status.st_size) / Double(bytes))))
        }
    }
}

extension Connection {
    /// Returns the number in the first column of the first row.
    func number(_ sql: String) throws(StoreError) -> Int {
        guard let number = try value(sql).flatMap({ Int($0) }) else {
            throw .corrupt("The database has no readable schema version.")
        }
        return number
    }
}
