import PlacekeeperService

/// The statements that read and write a table in the neutral form. The neutral form uses PostgreSQL's table and column
/// names, so most statements can be derived from the table.
struct TransferStatements {
    var rows: String
    var count: String
    var insert: String
    /// The number of leading columns that identify a row's group, if an additional parameter numbers each group's rows.
    var group: Int?

    init(_ table: TransferTable) {
        let names = table.columns.map(\.name)
        let columns = names.joined(separator: ", ")
        let key = names.prefix(table.key ?? 0).joined(separator: ", ")
        rows = "SELECT \(columns) FROM \(table.name) ORDER BY \(key)"
        count = "SELECT count(*) FROM \(table.name)"
        insert = "INSERT INTO \(table.name) (\(columns)) SELECT \(columns) FROM \(Self.new(names))"
        switch table {
        case .store:
            insert = """
                UPDATE store SET lookup_secret = new.lookup_secret, restore_log_position = new.restore_log_position
                FROM \(Self.new(names))
                """
        case .users:
            // Versions start at the current time, as for any new user.
            insert = """
                INSERT INTO users (\(columns), scenes, held_scenes, version, fresh_version, access_version)
                SELECT \(columns), 0, 0, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint,
                    (extract(epoch FROM clock_timestamp()) * 1000000)::bigint, 0
                FROM \(Self.new(names))
                """
        case .appUsage:
            rows = """
                SELECT app, sum(bytes)::bigint, sum(archives)::bigint, sum(devices)::bigint, sum(users)::bigint
                FROM app_usage GROUP BY app ORDER BY app
                """
            count = "SELECT count(DISTINCT app) FROM app_usage"
            insert = "INSERT INTO app_usage (\(columns), slot) SELECT \(columns), 0 FROM \(Self.new(names))"
        case .scene:
            // A change keeps the name of a dropped scene. In SQLite, a change refers to its scene's row.
            let scenes = """
                (SELECT \(columns) FROM scene UNION ALL
                SELECT DISTINCT app, owner, scene, NULL::bigint, NULL::bigint FROM change
                WHERE scene IS NOT NULL AND NOT EXISTS (SELECT 1 FROM scene WHERE scene.app = change.app
                    AND scene.owner = change.owner AND scene.name = change.scene)) AS scenes
                """
            rows = "SELECT \(columns) FROM \(scenes) ORDER BY \(key)"
            count = "SELECT count(*) FROM \(scenes)"
        case .restoreLog:
            // An erasure may have left entries without a user.
            let entries = """
                restore_log WHERE owner IS NULL OR EXISTS (
                    SELECT 1 FROM users WHERE users.app = restore_log.app AND users.owner = restore_log.owner)
                """
            rows = "SELECT \(columns) FROM \(entries) ORDER BY \(key)"
            count = "SELECT count(*) FROM \(entries)"
        case .change:
            // The number of a change is its place in the order in which the changes were made. Changes without a
            // transaction are older (`ChangeCursor`). Transferred changes have none: `made_at` keeps their order.
            let own = names.dropFirst().joined(separator: ", ")
            rows = """
                SELECT row_number() OVER (ORDER BY latest NULLS FIRST, latest_time, app, owner, revision) AS number, \(own)
                FROM (
                    SELECT *, max(made_at) OVER (PARTITION BY app, owner ORDER BY revision) AS latest_time,
                        max(CASE WHEN \(ChangeCursor.isKnown) THEN transaction::text::bigint END)
                            OVER (PARTITION BY app, owner ORDER BY revision) AS latest
                    FROM change) AS known
                ORDER BY number
                """
            insert = """
                INSERT INTO change (\(own), made_at, transaction)
                SELECT \(own), to_timestamp(number / 1e6), NULL FROM \(Self.new(names))
                """
        case .registry:
            rows = "SELECT \(columns) FROM registry ORDER BY app, owner, number"
            insert = """
                INSERT INTO registry (\(columns), number, last_ordinal) SELECT \(columns), number, 0
                FROM \(Self.new(names + ["number"]))
                """
            group = 2
        case .item: setItem(names)
        case .alias: setAlias(names)
        case .ambiguousAlias:
            rows = Self.ofRegistry(table, order: "alias")
            insert = """
                INSERT INTO ambiguous_alias (app, owner, registry, alias)
                SELECT new.app, new.owner, \(Self.number), alias FROM \(Self.new(names))
                """
        default: break
        }
    }

