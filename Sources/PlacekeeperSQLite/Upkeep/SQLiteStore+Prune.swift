package import PlacekeeperCore
import PlacekeeperService

extension SQLiteStore {
    /// Prunes in small steps, so other writes can run in between. If the task is canceled, the next call continues.
    package func prune(at time: Timestamp) async throws(StoreError) {
        try await writer.write { transaction throws(StoreError) in
            try transaction.drop(.expiredLinkCodes, time.milliseconds)
            try transaction.drop(.oldCounters, (time - Retention.counters).hour)
            try transaction.dropExpiredAccess(at: time)
        }
        try await inSteps { transaction throws(StoreError) in
            try transaction.drop(.expiredTokens, time.milliseconds) > 0
        }
        try await dropOldRows(of: .audit, before: time - Retention.audit, at: time)
        try await dropOldRows(of: .restoreLog, before: time - Retention.restoreLog, at: time)
        let tombstones = (time - Retention.tombstones).milliseconds
        // The tombstone of a deleted archive is kept as long as the archive.
        try await inSteps { transaction throws(StoreError) in
            transaction.users.forgetAll()
            return try transaction.endDeletions(.oldDeletions, tombstones, inSteps: true)
        }
        try await inSteps { transaction throws(StoreError) in
            transaction.users.forgetAll()
            return try transaction.drop(.oldTombstones, tombstones) > 0
        }
        try await dropOldRows(of: .changes, before: time - Retention.changes, at: time)
        try await dropOldRows(of: .emptyScenes, before: time - Retention.changes, at: time)
        let removed = time - Retention.tombstones
        var hasMore = true
        while hasMore, !Task.isCancelled {
            let step = try await writer.write(invalidations: { .prunedItems(of: $0.owners) }) {
                transaction throws(StoreError) in
                var owners: [UserKey] = []
                let hasMore = try transaction.step { () throws(StoreError) in
                    let step = try transaction.dropRemovedItems(before: removed)
                    owners = step.owners
                    return step.hasMore
                }
                return (owners: owners, hasMore: hasMore ?? false)
            }
            hasMore = step.value.hasMore
        }
        try await detachRegistriesOfMissingDevices()
        try await inSteps { transaction throws(StoreError) in try transaction.dropDetachedRegistries() }
        try await dropUnreachableUsers(at: time)
    }

    /// Detaches registrations of devices that no longer exist and have no archives. Reads a user's archives while the
    /// writer works, which is safe: a device that no longer exists gets no new archives.
    private func detachRegistriesOfMissingDevices() async throws(StoreError) {
        var last: Int64? = 0
        while let above = last, !Task.isCancelled {
            let found = try registriesOfMissingDevices(above: above)
            last = found.last
            for (user, registries) in found.registries where !Task.isCancelled {
                let needed = try damaged.leaveOut("the user in row \(user)") { () throws(StoreError) in
                    try devicesWithArchives(of: user)
                }
                guard let needed else { continue }
                let unneeded = registries.filter { !needed.contains($0.device) }.map(\.id)
                if !unneeded.isEmpty {
                    _ = try await writer.write(invalidations: { .prunedItems(of: $0) }) {
                        transaction throws(StoreError) in
                        try transaction.leave(unneeded)
                        return try transaction.connection.owners(of: [user])
                    }
                }
                // There may be many users, so let other tasks run.
                await Task.yield()
            }
        }
    }

    /// Returns registrations of devices that no longer exist, by user. Examines up to 1,000 registrations of any
    /// device, starting after row `first`. `last` is the row id of the last one examined, or `nil` if there was none.
    func registriesOfMissingDevices(
        above first: Int64
    ) throws(StoreError) -> (registries: [Int64: [(id: Int64, device: DeviceID)]], last: Int64?) {
        try readers.read { connection throws(StoreError) in
            let select = try connection.statement(.registriesWithMissingDevices, first)
            var registries: [Int64: [(id: Int64, device: DeviceID)]] = [:]
            var last: Int64?
            while try select.step() {
                let row = try select.key(0)
                last = row
                guard select.clampedNumber(3, .flag) != 0 else { continue }
                let found: (user: Int64, device: DeviceID)? = try damaged.leaveOut("the registration in row \(row)") {
                    () throws(StoreError) in (try select.key(1), try select.id(2))
                }
                if let found { registries[found.user, default: []].append((row, found.device)) }
            }
            return (registries, last)
        }
    }

