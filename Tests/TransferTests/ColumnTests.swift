import PlacekeeperCore
import PlacekeeperPostgresServer
import PlacekeeperSQLite
import PlacekeeperService
import Testing

@testable import PlacekeeperPostgres

/// A digest does not notice two columns that one store exchanges both when it reads and when it writes. So here each column
/// of SQLite has a value of its own, and PostgreSQL must have the value in the column of the same meaning.
@Suite(.enabled(if: PostgresServer.isNeeded, "PostgreSQL is not installed"))
struct ColumnTests {
    /// A column of one row: its name in both schemas, and its value in both SQL dialects. Without a name, the schema has no
    /// such column.
    struct Cell {
        var sqlite: String?
        var postgres: String?
        var sqliteValue: String
        var postgresValue: String

        static func int(_ name: String, _ value: Int, in other: String? = nil) -> Cell {
            Cell(sqlite: name, postgres: other ?? name, sqliteValue: "\(value)", postgresValue: "\(value)")
        }

        static func flag(_ name: String, in other: String? = nil) -> Cell {
            Cell(sqlite: name, postgres: other ?? name, sqliteValue: "1", postgresValue: "true")
        }

        static func text(_ name: String, _ value: String, in other: String? = nil) -> Cell {
            Cell(sqlite: name, postgres: other ?? name, sqliteValue: "'\(value)'", postgresValue: "'\(value)'")
        }

        static func bytes(_ name: String, _ byte: Int, count: Int = 32, in other: String? = nil) -> Cell {
            let digits = String(repeating: ColumnTests.digits(byte), count: count)
            return Cell(
                sqlite: name, postgres: other ?? name, sqliteValue: "x'\(digits)'", postgresValue: "'\\x\(digits)'")
        }

        static func id(_ name: String?, _ byte: Int, in other: String? = nil) -> Cell {
            let digits = String(repeating: ColumnTests.digits(byte), count: 16)
            return Cell(
                sqlite: name, postgres: other ?? name, sqliteValue: "x'\(digits)'", postgresValue: "'\(digits)'")
        }

        /// A reference to the row with this internal key in SQLite.
        static func row(_ name: String, _ row: Int) -> Cell {
            Cell(sqlite: name, postgres: nil, sqliteValue: "\(row)", postgresValue: "")
        }

        /// A value that only PostgreSQL has in this table.
        static func only(_ cell: Cell) -> Cell {
            var cell = cell
            cell.sqlite = nil
            return cell
        }
    }

