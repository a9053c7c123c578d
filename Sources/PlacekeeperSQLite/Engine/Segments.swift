import PlacekeeperFiles
import PlacekeeperCore
import PlacekeeperService
import PlacekeeperSystem

/// The files beside the database where 0.1.0 stored the bytes of archives of 16 KiB or more.
enum Segments {
    private static func prefix(_ database: String) -> String { database + "-segment-" }

    /// Moves the bytes into the database. The caller must commit, then delete the files.
    ///
    /// An archive whose bytes can't be found gets empty bytes. Reads of it fail as before, and a check reports it.
    static func takeIn(beside database: String, to connection: Connection) throws(StoreError) {
        try connection.execute(Schema.newContent)
        let select = try connection.statement(.contentsInSegments)
        let insert = try connection.statement(.takeIn)
        while try select.step() {
            insert.bind(try select.key(0), at: 1)
            insert.bind(select.clampedNumber(4, .count), at: 2)
            try insert.run(binding: try bytes(of: select, beside: database), at: 3)
        }
    }

    private static func bytes(of row: borrowing Statement, beside database: String) throws(StoreError) -> [UInt8] {
        guard let segment = try? row.number(1, .count), let position = try? row.number(2, .count),
            let size = try? row.number(3, .size),
            let file = try File.existing("\(prefix(database))\(segment)", O_RDONLY)
        else { return [] }
        return try file.read(at: Int(position), count: Int(size))
    }

    /// Locks the files. Until the returned file is closed, a running service of 0.1.0 can't erase bytes in them, and a
    /// later service can't delete them. `nil` if the database has no such files.
    static func hold(beside database: String) throws(StoreError) -> File? {
        let file = try File.existing(database + "-segments", O_RDWR)
        try file?.lock(LOCK_SH | LOCK_NB)
        return file
    }

    /// Deletes the files of a migrated database. If a backup is reading them, the next start of the service deletes
    /// them instead.
    static func delete(beside database: String) {
        let lock = (try? File.existing(database + "-segments", O_RDWR)) ?? nil
        guard (try? lock?.lock(LOCK_EX | LOCK_NB)) != nil || lock == nil else { return }
        let directory = FileNames.directory(of: database)
        for name in (try? File.names(in: directory)) ?? [] {
            let path = directory + "/" + name
            if path.hasPrefix(prefix(database)) || path == database + "-segments" { unlink(path) }
        }
    }
}

extension Query {
    /// The queries for the tables of 0.1.0.
    static let ofSegments = [contentsInSegments, takeIn]
    fileprivate static let contentsInSegments = Query(
        "SELECT id, segment, position, size, encoding FROM content WHERE segment IS NOT NULL")
    fileprivate static let takeIn = Query("INSERT INTO new_content VALUES (?1, ?2, ?3)")
}