    /// Returns the devices that made a user's archives, including archives whose deletion can be undone.
    func devicesWithArchives(of user: Int64) throws(StoreError) -> Set<DeviceID> {
        try readers.read { connection throws(StoreError) in
            let select = try connection.statement(.devicesWithArchives, user)
            var devices: Set<DeviceID> = []
            while try select.step() { devices.insert(try select.id(0)) }
            return devices
        }
    }

    /// Drops the old rows of a table that grows in order of time, 1,000 rows at a time. Stops at the first row that
    /// must still be kept, because all rows after it are newer. A row's time can be later than `time` if the clock was
    /// ahead; such a row neither ends the work nor protects older rows of other users.
    private func dropOldRows(of table: DatedTable, before bound: Timestamp, at time: Timestamp) async throws(StoreError)
    {
        var last: Int64? = 0
        while let above = last, !Task.isCancelled {
            last = try await writer.write { transaction throws(StoreError) in
                // Rows of users and scenes may change.
                transaction.users.forgetAll()
                return try transaction.dropOldRows(of: table, above: above, before: bound, at: time)
            }
        }
    }

    /// Repeats a step until it returns false or changes nothing, or the task is canceled.
    private func inSteps(
        _ step: @escaping @Sendable (Transaction) throws(StoreError) -> Bool
    ) async throws(StoreError) {
        var hasMore = true
        while hasMore, !Task.isCancelled {
            hasMore = try await writer.write { transaction throws(StoreError) in
                try transaction.step { () throws(StoreError) in try step(transaction) } ?? false
            }
        }
    }
}

extension Transaction {
    @discardableResult
    fileprivate func drop(_ query: Query, _ bound: Int64) throws(StoreError) -> Int {
        try connection.run(query, bound)
        return connection.changedRows
    }

    /// Drops the old rows among the next 1,000 after row `start`. Returns the number of the last of these rows, or
    /// `nil` when the work is done.
    fileprivate func dropOldRows(
        of table: DatedTable, above start: Int64, before bound: Timestamp, at time: Timestamp
    ) throws(StoreError) -> Int64? {
        let end: Int64
        let isLast: Bool
        do {
            let select = try connection.statement(table.part, start, bound, time)
            guard try select.step(), !select.isNull(0) else { return nil }
            end = try select.key(0)
            let (count, recent) = (try select.key(1), try select.key(2))
            isLast = count < DatedTable.part || recent > 0
        }
        for query in table.drop {
            try connection.run(query, start, end, bound)
        }
        return isLast ? nil : end
    }
}

/// A table whose rows are numbered in the order they were written.
private struct DatedTable: Sendable {
    /// The number of rows one transaction examines.
    static let part = 1000

    /// Examines the next part. Returns the number of the last row that may be dropped, the number of rows, and the
    /// number of rows dated between the bound and now. Rows from the first of these on are kept.
    let part: Query
    /// Drops the rows of a part that are older than the bound.
    let drop: [Query]

    private init(_ rows: String, _ drop: [Query]) {
        part = Query(
            """
            SELECT coalesce(min(iif(at BETWEEN ?2 AND ?3, number, NULL)) - 1, max(number)), count(*),
                sum(at BETWEEN ?2 AND ?3)
            FROM (\(rows) ORDER BY number LIMIT \(DatedTable.part))
            """)
        self.drop = drop
    }

    static let audit = DatedTable(
        "SELECT id AS number, at FROM audit WHERE id > ?1",
        [Query("DELETE FROM audit WHERE id > ?1 AND id <= ?2 AND at < ?3")])
    static let restoreLog = DatedTable(
        "SELECT id AS number, at FROM restore_log WHERE id > ?1",
        [Query("DELETE FROM restore_log WHERE id > ?1 AND id <= ?2 AND at < ?3")])

