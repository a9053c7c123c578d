package import PlacekeeperCore
package import PlacekeeperService

extension InMemoryStore {
    // Changes

    package func changes(of owner: UserKey, after revision: Revision, limit: Int) -> ChangePage {
        let user = users[owner] ?? UserRecord()
        let first = max(user.prunedThrough.rawValue, user.latest.rawValue - Int64(Limits.changesBehind))
        let changes = user.changes.lazy.filter { $0.revision.rawValue > max(revision.rawValue, first) }.prefix(limit)
        return ChangePage(
            changes: Array(changes), latest: user.latest,
            isTruncated: revision.rawValue < first || revision > user.latest)
    }

    package func changes(of app: AppID, after cursor: String) -> AppChangePage {
        let newest = allChanges.count
        guard let first = Int(cursor), max(0, newest - Limits.appChangesBehind)...newest ~= first else {
            return AppChangePage(cursor: "\(newest)", isTruncated: true)
        }
        return AppChangePage(changes: (first..<newest).compactMap { appChange($0, of: app) }, cursor: "\(newest)")
    }

    package func newestChanges(of app: AppID, limit: Int) -> AppChangePage {
        let found = allChanges.indices.suffix(Limits.appChangesBehind).reversed().lazy.compactMap { index in
            self.appChange(index, of: app)
        }.prefix(limit)
        return AppChangePage(changes: found.reversed(), cursor: "\(allChanges.count)")
    }

    /// Returns a change, unless it was dropped or is another app's.
    private func appChange(_ index: Int, of app: AppID) -> AppChange? {
        let (owner, change) = allChanges[index]
        guard owner.app == app, users[owner]?.changes.contains(change) == true else { return nil }
        return AppChange(cursor: "\(index + 1)", user: owner.user, change: change)
    }

    // Upkeep

    package func latestTime(of owner: UserKey) -> Timestamp? { users[owner]?.latestTime }
    package func latestTime() -> Timestamp? { users.values.compactMap(\.latestTime).max() }

    package func add(_ counts: [Counter: Int]) { counters.merge(counts, uniquingKeysWith: +) }

    package func counts(from start: Timestamp, to end: Timestamp) -> [Counter: Int] {
        counters.filter { (start.hour..<max(start.hour, end.hour + 1)).contains($0.key.hour) }
    }

    package func counts(
        of app: AppID?, named name: String?, from start: Timestamp, to end: Timestamp, each hours: Int
    ) -> [Counter: Int] {
        var sums = CounterSums(from: start.hour, each: hours)
        for (one, count) in counts(from: start, to: end) where one.app == app && (name == nil || one.name == name) {
            sums.add(count, hour: one.hour, app: app, name: one.name, labelAndGroup: one.labelAndGroup)
        }
        return sums.counts
    }

    package func dropCounts(named name: String, after time: Timestamp) {
        counters = counters.filter { $0.key.hour <= time.hour || $0.key.name != name }
    }

    package func prune(at time: Timestamp) {
        linkCodes = linkCodes.filter { time < $0.value.expiresAt }
        auditLog.removeAll { $0.at < time - Retention.audit }
        restoreLog.removeAll { $0.entry.at < time - Retention.restoreLog }
        usedLinkCodes = usedLinkCodes.filter { linkCodes[$0.key] != nil }
        sessions = sessions.filter { time < $0.value.idleExpiresAt }
        apiTokens = apiTokens.filter { $0.value.token.expiresAt.map { time < $0 } ?? true }
        tokens = tokens.filter { $0.value.expiresAt.map { time < $0 } ?? true }
        counters = counters.filter { (time - Retention.counters).hour <= $0.key.hour }
        users = users.mapValues { pruned($0, at: time) }
        pruneItems(at: time)
        _ = commit((), removeUsersWithoutDevices(at: time))
        _ = commit((), .prunedItems(of: lists.keys.map(\.owner)))
    }

    private func pruned(_ user: UserRecord, at time: Timestamp) -> UserRecord {
        var user = user
        user.scenes = user.scenes.mapValues { scene in
            var scene = scene
            scene.endDeletions { _, deletedAt in !Retention.isUndoable(deletedAt, at: time) }
            scene.tombstones = scene.tombstones.filter { time - Retention.tombstones <= $0.value }
            return scene
        }
        let empty = user.scenes.filter { _, scene in
            scene.archives.isEmpty && scene.tombstones.isEmpty && scene.deleted.isEmpty
        }
        let pruning = UserPruning(
            of: user.changes.map { ($0.revision, $0.at) },
            empty.map { UserPruning.EmptyScene(name: $0.key, forgotten: $0.value.forgotten) },
            prunedThrough: user.prunedThrough, at: time)
        user.prunedThrough = pruning.prunedThrough
        if let end = pruning.droppedThrough { user.changes.removeAll { $0.revision <= end } }
        for name in pruning.scenes { user.scenes[name] = nil }
        return user
    }

    package func check() {}

    /// Returns the total size of archives and screenshots, in bytes.
    package func usedBytes() -> Int {
        let archives = users.values.lazy.flatMap(\.scenes.values).flatMap {
            $0.archives + $0.deleted.values.map(\.stored)
        }
        return archives.reduce(0) { $0 + $1.bytes.count + ($1.screenshot?.bytes.count ?? 0) }
    }

    package func close() {}
}
