import RestorationService

extension Backup {
    /// Compares the tables of a database with those of its schema version. Throws `corrupt` if a table is missing, is a
    /// view, or has other columns or indexes: the service could not use such a database. Other tables and views are
    /// accepted, because operators may add them.
    static func checkTables(of connection: Connection) throws(StoreError) {
        let version = try Migrations.version(of: connection)
        let model = try Connection(path: ":memory:")
        try Migrations.apply(to: model, Array(Migrations.all.prefix(max(0, version))))
        let found = Set(try connection.values(tables))
        guard let missing = try model.values(tables).first(where: { !found.contains($0) }) else { return }
        let name = missing.prefix { $0 != " " }
        throw .corrupt("The table \(name) is missing, or differs from the table of schema version \(version).")
    }

    /// A line for each table, with all that its writers and readers rely on.
    private static let tables = """
        SELECT t.name || ' ' || t.wr || t.strict || ' ' || (
            SELECT group_concat(c.name || ' ' || c.type || c."notnull" || c.pk || c.hidden || ' ' || quote(c.dflt_value))
            FROM pragma_table_xinfo(t.name) AS c
        ) || ' ' || coalesce((
            SELECT group_concat(line) FROM (
                SELECT i.name || ' ' || i."unique" || i.partial || ' ' || (
                    SELECT group_concat(coalesce(x.name, '') || ' ' || x.desc || x.coll || x.key)
                    FROM pragma_index_xinfo(i.name) AS x
                ) AS line
                FROM pragma_index_list(t.name) AS i ORDER BY i.name
            )
        ), '')
        FROM pragma_table_list AS t WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite%'
        """
}