    private mutating func setItem(_ names: [String]) {
        let own = names.dropFirst(4).joined(separator: ", ")
        // All ordinals are greater than 0; the condition lets the database use the index.
        rows = Self.ofRegistry(.item, where: "stored.ordinal > 0", order: "ordinal")
        insert = """
            INSERT INTO item (app, owner, registry, ordinal, \(own))
            SELECT new.app, new.owner, \(Self.number), ordinal, \(own) FROM \(Self.new(names + ["ordinal"]))
            """
        group = 4
    }

    private mutating func setAlias(_ names: [String]) {
        rows = Self.ofRegistry(.alias, order: "alias, stored.is_live, stored.ordinal")
        // The limits make the server look up each row by its key.
        insert = """
            INSERT INTO alias (app, owner, registry, alias, is_live, ordinal, item)
            SELECT new.app, new.owner, known.registry, new.alias, new.is_live, known.ordinal, new.item
            FROM \(Self.new(names)) CROSS JOIN LATERAL (
                SELECT registry, ordinal FROM item
                WHERE item.app = new.app AND item.owner = new.owner AND item.registry = \(Self.number)
                    AND item.key = new.item
                LIMIT 1) AS known
            """
    }

    /// The parameters as rows.
    private static func new(_ names: [String]) -> String {
        let parameters = names.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        return "unnest(\(parameters)) AS new (\(names.joined(separator: ", ")))"
    }

    /// The number of a new row's registration.
    private static let number = """
        (SELECT number FROM registry WHERE registry.app = new.app AND registry.owner = new.owner
            AND registry.data_source = new.data_source AND registry.device = new.device)
        """

    /// Selects the rows of registrations.
    private static func ofRegistry(
        _ table: TransferTable, where condition: String = "true", order: String
    ) -> String {
        let own = table.columns.dropFirst(4).map { "stored." + $0.name }.joined(separator: ", ")
        return """
            SELECT stored.app, stored.owner, registry.data_source, registry.device, \(own)
            FROM \(table.name) AS stored JOIN registry ON registry.app = stored.app AND registry.owner = stored.owner
                AND registry.number = stored.registry
            WHERE \(condition)
            ORDER BY stored.app, stored.owner, stored.registry, stored.\(order)
            """
    }

    /// The statements that derive the values that exist only in PostgreSQL.
    static let derivations = [
        "DELETE FROM device_head", "\(Schema.indexHeads) \(Schema.ofEachHead)",
        """
        UPDATE users SET scenes = counted.scenes, held_scenes = counted.held FROM (
            SELECT app, owner, count(*) AS scenes, count(*) FILTER (WHERE EXISTS (
                SELECT 1 FROM archive WHERE archive.app = scene.app AND archive.owner = scene.owner
                    AND archive.scene = scene.name AND deleted_at IS NULL)) AS held
            FROM scene GROUP BY app, owner) AS counted
        WHERE users.app = counted.app AND users.owner = counted.owner
        """,
        """
        UPDATE registry SET last_ordinal = counted.last FROM (
            SELECT app, owner, registry AS number, max(ordinal) AS last FROM item GROUP BY app, owner, registry) AS counted
        WHERE registry.app = counted.app AND registry.owner = counted.owner AND registry.number = counted.number
        """,
        "UPDATE store SET audit_number = greatest(audit_number, (SELECT max(number) FROM audit))",
    ]
}
