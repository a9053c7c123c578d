package import PlacekeeperCore
package import PlacekeeperService

extension SQLiteStore {
    package func changes(
        of app: AppID, after position: Int64, isReplay: Bool
    ) async throws(StoreError) -> AppChangePage {
        try readers.readAtOnce { connection throws(StoreError) in
            let newest = try connection.newestChange()
            let (behind, overflow) = newest.subtractingReportingOverflow(position)
            guard !overflow, 0...(isReplay ? Int64(Limits.appChangesBehind) : .max) ~= behind else {
                return AppChangePage(position: newest, isTruncated: true)
            }
            var page = AppChangePage(position: position)
            let select = try connection.statement(.changesOfAll, app, position, Limits.changesAtOnce)
            var count = 0
            while try select.step() {
                let id = try select.key(0)
                // SQLite numbers changes without gaps, so a missing number means a dropped change.
                guard id == page.position &+ 1 else { return AppChangePage(position: newest, isTruncated: true) }
                page.position = id
                count += 1
                guard try select.optionalNumber(1, .flag) == 1 else { continue }
                let change = try damaged.leaveOut("a change of the user \(select.idText(2))") { () throws(StoreError) in
                    try select.appChange()
                }
                if let change { page.changes.append(change) }
            }
            page.hasMore = count == Limits.changesAtOnce
            return page
        }
    }

    package func newestChanges(of app: AppID, limit: Int) async throws(StoreError) -> AppChangePage {
        try readers.readAtOnce { connection throws(StoreError) in
            var page = AppChangePage(position: try connection.newestChange())
            let select = try connection.statement(.newestChangesOfApp, app)
            // In a damaged database, the position may be any number.
            select.bind(max(page.position, 0) - Int64(Limits.appChangesBehind), at: 2)
            let changes = try select.rows(
                atMost: limit, leavingOut: damaged, named: { "a change of the user \($0.idText(2))" }
            ) { row throws(StoreError) in try row.appChange() }
            page.changes = changes.reversed()
            return page
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
        guard let kind = Change.Kind(rawValue: text(4)) else { throw .corrupt("A change has an unknown kind.") }
        return AppChange(
            position: try key(0), user: try id(2),
            change: Change(
                revision: try revision(3), kind: kind, scene: optionalText(5), archive: try optionalID(6),
                device: try optionalID(7), at: try time(8)))
    }
}

extension Query {
    private static let columns = """
        SELECT change.id, user.app = ?1, user.uuid, change.revision, kind, scene.name, archive, device, at
        """
    fileprivate static let newestChangeOfAll = Query("SELECT coalesce(max(id), 0) FROM change")
    private static let joins = "LEFT JOIN scene ON scene.id = change.scene WHERE change.id > ?2"
    // Changes of other apps are read too: without them, a gap in the numbers wouldn't mean a dropped change.
    fileprivate static let changesOfAll = Query(
        "\(columns) FROM change LEFT JOIN user ON user.id = change.user \(joins) ORDER BY change.id LIMIT ?3")
    fileprivate static let newestChangesOfApp = Query(
        """
        \(columns) FROM change CROSS JOIN user ON user.id = change.user \(joins) AND user.app = ?1
        ORDER BY change.id DESC
        """)
}
