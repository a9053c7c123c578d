package import RestorationService

extension SQLiteStore {
    /// Prunes in small steps, so that other writes can run in between. If the task is canceled, the next call drops
    /// the remaining data.
    package func prune(at time: Timestamp) async throws(StoreError) {
        try await writer.write { transaction throws(StoreError) in
            try transaction.drop(.expiredLinkCodes, time.milliseconds)
            try transaction.drop(.oldCounters, (time - Retention.counters).hour)
            try transaction.dropExpiredAccess(at: time)
        }
        try await inSteps { transaction throws(StoreError) in
            try transaction.drop(.expiredTokens, time.milliseconds) > 0
        }
        let entries = (time - Retention.audit).milliseconds
        try await inSteps { transaction throws(StoreError) in try transaction.drop(.oldEntries, entries) > 0 }
        let logEntries = (time - Retention.restoreLog).milliseconds
        try await inSteps { transaction throws(StoreError) in try transaction.drop(.oldLogEntries, logEntries) > 0 }
        let tombstones = (time - Retention.tombstones).milliseconds
        // The tombstone of a deleted archive stays as long as the archive.
        try await inSteps { transaction throws(StoreError) in
            try transaction.keepingScenes { () throws(StoreError) in
                try transaction.endDeletions(.oldDeletions, tombstones, inSteps: true)
            }
        }
        try await inSteps { transaction throws(StoreError) in try transaction.drop(.oldTombstones, tombstones) > 0 }
        // The oldest changes are dropped first. The newest change always stays, because SQLite derives the id of the
        // next change from the greatest id in the table.
        let changes = time - Retention.changes
        try await inSteps { transaction throws(StoreError) in try transaction.dropChanges(before: changes) }
        try await inSteps { transaction throws(StoreError) in try transaction.dropEmptyScenes(before: changes) }
        let removed = time - Retention.tombstones
        var hasMore = true
        while hasMore, !Task.isCancelled {
            let step = try await writer.write(effects: { .prunedItems(of: $0.owners) }) {
                transaction throws(StoreError) in
                try transaction.dropRemovedItems(before: removed)
            }
            hasMore = step.value.hasMore
        }
        try await detachRegistriesOfMissingDevices()
        try await inSteps { transaction throws(StoreError) in try transaction.dropDetachedRegistries() }
        try await dropUsersWithoutDevices(before: time - Retention.usersWithoutDevices)
        try await sweep.tidy(by: writer)
    }