    /// The changes. Each user's oldest changes are dropped first, so the chain of the remaining ones is complete. After
    /// a change that isn't old, because the clock was ahead, the user's old changes are kept too.
    ///
    /// The newest change of all is always kept, because SQLite derives the id of the next change from the greatest id
    /// in the table. Each user's greatest revision that is too old is recorded, even if its change is kept.
    static let changes = DatedTable(
        "SELECT id AS number, at FROM change WHERE id > ?1",
        [
            Query(
                """
                UPDATE user SET pruned_revision = old.revision, version = version + 1
                FROM (SELECT user, max(revision) AS revision FROM change
                    WHERE \(oldChanges) AND typeof(revision) = 'integer' GROUP BY user) AS old
                WHERE user.id = old.user AND pruned_revision < old.revision
                """),
            Query("DELETE FROM change WHERE \(oldChanges) AND id < (SELECT max(id) FROM change)"),
        ])
    private static let oldChanges = """
        id > ?1 AND id <= ?2 AND at < ?3 AND NOT EXISTS (
            SELECT 1 FROM (SELECT user, min(id) AS first FROM change WHERE id <= ?2 AND at >= ?3 GROUP BY user) AS kept
            WHERE kept.user = change.user AND kept.first < change.id)
        """

    /// The scenes without archives and tombstones, in the order of their last removal. A scene is dropped once the
    /// change of that removal was dropped. An examined scene that isn't dropped is skipped until another of its
    /// archives is removed.
    ///
    /// For each user of an examined scene, records the revision at which the scene was deleted. The change of that
    /// deletion may have been dropped early (`RowChange.dropChanges`), before the pruning of changes could record it.
    static let emptyScenes = DatedTable(
        """
        SELECT last_removal AS number, coalesce(removed_at, 0) AS at FROM scene
        WHERE last_removal > ?1
        """,
        [
            Query(
                """
                UPDATE user SET pruned_revision = old.revision, version = version + 1
                FROM (SELECT user, max(forgotten_revision) AS revision FROM scene
                    WHERE \(oldRemovals) AND typeof(forgotten_revision) = 'integer' GROUP BY user) AS old
                WHERE user.id = old.user AND pruned_revision < old.revision
                """),
            Query(
                """
                DELETE FROM scene WHERE \(oldRemovals)
                    AND NOT EXISTS (SELECT 1 FROM archive WHERE archive.scene = scene.id)
                    AND NOT EXISTS (SELECT 1 FROM tombstone WHERE tombstone.scene = scene.id)
                    AND NOT EXISTS (SELECT 1 FROM deleted_archive WHERE deleted_archive.scene = scene.id)
                """),
            Query("UPDATE scene SET last_removal = NULL WHERE \(oldRemovals)"),
        ])
    private static let oldRemovals = """
        last_removal > ?1 AND last_removal <= ?2 AND coalesce(removed_at, 0) < ?3
            AND NOT EXISTS (SELECT 1 FROM change WHERE change.id = scene.last_removal)
        """
}

extension Query {
    fileprivate static let registriesWithMissingDevices = Query(
        """
        SELECT id, user, device,
            user IS NOT NULL AND NOT EXISTS (SELECT 1 FROM device WHERE device.uuid = registry.device)
        FROM registry WHERE id > ?1 ORDER BY id LIMIT 1000
        """)
    fileprivate static let devicesWithArchives = Query(
        """
        SELECT device FROM scene CROSS JOIN archive ON archive.scene = scene.id WHERE scene.user = ?1
        UNION
        SELECT device FROM scene CROSS JOIN deleted_archive ON deleted_archive.scene = scene.id WHERE scene.user = ?1
        """)
    fileprivate static let expiredLinkCodes = Query("DELETE FROM link_code WHERE expires_at <= ?1")
    fileprivate static let expiredTokens = Query(
        """
        DELETE FROM token WHERE digest IN (
            SELECT digest FROM token WHERE expires_at IS NOT NULL AND expires_at <= ?1 ORDER BY expires_at LIMIT 1000)
        """)
    fileprivate static let oldCounters = Query("DELETE FROM counter WHERE hour < ?1")
    fileprivate static let oldTombstones = Query(
        """
        DELETE FROM tombstone WHERE (scene, uuid) IN (
            SELECT scene, uuid FROM tombstone WHERE deleted_at < ?1 ORDER BY deleted_at LIMIT 1000)
        """)
}
