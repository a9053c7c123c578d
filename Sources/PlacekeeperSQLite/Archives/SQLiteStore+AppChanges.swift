package import PlacekeeperCore
package import PlacekeeperService

extension SQLiteStore {
    package func changes(of app: AppID, after cursor: String) async throws(StoreError) -> AppChangePage {
        try readers.readAtOnce { connection throws(StoreError) in
            let newest = try connection.newestChange()
            // In a damaged database, the number may be any.
            let (oldest, overflow) = newest.subtractingReportingOverflow(Int64(Limits.appChangesBehind))
            guard let position = Int64(cursor), !overflow, max(0, oldest) <= position, position <= newest else {
                return AppChangePage(cursor: "\(newest)", isTruncated: true)
            }
            let select = try connection.statement(.changesOfApp, app, position)
            let changes = try select.rows(
                atMost: Limits.appChangesBehind, leavingOut: damaged,
                named: { "a change of the user \($0.idText(1))" }
            ) { row throws(StoreError) in try row.appChange() }
            return AppChangePage(changes: changes, cursor: "\(newest)")
        }
    }

    package func newestChanges(of app: AppID, limit: Int) async throws(StoreError) -> AppChangePage {
        try readers.readAtOnce { connection throws(StoreError) in
            let newest = try connection.newestChange()
            let select = try connection.statement(.newestChangesOfApp, app)
            select.bind(max(newest, 0) - Int64(Limits.appChangesBehind), at: 2)
            let changes = try select.rows(
                atMost: limit, leavingOut: damaged, named: { "a change of the user \($0.idText(1))" }
            ) { row throws(StoreError) in try row.appChange() }
            return AppChangePage(changes: changes.reversed(), cursor: "\(newest)")
        }
    }
}

extension Connection {
    /// Returns the number of the newest change of all users, or 0 if there is none.
    fileprivate func newestChange() throws(StoreError) -> Int64 {
        let select = try statement(.newestChangeOfAll)
        return try select.step() ? select.key(0) : 0
    }
}

extension Statement {
    fileprivate func appChange() throws(StoreError) -> AppChange {
        guard let kind = Change.Kind(rawValue: text(3)) else { throw .corrupt("A change has an unknown kind.") }
        return AppChange(
            cursor: "\(try key(0))", user: try id(1),
            change: Change(
                revision: try revision(2), kind: kind, scene: optionalText(4), archive: try optionalID(5),
                device: try optionalID(6), at: try time(7)))
    }
}

extension Query {
    fileprivate static let newestChangeOfAll = Query("SELECT coalesce(max(id), 0) FROM change")
    private static let changes = """
        SELECT change.id, user.uuid, change.revision, kind, scene.name, archive, device, at
        FROM change CROSS JOIN user ON user.id = change.user LEFT JOIN scene ON scene.id = change.scene
        WHERE change.id > ?2 AND user.app = ?1 ORDER BY change.id
        """
    fileprivate static let changesOfApp = Query(changes)
    fileprivate static let newestChangesOfApp = Query(changes + " DESC")
}