    private static func digits(_ byte: Int) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }

    private static let owner: [Cell] = [.id(nil, 1, in: "app"), .id(nil, 2, in: "owner")]
    private static let scene: [Cell] = owner + [.only(.text("scene", "s"))]
    private static let archive: [Cell] = scene + [.id(nil, 4, in: "archive")]
    private static func context(_ first: Int, idiom: Int) -> [Cell] {
        [
            .int("idiom", idiom), .int("layout", 1), .text("bundle_version", "b\(first)"),
            .text("system_version", "s\(first)"), .int("state_version", first + 2),
        ]
    }
    private static func archive(_ content: Int, _ id: Int, _ first: Int, _ further: [Cell]) -> [Cell] {
        scene + [
            .row("scene", 1), .id("uuid", id), .row("content", content), .id("device", first),
            .int("captured_at", first + 1), .int("order_revision", first + 2), .int("sequence", first + 3),
            .int("revision", first + 4), .int("written_at", first + 5), .int("received_at", first + 6),
            .bytes("digest", first + 7), .int("size", 3), .text("place", "1:p,"), .int("object_count", first + 8),
            .int("reference_count", first + 9), .flag("is_view_only"),
        ] + context(first + 10, idiom: first / 10) + further
    }

    private static let rows: [(sqlite: String, postgres: String, cells: [Cell])] = [
        (
            "app", "app",
            [
                .id("uuid", 1), .text("bundle_identifier", "a.b"), .text("publishable_key", "pk_"),
                .int("created_at", 101), .text("settings", "{1}"), .text("data_sources", "{2}"),
            ]
        ),
        (
            "user", "users",
            [
                .id("app", 1), .id("uuid", 2, in: "owner"), .int("revision", 90), .int("pruned_revision", 2),
                .int("latest_time", 103), .int("created_at", 104), .bytes("subject_digest", 5), .bytes("subject", 6),
                .int("bytes", 107), .int("archives", 108), .int("first_restore_day", 109),
                .int("last_restore_day", 110), .int("seen_at", 151), .int("seen_bytes", 152), .row("id", 1),
                Cell(sqlite: nil, postgres: "scenes", sqliteValue: "", postgresValue: "1"),
                Cell(sqlite: nil, postgres: "held_scenes", sqliteValue: "", postgresValue: "1"),
            ]
        ),
        (
            "app_usage", "app_usage",
            [.id("app", 1), .int("bytes", 1), .int("archives", 2), .int("devices", 3), .int("users", 4)]
        ),
        (
            "device", "device",
            owner + [
                .row("id", 1), .row("user", 1), .id("uuid", 3), .int("idiom", 1), .text("model", "m"),
                .text("name", "n"), .text("system_version", "v"), .int("created_at", 111), .int("last_seen_at", 112),
                .int("joined_revision", 113), .int("counts_since", 114),
                .int("launch_number", 115), .text("launch", "l"),
            ]
        ),
        (
            "token", "token",
            owner + [
                .row("device", 1), .id(nil, 3, in: "device"), .bytes("digest", 7), .int("access", 1),
                .int("expires_at", 114),
            ]
        ),
        (
            "installation", "installation",
            owner + [
                .id("app", 1), .row("device", 1), .id(nil, 3, in: "device"), .id("uuid", 8), .bytes("secret", 9),
            ]
        ),
        (
            "link_code", "link_code",
            owner + [.row("user", 1), .bytes("digest", 10), .int("expires_at", 115), .id("used_by", 11)]
        ),
        (
            "scene", "scene",
            owner + [
                .row("id", 1), .row("user", 1), .text("name", "s"), .int("forgotten_at", 116),
                .int("forgotten_revision", 117),
            ]
        ),
        ("archive", "archive", archive(1, 4, 20, [.only(.bytes("bytes", 1, count: 3))])),
        (
            "deleted_archive", "archive",
            archive(2, 5, 50, [.int("deleted_at", 118), .only(.bytes("bytes", 2, count: 3))])
                + [.only(.text("screenshot_format", "png")), .only(.bytes("screenshot", 75))]
                + ["has_screenshot", "has_outcomes", "is_servable"].map { Cell.row($0, 0) }
        ),
        (
            "screenshot", "archive",
            [
                .row("content", 2), .text("format", "png", in: "screenshot_format"),
                .bytes("bytes", 75, in: "screenshot"),
            ]
        ),
        ("tombstone", "tombstone", scene + [.row("scene", 1), .id("uuid", 6, in: "archive"), .int("deleted_at", 119)]),
        ("served", "served", archive + [.row("content", 1), .id("device", 61), .int("at", 120)]),
        ("served_last", "served_last", archive + [.row("scene", 1), .row("content", 1), .id("device", 62)]),
        (
            "outcome", "outcome",
            archive + [
                .row("content", 1), .int("number", 7), .id("device", 63), .text("result", "restored"),
                .text("launch", "l"), .text("path", "p"), .int("step", 3), .int("duration", 122, in: "milliseconds"),
                .int("reported_at", 123),
            ] + context(64, idiom: 6)
        ),
        (
            "change", "change",
            owner + [
                Cell(sqlite: "id", postgres: "made_at", sqliteValue: "1", postgresValue: "to_timestamp(1 / 1e6)"),
                .row("user", 1), .int("revision", 71), .text("kind", "archiveStored"),
                .row("scene", 1), .only(.text("scene", "s")), .id("archive", 72), .id("device", 73), .int("at", 124),
            ]
        ),
        (
            "registry", "registry",
            owner + [
                .row("id", 1), .row("user", 1), .text("data_source", "d"), .id("device", 3), .int("cursor", 125),
                .bytes("digest", 74, count: 16), .int("count", 126), .int("removed", 127),
                .int("ambiguous", 128), .int("bytes", 129),
            ]
        ),
        ("item_text", "item", [.row("number", 9), .int("key", 130), .bytes("texts", 75)]),
        (
            "item", "item",
            owner + [
                .row("registry", 1), .row("number", 9), .int("key", 130), .int("position", 131),
                .int("changed_at", 132),
                .int("since", 133), .flag("is_reuse"), .bytes("aliases", 76, count: 8), .int("removed_at", 134),
                .int("replaced_by", 135),
            ]
        ),
        (
            "alias", "alias",
            owner + [
                .row("registry", 1), .row("item", 9), .int("key", 136, in: "alias"), .flag("live", in: "is_live"),
                Cell(sqlite: nil, postgres: "item", sqliteValue: "", postgresValue: "130"),
            ]
        ),
        ("ambiguous_alias", "ambiguous_alias", owner + [.row("registry", 1), .int("key", 137, in: "alias")]),
        (
            "link", "link",
            owner + [
                .row("user", 1), .text("data_source", "e"), .id("first_device", 77), .int("first_key", 138),
                .id("second_device", 78), .int("second_key", 139), .text("kind", "same"), .text("note", "n"),
                .int("at", 140), .bytes("first_texts", 79), .bytes("second_texts", 80),
            ]
        ),
        (
            "counter", "counter",
            [
                .int("hour", 141), .bytes("app", 1, count: 16), .text("name", "n"), .text("label", "l"),
                .int("count", 142),
            ]
        ),
        (
            "audit", "audit",
            [
                .int("id", 81, in: "number"), .bytes("app", 1, count: 16), .int("at", 143), .text("actor", "c"),
                .text("action", "a"), .bytes("subject", 82), .text("detail", "d"),
            ]
        ),
        (
            "restore_log", "restore_log",
            owner + [
                .int("id", 83, in: "position"), .id("app", 1), .int("kind", 1), .row("user", 1), .id("device", 84),
                .int("at", 144), .bytes("body", 85),
            ]
        ),
        (
            "administrator", "administrator",
            [
                .row("id", 1), .id("uuid", 86), .text("name", "n"), .text("role", "owner"),
                .bytes("password_salt", 87, in: "salt"), .bytes("password_key", 88, in: "key"),
                .int("created_at", 145), .int("last_seen_at", 146), .bytes("second_factor", 150),
            ]
        ),
        (
            "admin_session", "admin_session",
            [
                .bytes("digest", 89), .row("administrator", 1), .id(nil, 86, in: "administrator"),
                .int("created_at", 147), .int("last_used_at", 148),
            ]
        ),
        (
            "api_token", "api_token",
            [
                .id("uuid", 90), .bytes("digest", 91), .text("label", "l"), .text("role", "viewer"),
                .row("administrator", 1), .id(nil, 86, in: "creator"), .int("created_at", 149),
                .int("expires_at", 150), .int("last_used_at", 151),
            ]
        ),
    ]

    private static func insertion(_ table: String, _ cells: [Cell]) -> String {
        let own = cells.filter { $0.sqlite != nil }
        let names = own.compactMap(\.sqlite).joined(separator: ", ")
        return "INSERT INTO \(table) (\(names)) VALUES (\(own.map(\.sqliteValue).joined(separator: ", ")))"
    }

    private static func condition(_ cells: [Cell], _ name: KeyPath<Cell, String?>, _ value: KeyPath<Cell, String>)
        -> String
    {
        cells.compactMap { cell in cell[keyPath: name].map { "\($0) = \(cell[keyPath: value])" } }
            .joined(separator: " AND ")
    }

    @Test func keepsTheValueOfEachColumn() async throws {
        try await Places.use { places in
            await (try places.sqlite()).close()
            let file = places.directory() + "/placekeeper.sqlite"
            // The order does not matter: the database has no enforced references.
            for content in 1...2 {
                try Database.run(
                    "INSERT INTO content (id, encoding, bytes) VALUES (\(content), 0, x'0\(content)0\(content)0\(content)')",
                    in: file)
            }
            for row in Self.rows { try Database.run(Self.insertion(row.sqlite, row.cells), in: file) }
            _ = try places.toPostgres()
            for row in Self.rows {
                let condition = Self.condition(row.cells, \.postgres, \.postgresValue)
                let count = try places.run("SELECT count(*) FROM \(row.postgres) WHERE \(condition)")[0]
                    .first { row throws(StoreError) in try row.key() }
                #expect(count == 1, "\(row.sqlite): \(condition)")
            }
            _ = try places.toSQLite("back")
            let back = places.directory("back") + "/placekeeper.sqlite"
            for row in Self.rows {
                // Internal keys are given anew, and here they are the same, except the row of an item's text.
                let cells = row.cells.filter {
                    $0.sqliteValue != "9" && $0.sqlite != "is_servable" && $0.sqlite != "has_screenshot"
                }
                let condition = Self.condition(cells, \.sqlite, \.sqliteValue)
                let count = try Database.number("SELECT count(*) FROM \(row.sqlite) WHERE \(condition)", in: back)
                #expect(count == 1, "\(row.sqlite): \(condition)")
            }
        }
    }

    /// A new column of a table must be a column of the neutral form, or be named here.
    @Test func knowsEachColumnOfBothSchemas() async throws {
        try await Places.use { places in
            await (try places.sqlite()).close()
            let derived: [String: Set<String>] = [
                "user": ["last_change", "version"], "change": ["previous"], "scene": ["last_removal", "removed_at"],
                "archive": ["has_screenshot", "has_outcomes", "is_servable"],
            ]
            let file = places.directory() + "/placekeeper.sqlite"
            for (table, cells) in Dictionary(grouping: Self.rows, by: \.sqlite) {
                let known = Set(cells.flatMap { $0.cells.compactMap(\.sqlite) }).union(derived[table] ?? [])
                let names = try Database.texts("SELECT name FROM pragma_table_info('\(table)')", in: file)
                #expect(Set(names).subtracting(known).subtracting(["id"]) == [], "\(table)")
            }
            let tables = try Database.texts("SELECT name FROM sqlite_schema WHERE type = 'table'", in: file)
            // The index of heads is derived from the archives.
            let internals: Set = ["store", "content", "device_head", "sqlite_sequence"]
            #expect(Set(tables) == Set(Self.rows.map(\.sqlite)).union(internals))
            let postgres: [String: Set<String>] = [
                "app": ["version"], "app_usage": ["slot"], "users": ["version", "fresh_version", "access_version"],
                "archive": ["has_outcomes"], "change": ["made_at", "position", "transaction"],
                "registry": ["number", "last_ordinal"],
                "item": ["registry", "ordinal"], "alias": ["registry", "ordinal"], "ambiguous_alias": ["registry"],
            ]
            for (table, cells) in Dictionary(grouping: Self.rows, by: \.postgres) {
                let known = Set(cells.flatMap { $0.cells.compactMap(\.postgres) }).union(postgres[table] ?? [])
                let names = try places.run(
                    """
                    SELECT column_name::text FROM information_schema.columns
                    WHERE table_schema = current_schema() AND table_name = '\(table)'
                    """)[0].map { row throws(StoreError) in try row.text() }
                #expect(Set(names).subtracting(known) == [], "\(table)")
            }
            let names = try places.run("SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema()")[0]
                .map { row throws(StoreError) in try row.text() }
            #expect(Set(names) == Set(Self.rows.map(\.postgres)).union(["store", "lease", "device_head"]))
        }
    }
}
