package import RestorationService

extension SQLiteStore {
    /// In small steps, between which other writes have their turn.
    package func prune(at time: Timestamp) async throws(StoreError) {
        try await writer.write { transaction throws(StoreError) in
            try transaction.drop(.expiredLinkCodes, time.milliseconds)
            try transaction.drop(.oldCounters, (time - Retention.counters).hour)
        }
        let tombstones = (time - Retention.tombstones).milliseconds
        while try await writer.write({ transaction throws(StoreError) in
            try transaction.drop(.oldTombstones, tombstones) > 0
        }) {}
        try await pruneChanges(before: time - Retention.changes)
    }

    private func pruneChanges(before time: Timestamp) async throws(StoreError) {
        var first: Int64 = 0
        while let users = try users(from: first) {
            let old = try readers.read { connection throws(StoreError) in
                let select = try connection.statement(.usersWithOldChanges)
                select.bind(users.lowerBound, at: 1)
                select.bind(users.upperBound, at: 2)
                select.bind(time, at: 3)
                var old: [Int64] = []
                while try select.step() { old.append(select.integer(0)) }
                return old
            }
            for user in old {
                try await writer.write { transaction throws(StoreError) in
                    try transaction.dropChanges(of: user, before: time)
                }
            }
            first = users.upperBound + 1
            await Task.yield()
        }
    }

    /// The next few users' rows; nil when there are none.
    private func users(from first: Int64) throws(StoreError) -> ClosedRange<Int64>? {
        try readers.read { connection throws(StoreError) in
            let select = try connection.statement(.nextUsers)
            select.bind(first, at: 1)
            guard try select.step(), !select.isNull(0) else { return nil }
            return select.integer(0)...select.integer(1)
        }
    }
}

extension Transaction {
    @discardableResult
    fileprivate func drop(_ query: Query, _ bound: Int64) throws(StoreError) -> Int {
        let delete = try connection.statement(query)
        delete.bind(bound, at: 1)
        try delete.run()
        return connection.changedRows
    }

    /// Drops a user's oldest changes, up to the first that is to be kept, and notes how far.
    fileprivate func dropChanges(of user: Int64, before time: Timestamp) throws(StoreError) {
        let update = try connection.statement(.notePrunedRevision)
        update.bind(user, at: 1)
        update.bind(time, at: 2)
        try update.run()
        let delete = try connection.statement(.dropPrunedChanges)
        delete.bind(user, at: 1)
        try delete.run()
    }
}

extension Query {
    fileprivate static let expiredLinkCodes = Query("DELETE FROM link_code WHERE expires_at <= ?1")
    fileprivate static let oldCounters = Query("DELETE FROM counter WHERE hour < ?1")
    fileprivate static let oldTombstones = Query(
        """
        DELETE FROM tombstone WHERE (scene, uuid) IN (
            SELECT scene, uuid FROM tombstone WHERE deleted_at < ?1 ORDER BY deleted_at LIMIT 1000)
        """)
    fileprivate static let nextUsers = Query(
        "SELECT min(id), max(id) FROM (SELECT id FROM user WHERE id >= ?1 ORDER BY id LIMIT 1000)")
    fileprivate static let usersWithOldChanges = Query(
        """
        SELECT id FROM user WHERE id BETWEEN ?1 AND ?2
            AND (SELECT at FROM change WHERE change.user = user.id ORDER BY change.revision LIMIT 1) < ?3
        """)
    // The last before the first that is kept; all when none is.
    fileprivate static let notePrunedRevision = Query(
        """
        UPDATE user SET pruned_revision = coalesce(
            (SELECT change.revision - 1 FROM change WHERE change.user = ?1 AND at >= ?2 ORDER BY change.revision LIMIT 1),
            revision)
        WHERE id = ?1
        """)
    fileprivate static let dropPrunedChanges = Query(
        "DELETE FROM change WHERE user = ?1 AND revision <= (SELECT pruned_revision FROM user WHERE id = ?1)")
}
