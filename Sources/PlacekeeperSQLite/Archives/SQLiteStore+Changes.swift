package import PlacekeeperCore
package import PlacekeeperService

extension SQLiteStore {
    package func changes(
        of owner: UserKey, after revision: Revision, limit: Int
    ) async throws(StoreError) -> ChangePage {
        try readers.read { connection throws(StoreError) in
            // Read the changes first, then `latest`. If a change is committed in between, `latest` covers it, and the
            // next page returns it.
            let page = try connection.statement(.changes, owner, revision, limit, Limits.changesBehind)
            var changes: [Change] = []
            while try page.step() { changes.append(try page.change()) }
            let state = try connection.statement(.stateOfChanges, owner)
            let zero = Revision(rawValue: 0)
            let (latest, pruned) = try state.step() ? (try state.revision(0), try state.revision(1)) : (zero, zero)
            let first = max(pruned.rawValue, latest.rawValue - Int64(Limits.changesBehind))
            return ChangePage(
                changes: changes, latest: latest, isTruncated: revision.rawValue < first || revision > latest)
        }
    }
}

extension Statement {
    fileprivate func change() throws(StoreError) -> Change {
        guard let kind = Change.Kind(rawValue: text(1)) else { throw .corrupt("A change has an unknown kind.") }
        return Change(
            revision: try revision(0), kind: kind, scene: optionalText(2), archive: try optionalID(3),
            device: try optionalID(4), at: try time(5))
    }
}

extension Query {
    fileprivate static let changes = Query(
        """
        WITH RECURSIVE mine (id, revision) AS (
            SELECT change.id, change.revision
            FROM user CROSS JOIN change ON change.id = user.last_change AND change.user = user.id
            WHERE app = ?1 AND uuid = ?2 AND change.revision > max(?3, pruned_revision, user.revision - ?5)
            UNION ALL
            SELECT change.id, change.revision FROM mine
            CROSS JOIN change AS newer ON newer.id = mine.id
            CROSS JOIN change ON change.id = newer.previous AND change.id < newer.id AND change.user = newer.user
            WHERE change.revision > max(
                ?3, (SELECT max(pruned_revision, revision - ?5) FROM user WHERE app = ?1 AND uuid = ?2))
        ), page (id) AS (SELECT id FROM mine ORDER BY revision LIMIT ?4)
        SELECT change.revision, kind, scene.name, archive, device, at
        FROM page CROSS JOIN change ON change.id = page.id LEFT JOIN scene ON scene.id = change.scene
        ORDER BY change.revision
        """)
    fileprivate static let stateOfChanges = Query(
        "SELECT revision, pruned_revision FROM user WHERE app = ?1 AND uuid = ?2")
}
