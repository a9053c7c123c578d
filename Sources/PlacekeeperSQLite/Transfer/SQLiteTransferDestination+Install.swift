import PlacekeeperCore
import PlacekeeperFiles
import PlacekeeperService
import PlacekeeperSystem

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
            let path = SegmentPlace.path(of: segment.number, beside: target)
            try usingPaths { () throws(PathFault) in try FileNames.give(path, to: segment.path, replacing: nil) }
        }
        Backup.deleteOldLog(of: target, replacing: old)
        do throws(StoreError) {
            try usingPaths { () throws(PathFault) in try FileNames.give(target, to: copy, replacing: old) }
        } catch {
            // The error may also be that of a sync after the copy got its name.
            if access(copy, F_OK) == 0 {
                for segment in segments { unlink(SegmentPlace.path(of: segment.number, beside: target)) }
            }
            throw error
        }
        let new = Set(segments.map(\.number))
        for segment in try Self.segments(of: target) where !new.contains(segment.number) { unlink(segment.path) }
        discard()
    }

    /// Deletes the partial directory. A transfer that was interrupted may have left it.
    func discard() {
        PartialDatabases.delete(partial)
    }

    private static func segments(of database: String) throws(StoreError) -> [(number: Int64, path: String)] {
        let directory = FileNames.directory(of: database)
        let prefix = SegmentPlace.prefix(beside: database)
        return try File.names(in: directory).compactMap { name in
            let path = directory + "/" + name
            guard path.hasPrefix(prefix), let number = Int64(path.dropFirst(prefix.count)) else { return nil }
            return (number, path)
        }
    }
}
