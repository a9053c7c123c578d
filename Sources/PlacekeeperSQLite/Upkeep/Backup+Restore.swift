package import PlacekeeperCore
import PlacekeeperFiles
import PlacekeeperService
import PlacekeeperSystem

extension Backup {
    /// A copy of a backup in a data directory, before it becomes that directory's database.
    package struct Prepared: Sendable {
        /// The directory of the copy, which a store can open.
        package let directory: String
        /// The archives with damaged bytes.
        package fileprivate(set) var damagedArchives: [DamagedArchive] = []
        fileprivate let target: String
        /// The database to be replaced, or `nil` if there is none.
        fileprivate let old: FileStatus?

        fileprivate init(in directory: String, replaces: Bool) throws(StoreError) {
            self.directory = directory + "/" + PartialDatabases.ofRestore
            target = directory + "/" + SQLiteStore.fileName
            old = try Backup.replacedDatabase(at: target, replaces: replaces)
        }
    }

    /// Copies a backup into a new subdirectory of the data directory, and verifies the copy. The caller must make sure
    /// that no service uses the data directory.
    ///
    /// - Parameters:
    ///   - replaces: whether an existing database may be replaced. If false and one exists, throws `exists`.
    ///   - check: the check of the archives' bytes, or `nil` to skip it.
    package static func prepare(
        _ path: String, in directory: String, replaces: Bool, checking check: ArchiveCheck? = nil,
        report: Report = { _ in }
    ) throws(StoreError) -> Prepared {
        var prepared = try Prepared(in: directory, replaces: replaces)
        try PartialDatabases.make(prepared.directory)
        do throws(StoreError) {
            let copy = prepared.directory + "/" + SQLiteStore.fileName
            try copyFile(path, to: copy, report: report)
            // A copied data directory has a log unless its service was stopped properly.
            if access(path + "-wal", F_OK) == 0 { try copyFile(path + "-wal", to: copy + "-wal", report: { _ in }) }
            try migrate(copy, segmentsOf: path)
            report(.verifying)
            prepared.damagedArchives = try verifyForRestore(copy, checking: check, report: report).damagedArchives
        } catch {
            discard(prepared)
            throw error
        }
        return prepared
    }

    /// Makes a prepared copy the directory's database. The store that used the copy must be closed. The replaced
    /// database is deleted at the same moment, because it may contain data of users erased since.
    package static func install(_ prepared: Prepared) throws(StoreError) -> Contents {
        let copy = prepared.directory + "/" + SQLiteStore.fileName
        // A closed store has emptied the log. Pages in the log would be lost here.
        if let log = try? File(copy + "-wal", O_RDONLY), try log.size() > 0 {
            throw StoreError(.unavailable, "The copy's write-ahead log could not be emptied.")
        }
        let contents = try verifyForRestore(copy)
        do {
            let database = try File(copy, O_RDWR)
            try database.sync()
            database.giveToOwner(of: FileNames.directory(of: prepared.target))
        }
        // When the last connection closes, SQLite copies the log into the database and deletes it, so the old database
        // is complete until it is replaced. If the old database is damaged, its log is deleted here.
        deleteOldLog(of: prepared.target, replacing: prepared.old)
        try usingPaths { () throws(PathFault) in
            try FileNames.give(prepared.target, to: copy, replacing: prepared.old)
        }
        discard(prepared)
        return contents
    }

    /// Deletes an unneeded copy.
    package static func discard(_ prepared: Prepared) { PartialDatabases.delete(prepared.directory) }

    /// Returns the database that is about to be replaced, or `nil` if there is none.
    ///
    /// - Parameter replaces: whether a database may be replaced. If false and one exists, throws `exists`.
    static func replacedDatabase(at target: String, replaces: Bool) throws(StoreError) -> FileStatus? {
        let old = try usingPaths { () throws(PathFault) in try WritePath.Replaceable.database.file(at: target) }
        guard replaces || old == nil else { throw StoreError(.exists, "There is a database already.") }
        return old
    }

    /// Deletes the log of the database that is about to be replaced, or a log without a database, which SQLite would
    /// mistake for the log of the new one. Keeps the log of a database that appeared in the meantime.
    static func deleteOldLog(of database: String, replacing old: FileStatus?) {
        if old != nil { _ = try? Connection(path: database).openLog() }
        guard old != nil || access(database, F_OK) != 0 else { return }
        for end in ["-wal", "-shm", "-journal"] { unlink(database + end) }
    }

    /// Verifies a database before it becomes a directory's database. Throws `corrupt` if a row is wrong, because its
    /// user would be unreadable.
    private static func verifyForRestore(
        _ path: String, checking check: ArchiveCheck? = nil, report: Report = { _ in }
    ) throws(StoreError) -> Contents {
        let contents = try verify(path, checking: check, report: report)
        guard let row = contents.wrongRows.first else { return contents }
        throw .corrupt("The file has a row with a value out of range: \(row). Give another backup.")
    }

    private static func copyFile(_ source: String, to path: String, report: Report) throws(StoreError) {
        let input = try File(source, O_RDONLY)
        let output = try File(path, O_WRONLY | O_CREAT | O_EXCL)
        let size = try input.size()
        var position = 0
        while true {
            let piece = try input.read(at: position, count: 1 << 20)
            if piece.isEmpty { break }
            try output.write(piece)
            position += piece.count
            report(.copying(min(1, Double(position) / Double(max(size, 1)))))
        }
        try output.sync()
    }
}
