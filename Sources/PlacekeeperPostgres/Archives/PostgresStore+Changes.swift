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

    package func changes(of app: AppID, after cursor: String) async throws(StoreError) -> AppChangePage {
        guard ChangeCursor.isCursor(cursor) else {
            return AppChangePage(cursor: try await newestChanges(of: app, limit: 0).cursor, isTruncated: true)
        }
        let results = try await read(
            Statement(ChangeCursor.current),
            Statement(
                "SELECT count(*) FROM (\(ChangeCursor.later)) AS later", .text(cursor),
                .int(Limits.appChangesBehind + 1)),
            Statement(
                """
                SELECT owner, \(Row.changeColumns) FROM (\(ChangeCursor.later)) AS later
                WHERE app = $3 ORDER BY transaction, owner, revision
                """, .text(cursor), .int(Limits.appChangesBehind), .id(app)))
        let current = try currentCursor(results[0])
        let count = try results[1].first { row throws(StoreError) in try row.count() } ?? 0
        guard count <= Limits.appChangesBehind, ChangeCursor.isCursor(cursor, before: current) else {
            return AppChangePage(cursor: current, isTruncated: true)
        }
        return AppChangePage(changes: try appChanges(results[2], from: cursor, to: current), cursor: current)
    }

    package func newestChanges(of app: AppID, limit: Int) async throws(StoreError) -> AppChangePage {
        let results = try await read(
            Statement(ChangeCursor.current),
            Statement(
                """
                SELECT owner, \(Row.changeColumns) FROM (
                    SELECT * FROM change WHERE \(ChangeCursor.isKnown) ORDER BY transaction DESC LIMIT $3) AS newest
                WHERE app = $1 ORDER BY transaction DESC, owner DESC, revision DESC LIMIT $2
                """, .id(app), .int(limit), .int(Limits.appChangesBehind)))
        let current = try currentCursor(results[0])
        return AppChangePage(
            changes: try appChanges(results[1], from: current, to: current).reversed(), cursor: current)
    }

    private func currentCursor(_ rows: Rows) throws(StoreError) -> String {
        guard let cursor = try rows.first({ row throws(StoreError) in try row.text() }) else {
            throw .corrupt("The database returned no snapshot.")
        }
        return cursor
    }

    /// Reads the changes between two cursors. Only the last one has the later cursor: a reader that got no more than the
    /// first ones reads all of them again.
    private func appChanges(_ rows: Rows, from start: String, to end: String) throws(StoreError) -> [AppChange] {
        var changes = try rows.map(leavingOut: damaged, "a change of the user", id: 0) { row throws(StoreError) in
            AppChange(cursor: start, user: try row.id(), change: try row.change())
        }
        if let last = changes.indices.last { changes[last].cursor = end }
        return changes
    }
}

/// A cursor in the log of all changes: a snapshot of the database, as PostgreSQL writes it (`pg_snapshot`). The changes
/// after it are those of transactions that hadn't ended then. So no change is missed, in whichever order transactions
/// end. Nothing numbers the changes (docs/decisions/0095-changes-are-not-numbered.md).
enum ChangeCursor {
    static let current = "SELECT pg_current_snapshot()::text"
    /// Whether a change has a transaction of this cluster. A change from before schema version 5 has none. After a
    /// dump was restored into another cluster, the numbers in it may be higher than any of this cluster.
    static let isKnown = "transaction < pg_snapshot_xmax(pg_current_snapshot())"
    /// The changes after the cursor $1: up to $2 of transactions that began later, and up to $2 of transactions that were
    /// in progress. The two are searched for separately, so a transaction that runs for hours makes no search longer.
    static let later = """
        (SELECT * FROM change WHERE transaction >= pg_snapshot_xmax($1::pg_snapshot) AND \(isKnown)
            ORDER BY transaction LIMIT $2)
        UNION ALL (
            SELECT * FROM change
            WHERE transaction = ANY (ARRAY(SELECT pg_snapshot_xip($1::pg_snapshot))) AND \(isKnown) LIMIT $2)
        """

    /// Whether PostgreSQL can read a text as a snapshot: `xmin:xmax:`, then the transactions in between that hadn't
    /// ended, ascending.
    static func isCursor(_ text: String) -> Bool { numbers(text) != nil }

    /// Whether a cursor is older than another one of the same cluster.
    static func isCursor(_ text: String, before later: String) -> Bool {
        guard let cursor = numbers(text), let later = numbers(later) else { return false }
        return cursor.first <= later.first && cursor.end <= later.end
    }

    private static func numbers(_ text: String) -> (first: Int64, end: Int64)? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let first = number(parts[0]), let end = number(parts[1]), first <= end,
            isTransaction(first), isTransaction(end)
        else { return nil }
        var last = first - 1
        if parts[2].isEmpty { return (first, end) }
        for part in parts[2].split(separator: ",", omittingEmptySubsequences: false) {
            guard let number = number(part), last < number, number < end else { return nil }
            last = number
        }
        return (first, end)
    }

    /// No transaction has a number whose lower half is 0.
    private static func isTransaction(_ number: Int64) -> Bool { UInt32(truncatingIfNeeded: number) != 0 }

    private static func number(_ digits: Substring) -> Int64? {
        digits.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ? Int64(digits) : nil
    }
}
