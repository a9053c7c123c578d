import PlacekeeperSystem
import PlacekeeperFiles
import PlacekeeperService

/// The start of a database file (https://sqlite.org/fileformat2.html#the_database_header).
struct DatabaseHeader {
    private let isSQLite: Bool
    private let applicationID: Int64
    private let schemaCookie: Int64
    /// Whether the database has a write-ahead log. A service's database has one; a backup doesn't.
    private let usesLog: Bool

    init(_ bytes: [UInt8]) {
        isSQLite = bytes.count == WritePath.Replaceable.startSize && bytes.starts(with: "SQLite format 3\0".utf8)
        func number(at index: Int) -> Int64 {
            bytes.dropFirst(index).prefix(4).reduce(0) { $0 << 8 | Int64($1) }
        }
        (schemaCookie, applicationID) = (number(at: 40), number(at: 68))
        usesLog = bytes.count > 18 && bytes[18] > 1
    }

    var isBackup: Bool { isSQLite && applicationID == Connection.applicationID && !usesLog }

    /// Whether another program created the tables.
    var isExternal: Bool { isSQLite && applicationID != Connection.applicationID && schemaCookie != 0 }
}

extension WritePath.Replaceable {
    static let backup = Self("a backup of Placekeeper") { DatabaseHeader($0).isBackup }

    /// A partial backup. SQLite writes the header last.
    static let unfinishedBackup = Self("an unfinished backup of Placekeeper") { start in
        start.allSatisfy { $0 == 0 } || DatabaseHeader(start).isBackup
    }

    /// The database of a data directory, possibly damaged.
    static let database = Self("a database of Placekeeper") { !DatabaseHeader($0).isExternal }
}