    /// Detaches the registrations of devices that no longer exist and that have no archives. The archives of a user are
    /// read while the writer works. This is safe, because a device that no longer exists gets no new archives.
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
                    _ = try await writer.write(effects: { .prunedItems(of: $0) }) {
                        transaction throws(StoreError) in
                        try transaction.leave(unneeded)
                        return try transaction.connection.owners(of: [user])
                    }
                }
                // This loop may run for many users, so it lets other tasks run.
                await Task.yield()
            }
        }
    }

    /// Returns registrations of devices that no longer exist, by user. Reads up to 1,000 registrations, of any device,
    /// with numbers greater than `first`. `last` is the number of the last registration that was read, or nil if none
    /// was read.
    func registriesOfMissingDevices(
        above first: Int64
    ) throws(StoreError) -> (registries: [Int64: [(id: Int64, device: DeviceID)]], last: Int64?) {
        try readers.read { connection throws(StoreError) in
            let select = try connection.statement(.registriesWithMissingDevices)
            select.bind(first, at: 1)
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

    /// Returns the devices that made the archives of a user, also of those whose deletion can be undone.
    func devicesWithArchives(of user: Int64) throws(StoreError) -> Set<DeviceID> {
        try readers.read { connection throws(StoreError) in
            let select = try connection.statement(.devicesWithArchives)
            select.bind(user, at: 1)
            var devices: Set<DeviceID> = []
            while try select.step() { devices.insert(try select.id(0)) }
            return devices
        }
    }

    /// Runs a step again and again, until the step returns false or the task is canceled.
    private func inSteps(
        _ step: @escaping @Sendable (Transaction) throws(StoreError) -> Bool
    ) async throws(StoreError) {
        while !Task.isCancelled, try await writer.write(step) {}
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

    /// Deletes at most 1,000 of the oldest changes, all made before `time`. Records, for each user of a deleted change,
    /// the greatest revision that was deleted. Returns false when no such changes are left.
    fileprivate func dropChanges(before time: Timestamp) throws(StoreError) -> Bool {
        let select = try connection.statement(.endOfOldChanges)
        select.bind(time, at: 1)
        guard try select.step(), !select.isNull(0) else { return false }
        let end = try select.key(0)
        let count = try select.key(1)
        try drop(.notePrunedRevisions, end)
        try drop(.dropOldChanges, end)
        return count == Int64(Self.step)
    }

    /// Checks at most `step` scenes whose last removal was before `time` and is older than all stored changes, and
    /// deletes the scenes that have neither archives nor tombstones. Returns false when no such scenes are left to
    /// check. A checked scene that is not deleted is skipped until one of its archives is removed again.
    ///
    /// Records, for each user of a checked scene, the revision at which the scene was forgotten. The change of this
    /// revision may have been dropped before it was old (`dropUnreadableChanges`), so `dropChanges` did not record it.
    fileprivate func dropEmptyScenes(before time: Timestamp) throws(StoreError) -> Bool {
        let select = try connection.statement(.endOfOldRemovals)
        select.bind(time, at: 1)
        guard try select.step(), !select.isNull(0) else { return false }
        let end = try select.key(0)
        let count = try select.key(1)
        try drop(.noteForgottenRevisions, end)
        try drop(.dropEmptyScenes, end)
        try drop(.passOverScenes, end)
        return count == Int64(Self.step)
    }

    private static let step = 1000
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
    // Selects the id of the last change to delete, and the number of changes to delete. The last change to delete is
    // the change before the first change that is kept.
    fileprivate static let endOfOldChanges = Query(
        """
        SELECT max(id), count(*) FROM (
            SELECT id, at, sum(at >= ?1) OVER (ORDER BY id) AS kept
            FROM (SELECT id, at FROM change WHERE id > 0 ORDER BY id LIMIT 1000)
        ) WHERE kept = 0
        """)
    fileprivate static let notePrunedRevisions = Query(
        """
        UPDATE user SET pruned_revision = old.revision
        FROM (
            SELECT user, max(revision) AS revision FROM change
            WHERE id <= ?1 AND typeof(revision) = 'integer' GROUP BY user) AS old
        WHERE user.id = old.user AND pruned_revision < old.revision
        """)
    fileprivate static let endOfOldRemovals = Query(
        """
        SELECT max(last_removal), count(*) FROM (
            SELECT last_removal, sum(coalesce(removed_at, 0) >= ?1) OVER (ORDER BY last_removal) AS kept
            FROM (
                SELECT last_removal, removed_at FROM scene WHERE last_removal < (SELECT min(id) FROM change)
                ORDER BY last_removal LIMIT 1000)
        ) WHERE kept = 0
        """)
    fileprivate static let noteForgottenRevisions = Query(
        """
        UPDATE user SET pruned_revision = old.revision
        FROM (
            SELECT user, max(forgotten_revision) AS revision FROM scene
            WHERE last_removal <= ?1 AND typeof(forgotten_revision) = 'integer' GROUP BY user) AS old
        WHERE user.id = old.user AND pruned_revision < old.revision
        """)
    fileprivate static let dropEmptyScenes = Query(
        """
        DELETE FROM scene WHERE last_removal <= ?1
            AND NOT EXISTS (SELECT 1 FROM archive WHERE archive.scene = scene.id)
            AND NOT EXISTS (SELECT 1 FROM tombstone WHERE tombstone.scene = scene.id)
            AND NOT EXISTS (SELECT 1 FROM deleted_archive WHERE deleted_archive.scene = scene.id)
        """)
    fileprivate static let passOverScenes = Query("UPDATE scene SET last_removal = NULL WHERE last_removal <= ?1")
    fileprivate static let dropOldChanges = Query(
        "DELETE FROM change WHERE id <= ?1 AND id < (SELECT max(id) FROM change)")
}
