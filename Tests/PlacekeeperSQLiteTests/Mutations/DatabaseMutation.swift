import CPlacekeeperSQLite
import Glibc
import PlacekeeperStoreConformance

@testable import PlacekeeperSQLite

/// A random change of a closed database that no version of the store makes. The seed decides it.
struct DatabaseMutation {
    /// What the change can damage.
    enum Scope: Equatable {
        /// One user, by the row.
        case user(Int64)
        /// A log or a list of the service. The users do not depend on it.
        case service
        /// The file, the schema, or a row on which all users depend.
        case everything
    }

    let description: String
    let scope: Scope

    /// Changes the database. Nil if the database refuses the change.
    init?(seed: UInt64, of database: String) throws {
        var random = SeededNumbers(seed: seed)
        let file = try RawDatabase(database)
        guard let (description, scope) = try Self.change(file, database, &random) else { return nil }
        (self.description, self.scope) = (description, scope)
    }

    private static func change(
        _ file: RawDatabase, _ path: String, _ random: inout SeededNumbers
    ) throws -> (String, Scope)? {
        let tables = try file.rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        guard let table = tables.randomElement(using: &random) else { return nil }
        switch Int.random(in: 0..<20, using: &random) {
        case 0:
            let pragma = ["user_version", "application_id"].randomElement(using: &random) ?? "user_version"
            let number = [-1, -2_147_483_648, 2_147_483_647, 0, 1, 5, 8, 10].randomElement(using: &random) ?? -1
            return file.run("PRAGMA \(pragma) = \(number)") ? ("\(pragma) \(number)", .everything) : nil
        case 1:
            let isDone =
                file.run("PRAGMA legacy_alter_table = ON; ALTER TABLE \(table) RENAME TO other")
                && file.run("CREATE VIEW \(table) AS SELECT * FROM other")
            return isDone ? ("a view for \(table)", .everything) : nil
        case 2:
            let indices = try file.rows("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
            guard let index = indices.randomElement(using: &random) else { return nil }
            return file.run("DROP INDEX \(index)") ? ("no index \(index)", .everything) : nil
        case 3:
            guard file.run("PRAGMA wal_checkpoint(TRUNCATE)") else { return nil }
            var status = stat()
            stat(path, &status)
            let size = Int.random(in: 0...Int(status.st_size), using: &random)
            truncate(path, size)
            return ("a file of \(size) bytes", .everything)
        case let number:
            // Every second change may break the types that the schema declares.
            return try changeCell(of: table, isLoose: number.isMultiple(of: 2), file, path, &random)
        }
    }

    private static func changeCell(
        of table: String, isLoose: Bool, _ file: RawDatabase, _ path: String, _ random: inout SeededNumbers
    ) throws -> (String, Scope)? {
        let columns = try file.rows("SELECT name FROM pragma_table_info('\(table)')")
        let keys = try file.rows("SELECT name FROM pragma_table_info('\(table)') WHERE pk > 0 ORDER BY pk")
        let count = Int(try file.rows("SELECT count(*) FROM \(table)").first ?? "") ?? 0
        guard count > 0, let column = columns.randomElement(using: &random) else { return nil }
        let offset = Int.random(in: 0..<count, using: &random)
        let key = keys.isEmpty ? ["rowid"] : keys
        // The user is read before the change, because the change may cut the row off.
        let scope = try scope(of: table, offset, file)
        let value = value(for: column, &random)
        if isLoose {
            let isLoosened =
                file.run("PRAGMA writable_schema = ON")
                && file.run(
                    """
                    UPDATE sqlite_schema SET sql = replace(replace(replace(sql, ') STRICT, WITHOUT ROWID', ') WITHOUT ROWID'),
                        ') STRICT', ')'), ' NOT NULL', '') WHERE name = '\(table)'
                    """)
            guard isLoosened else { return nil }
        }
        // Another connection reads the changed schema.
        let other = isLoose ? try RawDatabase(path) : file
        let names = key.joined(separator: ", ")
        let isChanged = other.run(
            """
            UPDATE \(table) SET \(column) = \(value)
            WHERE (\(names)) = (SELECT \(names) FROM \(table) LIMIT 1 OFFSET \(offset))
            """)
        return isChanged ? ("\(table).\(column) = \(value.prefix(80)) in row \(offset)", scope) : nil
    }

    private static func value(for column: String, _ random: inout SeededNumbers) -> String {
        let values = [
            "-9223372036854775807 - 1", "9223372036854775807", "9007199254740992", "9007199254740993",
            "4503599627370497",
            "-9007199254740993", "-1", "0", "1", "2", "7", "2147483648", "4294967296", "253402300800000",
            "-62135596800001", "NULL", "1e308", "'9223372036854775808'", "'text'", "''", "zeroblob(0)", "zeroblob(15)",
            "zeroblob(17)", "zeroblob(1048577)", "substr(\(column), 1, length(\(column)) / 2)",
            "\(column) || \(column)",
            "replace(hex(zeroblob(500000)), '00', 'x')", "'a' || replace(hex(zeroblob(2000)), '00', '\u{301}')",
            "'99999999999999999999:x,'", "-\(column)", "\(column) + 1", "\(column) * 1000000007",
        ]
        return values.randomElement(using: &random) ?? "NULL"
    }

    /// The user of a row.
    private static func scope(of table: String, _ offset: Int, _ file: RawDatabase) throws -> Scope {
        let ofScene = "(SELECT user FROM scene WHERE id = scene)"
        let ofContent = """
            (SELECT scene.user FROM (SELECT scene, content AS key FROM archive
                UNION ALL SELECT scene, content FROM deleted_archive) AS archive
            JOIN scene ON scene.id = archive.scene WHERE archive.key = content)
            """
        let ofRegistry = "(SELECT user FROM registry WHERE id = registry)"
        let user: String
        switch table {
        case "user": user = "id"
        case "device", "link_code", "scene", "change", "registry", "link", "restore_log": user = "user"
        case "token", "installation": user = "(SELECT user FROM device WHERE device.id = \(table).device)"
        case "archive", "deleted_archive", "tombstone", "served_last": user = ofScene
        case "served", "outcome", "screenshot": user = ofContent
        case "content": user = ofContent.replacing("= content)", with: "= content.id)")
        case "item", "alias", "ambiguous_alias": user = ofRegistry
        case "item_text":
            user = """
                (SELECT user FROM item JOIN registry ON registry.id = item.registry WHERE item.number = item_text.number)
                """
        case "counter", "audit", "administrator", "admin_session", "api_token": return .service
        default: return .everything
        }
        let found = try file.rows("SELECT coalesce(\(user), 0) FROM \(table) LIMIT 1 OFFSET \(offset)").first
        return .user(found.flatMap { Int64($0) } ?? 0)
    }
}

/// A connection that keeps none of the store's rules.
final class RawDatabase {
    private let handle: OpaquePointer

    init(_ path: String) throws {
        var handle: OpaquePointer?
        guard sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK, let handle else {
            throw Unreadable()
        }
        self.handle = handle
    }

    struct Unreadable: Error {}

    deinit { sqlite3_close_v2(handle) }

    /// Returns false if SQLite refuses the statement.
    func run(_ sql: String) -> Bool { sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK }

    /// Returns the first column of each row.
    func rows(_ sql: String) throws -> [String] {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else { throw Unreadable() }
        defer { sqlite3_finalize(statement) }
        var rows: [String] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            rows.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "")
        }
        return rows
    }
}
