import PlacekeeperFiles
import PlacekeeperCore
import PlacekeeperService
import PlacekeeperSystem

/// The files beside the database in which 0.1.0 kept the bytes of archives of 16 KiB and more.
enum Segments {
    private static func prefix(_ database: String) -> String { database + "-segment-" }

    /// Moves the bytes into the database. The caller commits, and then deletes the files.
    ///
    /// An archive whose bytes are missing gets none. Its reads then fail, as they did before, and a check reports it.
    static func takeIn(beside database: String, to connection: Connection) throws(StoreError) {
        let select = try connection.statement(.contentsInSegments)
        let update = try connection.statement(.takeIn)
        while try select.step() {
            update.bind(try select.key(0), at: 1)
            try update.run(binding: try bytes(of: select, beside: database), at: 2)
        }
    }

    private static func bytes(of row: borrowing Statement, beside database: String) throws(StoreError) -> [UInt8] {
        guard let segment = try? row.number(1, .count), let position = try? row.number(2, .count),
            let size = try? row.number(3, .size),
            let file = try File.existing("\(prefix(database))\(segment)", O_RDONLY)
        else { return [] }
        return try file.read(at: Int(position), count: Int(size))
    }

    /// Deletes the files of a database that was migrated.
    static func delete(beside database: String) {
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
        "SELECT id, segment, position, size FROM content WHERE segment IS NOT NULL")
    fileprivate static let takeIn = Query("UPDATE content SET bytes = ?2, segment = NULL WHERE id = ?1")
}
