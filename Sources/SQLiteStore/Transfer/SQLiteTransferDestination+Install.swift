import CLibrary
import RestorationService

extension SQLiteTransferDestination {
    /// The greatest number of a segment in the data directory. The new segments get greater numbers, so they can lie beside
    /// the segments of the database that is replaced.
    func lastSegment() throws(StoreError) -> Int64 {
        try Self.segments(of: target).map(\.number).max() ?? 0
    }

    /// Makes the new database the directory's database. The database that it replaces stays complete until this moment.
    /// Throws `exists` if no database is to be replaced, and a command has made one since the beginning.
    func install() throws(StoreError) {
        _ = try Backup.verify(copy)
        let database = try File(copy, O_RDWR)
        try database.sync()
        database.giveToOwner(of: directory)
        // Until the new database has its name, these files are unknown to the old database, which deletes such files.
        let segments = try Self.segments(of: copy)
        for segment in segments {
            try File(segment.path, O_RDWR).giveToOwner(of: directory)
            try move(segment.path, to: SegmentPlace.path(of: segment.number, beside: target))
        }
        guard replaces else {
            do throws(StoreError) {
                try move(copy, to: target)
            } catch {
                for segment in segments { unlink(SegmentPlace.path(of: segment.number, beside: target)) }
                throw error
            }
            return discard()
        }
        // If the old database is damaged, its log is deleted here.
        if access(target, F_OK) == 0 { _ = try? Connection(path: target).openLog() }
        deleteLog()
        try move(copy, to: target)
        let new = Set(segments.map(\.number))
        for segment in try Self.segments(of: target) where !new.contains(segment.number) { unlink(segment.path) }
        discard()
    }

    private func move(_ path: String, to new: String) throws(StoreError) {
        if replaces { try Backup.rename(path, to: new) } else { try Backup.renameToNew(path, to: new) }
    }

    /// Deletes the log of the database in the data directory.
    func deleteLog() { for end in ["-wal", "-shm", "-journal"] { unlink(target + end) } }

    /// Deletes the partial directory. A transfer that was interrupted may have left it.
    func discard() {
        PartialDatabases.delete(partial)
    }

    private static func segments(of database: String) throws(StoreError) -> [(number: Int64, path: String)] {
        let directory = File.directory(of: database)
        let prefix = SegmentPlace.prefix(beside: database)
        return try File.names(in: directory).compactMap { name in
            let path = directory + "/" + name
            guard path.hasPrefix(prefix), let number = Int64(path.dropFirst(prefix.count)) else { return nil }
            return (number, path)
        }
    }
}
