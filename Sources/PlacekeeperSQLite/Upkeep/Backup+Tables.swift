import PlacekeeperCore
import PlacekeeperService

extension Backup {
    /// Compares a database's tables with those of its schema version. Throws `corrupt` for anything the service
    /// couldn't use: a missing table, a view in its place, a column or index that is missing or different, or an extra
    /// unique index. Operators may add tables, views, columns and other indexes.
    static func checkTables(of connection: Connection) throws(StoreError) {
        let version = try Migrations.version(of: connection)
        let model = try Connection(path: ":memory:")
        if version > 0 { try Migrations.apply(to: model, through: version) }
        let found = Set(try connection.values(tables))
        let expected = try model.values(tables)
        let wrong =
            expected.first { !found.contains($0) }
            ?? found.subtracting(expected).first { $0.hasSuffix(" unique") }
        guard let wrong else { return }
        let name = wrong.prefix { $0 != " " }
        throw .corrupt("The table \(name) is missing, or differs from the table of schema version \(version).")
    }

    /// A line for each table, column and index, with everything that readers and writers rely on.
    private static let tables = """
        WITH t AS (
            SELECT name, wr, strict FROM pragma_table_list
            WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%')
        SELECT t.name || ' ' || t.wr || t.strict FROM t
        UNION ALL
        SELECT t.name || ' ' || c.name || ' ' || c.type || c."notnull" || c.pk || c.hidden || ' ' || quote(c.dflt_value)
        FROM t, pragma_table_xinfo(t.name) AS c
        UNION ALL
        SELECT t.name || ' ' || i.name || ' ' || i.partial || ' ' || (
            SELECT group_concat(coalesce(x.name, '') || ' ' || x.desc || x.coll || x.key)
            FROM pragma_index_xinfo(i.name) AS x) || iif(i."unique", ' unique', '')
        FROM t, pragma_index_list(t.name) AS i
        """
}
