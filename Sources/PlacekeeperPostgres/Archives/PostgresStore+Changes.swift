package import PlacekeeperCore
package import PlacekeeperService

extension PostgresStore {
    package func changes(
        of owner: UserKey, after revision: Revision, limit: Int
    ) async throws(StoreError) -> ChangePage {
        let results = try await read(
            Statement("SELECT revision, pruned_revision FROM users WHERE app = $1 AND owner = $2", owner.values),
            Statement(
                """
                SELECT \(Row.changeColumns) FROM change WHERE app = $1 AND owner = $2 AND revision > greatest($3,
                    (SELECT greatest(pruned_revision, revision - $5) FROM users WHERE app = $1 AND owner = $2))
                ORDER BY revision LIMIT $4
                """, owner.values + [.revision(revision), .int(limit), .int(Limits.changesBehind)]))
        let facts = try results[0].first { row throws(StoreError) in
            (latest: try row.revision(), pruned: try row.revision())
        }
        let latest = facts?.latest ?? Revision(rawValue: 0)
        let first = max(facts?.pruned.rawValue ?? 0, latest.rawValue - Int64(Limits.changesBehind))
        return ChangePage(
            changes: try results[1].map { row throws(StoreError) in try row.change() }, latest: latest,
            isTruncated: revision.rawValue < first || revision > latest)
    }

    package func changes(
        of app: AppID, after position: Int64, isReplay: Bool
    ) async throws(StoreError) -> AppChangePage {
        try await numberChanges()
        let end = position < .max - Int64(Limits.changesAtOnce) ? position + Int64(Limits.changesAtOnce) : position
        let results = try await read(
            Statement(Self.newestPosition),
            Statement(
                "SELECT count(*) FROM change WHERE position > $1 AND position <= $2", .int(position), .int(end)),
            Statement(
                """
                SELECT position, owner, \(Row.changeColumns) FROM change
                WHERE position > $1 AND position <= $2 AND app = $3 ORDER BY position
                """, .int(position), .int(end), .id(app)))
        let newest = max(0, try results[0].first { row throws(StoreError) in try row.number(.revision) } ?? 0)
        let truncated = AppChangePage(position: newest, isTruncated: true)
        guard 0...newest ~= position, !isReplay || newest - position <= Int64(Limits.appChangesBehind) else {
            return truncated
        }
        let last = min(newest, end)
        // The log has one change for each position, so a smaller count means that a change was dropped.
        let count = try results[1].first { row throws(StoreError) in try row.key() } ?? 0
        guard count == last - position else { return truncated }
        return AppChangePage(changes: try appChanges(results[2]), position: last, hasMore: last == end)
    }

    package func newestChanges(of app: AppID, limit: Int) async throws(StoreError) -> AppChangePage {
        try await numberChanges()
        let results = try await read(
            Statement(Self.newestPosition),
            Statement(
                """
                SELECT position, owner, \(Row.changeColumns) FROM change
                WHERE app = $1 AND position > (SELECT change_position - $3 FROM store) ORDER BY position DESC LIMIT $2
                """, .id(app), .int(limit), .int(Limits.appChangesBehind)))
        let newest = max(0, try results[0].first { row throws(StoreError) in try row.number(.revision) } ?? 0)
        return AppChangePage(changes: try appChanges(results[1]).reversed(), position: newest)
    }

    private func appChanges(_ rows: Rows) throws(StoreError) -> [AppChange] {
        try rows.map(leavingOut: damaged, "a change of the user", id: 1) { row throws(StoreError) in
            let (position, user): (Int64, UserID) = (try row.key(), try row.id())
            return AppChange(position: position, user: user, change: try row.change())
        }
    }

    private static let newestPosition = "SELECT change_position FROM store"
    /// How many changes get a position in one transaction.
    private static let numberedAtOnce: Int64 = 10_000

    /// Assigns positions to the changes without one, in the order they were made. The transaction locks the store's
    /// row, so positions have no gaps, and each becomes visible before all later ones.
    func numberChanges() async throws(StoreError) {
        while true {
            let waiting = try await rows(Self.countOfWaitingChanges)
            guard try waiting.first({ row throws(StoreError) in try row.key() }) ?? 0 > 0 else { return }
            let results = try await write(Self.numbering)
            guard results.count == 2 else { return }
        }
    }

    /// 1 if any changes wait for positions, otherwise 0.
    static let countOfWaitingChanges =
        "SELECT count(*) FROM (SELECT 1 FROM change WHERE position IS NULL LIMIT 1) AS waiting"

    /// The transaction that assigns positions to some of these changes.
    static var numbering: [Statement] {
        [
            Statement("UPDATE store SET change_position = change_position"),
            Statement(
                """
                WITH waiting AS (
                    SELECT app, owner, revision, row_number() OVER (ORDER BY made_at, app, owner, revision) AS place
                    FROM (
                        SELECT app, owner, revision,
                            max(made_at) OVER (PARTITION BY app, owner ORDER BY revision) AS made_at
                        FROM change WHERE position IS NULL) AS new
                    ORDER BY made_at, app, owner, revision LIMIT $1
                ), written AS (
                    UPDATE change SET position = store.change_position + waiting.place
                    FROM waiting, store
                    WHERE change.app = waiting.app AND change.owner = waiting.owner
                        AND change.revision = waiting.revision
                    RETURNING 1)
                UPDATE store SET change_position = change_position + (SELECT count(*) FROM written)
                """, .int(Self.numberedAtOnce)),
        ]
    }
}
