import PlacekeeperConcurrency
package import PlacekeeperCore
package import PlacekeeperService

extension PostgresStore {
    /// Throws if the database can't be read. Failing writes only set a warning: all instances share the database, so
    /// they would all fail this check, and reads would fail too.
    package func check() async throws(StoreError) {
        let written: Result<Void, StoreError>
        do throws(StoreError) {
            try await write([Statement("UPDATE store SET checks = checks + 1")], within: .seconds(2))
            written = .success(())
        } catch {
            written = .failure(error)
            _ = try await rows("SELECT checks FROM store")
        }
        writeFault.withLock { fault in
            fault = if case .failure(let error) = written { "writes fail: \(error.message)" } else { nil }
        }
    }

    package var warnings: [String] { writeFault.withLock { $0.map { [$0] } ?? [] } }

    /// The bytes of archives, screenshots and items, plus about half a kilobyte for each device and for the other
    /// columns of each archive.
    package func usedBytes() async throws(StoreError) -> Int {
        try await rows("SELECT coalesce(sum(bytes + 512 * archives + 512 * devices), 0)::bigint FROM app_usage")
            .first { row throws(StoreError) in Int(try row.clampedNumber(.count)) } ?? 0
    }

    package func fileSizes() async throws(StoreError) -> FileSizes? {
        try await rows("SELECT pg_database_size(current_database())").first { row throws(StoreError) in
            FileSizes(database: Int(try row.clampedNumber(.count)))
        }
    }

    package func prune(at time: Timestamp) async throws(StoreError) {
        try await write([
            Statement("DELETE FROM counter WHERE hour < $1", .int((time - Retention.counters).hour)),
            Statement("DELETE FROM audit WHERE at < $1", .time(time - Retention.audit)),
            Statement("DELETE FROM restore_log WHERE at < $1", .time(time - Retention.restoreLog)),
            Statement("DELETE FROM api_token WHERE expires_at <= $1", .time(time)),
            Statement(
                "DELETE FROM admin_session WHERE least(last_used_at + $2, created_at + $3) <= $1", .time(time),
                .int(AdminSession.idleTime.wholeMilliseconds), .int(AdminSession.lifetime.wholeMilliseconds)),
        ])
        var last: UserKey?
        while true {
            let owners = try await ownersToPrune(at: time, after: last)
            guard let end = owners.last else { return }
            try await prune(owners, at: time)
            last = end
        }
    }

    /// The number of users who are pruned at the same time. They share transactions, so pruning takes less than half
    /// of the time, and other reads and writes still have connections.
    private static let prunedAtOnce = 4

    private func prune(_ owners: [UserKey], at time: Timestamp) async throws(StoreError) {
        let failure = await withTaskGroup(of: StoreError?.self) { group in
            var failure: StoreError?
            for (number, owner) in owners.enumerated() {
                if number >= Self.prunedAtOnce, let ended = await group.next() { failure = failure ?? ended }
                guard failure == nil else { break }
                group.addTask {
                    do throws(StoreError) {
                        try await self.damaged.leaveOut(chore: "pruning", for: owner) { () async throws(StoreError) in
                            try await self.prune(owner, at: time)
                        }
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            for await ended in group { failure = failure ?? ended }
            return failure
        }
        if let failure { throw failure }
    }

    /// Returns up to 100,000 users for whom something may have expired, in order of their keys.
    private func ownersToPrune(at time: Timestamp, after last: UserKey?) async throws(StoreError) -> [UserKey] {
        try await rows(
            """
            SELECT DISTINCT app, owner FROM (
                SELECT app, owner FROM link_code WHERE expires_at <= $1
                UNION ALL SELECT app, owner FROM token WHERE expires_at <= $1
                UNION ALL SELECT app, owner FROM change WHERE at < $2
                UNION ALL SELECT app, owner FROM tombstone WHERE deleted_at < $3
                UNION ALL SELECT app, owner FROM archive WHERE deleted_at < $3
                UNION ALL SELECT app, owner FROM item WHERE removed_at < $3
                UNION ALL SELECT app, owner FROM scene
                WHERE (forgotten_at IS NULL OR forgotten_at < $2) AND NOT EXISTS (
                    SELECT 1 FROM archive WHERE archive.app = scene.app AND archive.owner = scene.owner
                        AND archive.scene = scene.name)
                UNION ALL SELECT app, owner FROM registry WHERE NOT EXISTS (
                    SELECT 1 FROM device WHERE device.app = registry.app AND device.owner = registry.owner
                        AND device.uuid = registry.device)
                UNION ALL SELECT app, owner FROM users
                WHERE subject_digest IS NULL AND coalesce(latest_time, created_at) < $4 AND NOT EXISTS (
                    SELECT 1 FROM device WHERE device.app = users.app AND device.owner = users.owner)
            ) AS found
            WHERE (app, owner) > ($5, $6) ORDER BY app, owner LIMIT 100000
            """, .time(time), .time(time - Retention.changes), .time(time - Retention.tombstones),
            .time(time - Retention.usersWithoutDevices), .id(last?.app ?? .least), .id(last?.user ?? .least)
        ).map { row throws(StoreError) in try row.owner() }
    }

    private func prune(_ owner: UserKey, at time: Timestamp) async throws(StoreError) {
        try await writing(to: owner) { work, server, end throws(Failure) in
            guard let user = work.user(owner), user.exists else { return }
            let facts = try await self.pruningFacts(of: owner, at: time, until: end)
            let isUnreachable = UserPruning.isUnreachable(
                isAnonymous: user.subject == nil, latestTime: facts.latestTime, createdAt: user.createdAt,
                hasDevices: !user.devices.isEmpty, hasLinkCodes: facts.hasLinkCodes, at: time)
            if isUnreachable { return try await self.erase(user, server, until: end) }
            let pruning = UserPruning(of: facts.changes, facts.emptyScenes, prunedThrough: user.prunedThrough, at: time)
            let items = try await self.expiredItems(of: owner, at: time)
            var counts = user.sceneCounts ?? UserState.SceneCounts()
            counts.known -= pruning.scenes.count
            let bytes = Usage(bytes: -items.bytes)
            var write = WriteStatements()
            write.requirements[owner] = .user(
                owner, version: user.version, raise: 1,
                TableRow.UserValues(
                    revision: user.revision, prunedThrough: pruning.prunedThrough, latestTime: nil,
                    createdAt: user.createdAt, subject: nil, usage: (user.usage + bytes).clamped, scenes: counts.known,
                    heldScenes: counts.held, raisesFresh: !items.statements.isEmpty, raisesAccess: false))
            write.statements = Self.drop(pruning, of: owner, at: time) + items.statements
            if items.bytes != 0 { write.usage[owner] = bytes }
            write.server = server
            try await self.commits.commit(write, until: end)
            if !items.statements.isEmpty { self.tell(.write(to: owner)) }
        }
    }

    private struct PruningFacts {
        var latestTime: Timestamp?
        var hasLinkCodes = false
        var changes: [(revision: Revision, at: Timestamp)] = []
        var emptyScenes: [UserPruning.EmptyScene] = []
    }

    private func pruningFacts(
        of owner: UserKey, at time: Timestamp, until end: ContinuousClock.Instant
    ) async throws(Failure) -> PruningFacts {
        let bound = Value.time(time - Retention.tombstones)
        let ofScene = "app = $1 AND owner = $2 AND scene = scenes.name"
        let results = try await pool.read(
            [
                Statement(
                    """
                    SELECT latest_time, EXISTS (
                        SELECT 1 FROM link_code WHERE app = $1 AND owner = $2 AND expires_at > $3)
                    FROM users WHERE app = $1 AND owner = $2
                    """, owner.values + [.time(time)]),
                Statement(
                    "SELECT revision, at FROM change WHERE app = $1 AND owner = $2 ORDER BY revision", owner.values),
                Statement(
                    """
                    SELECT name, forgotten_at, forgotten_revision FROM scene AS scenes
                    WHERE app = $1 AND owner = $2
                        AND NOT EXISTS (SELECT 1 FROM archive WHERE \(ofScene) AND (deleted_at IS NULL OR deleted_at >= $3))
                        AND NOT EXISTS (SELECT 1 FROM tombstone WHERE \(ofScene) AND deleted_at >= $3)
                    """, owner.values + [bound]),
            ], until: end)
        do throws(StoreError) {
            var facts = PruningFacts()
            if let user = try results[0].first({ row throws(StoreError) in (try row.optionalTime(), try row.bool()) }) {
                (facts.latestTime, facts.hasLinkCodes) = user
            }
            facts.changes = try results[1].map { row throws(StoreError) in (try row.revision(), try row.time()) }
            facts.emptyScenes = try results[2].map { row throws(StoreError) in
                let (name, at) = (try row.text(), try row.optionalTime())
                let forgotten: CaptureOrder.Forgotten? =
                    if let at { CaptureOrder.Forgotten(at: at, revision: try row.revision()) } else { nil }
                return UserPruning.EmptyScene(name: name, forgotten: forgotten)
            }
            return facts
        } catch {
            throw .store(error)
        }
    }

    /// The statements that drop what has expired, except items.
    private static func drop(_ pruning: UserPruning, of owner: UserKey, at time: Timestamp) -> [Statement] {
        let bound = owner.values + [.time(time - Retention.tombstones)]
        let now = owner.values + [.time(time)]
        let expired = "archive.deleted_at < $3"
        var statements = ["link_code", "token"].map {
            Statement("DELETE FROM \($0) WHERE app = $1 AND owner = $2 AND expires_at <= $3", now)
        }
        // The tombstone of a deleted archive is kept as long as the archive.
        statements += ["outcome", "served", "served_last"].map {
            Statement(
                """
                DELETE FROM \($0) USING archive WHERE \($0).app = $1 AND \($0).owner = $2 AND archive.app = $1
                    AND archive.owner = $2 AND archive.scene = \($0).scene AND archive.uuid = \($0).archive AND \(expired)
                """, bound)
        }
        statements.append(Statement("DELETE FROM archive WHERE app = $1 AND owner = $2 AND \(expired)", bound))
        statements.append(Statement("DELETE FROM tombstone WHERE app = $1 AND owner = $2 AND deleted_at < $3", bound))
        if let end = pruning.droppedThrough {
            statements.append(
                Statement(
                    "DELETE FROM change WHERE app = $1 AND owner = $2 AND revision <= $3",
                    owner.values + [.revision(end)]))
        }
        if !pruning.scenes.isEmpty {
            statements.append(
                Statement(
                    "DELETE FROM scene WHERE app = $1 AND owner = $2 AND name = ANY($3)",
                    owner.values + [.texts(pruning.scenes)]))
        }
        return statements
    }

    /// Returns the statements that drop items removed long ago and registrations no longer needed, and the size of
    /// these items' texts in bytes.
    private func expiredItems(
        of owner: UserKey, at time: Timestamp
    ) async throws(Failure) -> (statements: [Statement], bytes: Int) {
        // A revoked device's registration is needed as long as any of its archives is kept.
        let unused = """
            NOT EXISTS (SELECT 1 FROM device WHERE device.uuid = registry.device)
                AND NOT EXISTS (SELECT 1 FROM archive WHERE archive.app = $1 AND archive.owner = $2
                    AND archive.device = registry.device AND (deleted_at IS NULL OR deleted_at >= $3))
            """
        let before = time - Retention.tombstones
        let values = owner.values + [.time(before)]
        let results = try await pool.read([
            Statement(
                """
                SELECT number, bytes FROM registry WHERE app = $1 AND owner = $2 AND \(unused)
                """, values),
            Statement(
                """
                SELECT item.registry, count(*), sum(octet_length(item.texts))::bigint FROM item
                JOIN registry ON registry.app = $1 AND registry.owner = $2 AND registry.number = item.registry
                WHERE item.app = $1 AND item.owner = $2 AND item.removed_at < $3 AND NOT (\(unused))
                GROUP BY item.registry
                """, values),
        ])
        do throws(StoreError) {
            let dropped = try results[0].map { row throws(StoreError) in (number: try row.key(), bytes: try row.count())
            }
            let expired = try results[1].map { row throws(StoreError) in
                (registry: try row.key(), count: try row.count(), bytes: try row.count())
            }
            let bytes = dropped.reduce(0) { $0 + $1.bytes } + expired.reduce(0) { $0 + $1.bytes }
            var statements: [Statement] = []
            if !dropped.isEmpty { statements += Self.drop(dropped.map(\.number), of: owner) }
            for part in expired { statements += Self.forget(part, before: before, of: owner) }
            return (statements, bytes)
        } catch {
            throw .store(error)
        }
    }

    private static func drop(_ registries: [Int64], of owner: UserKey) -> [Statement] {
        let values = owner.values + [.ints(registries)]
        return [
            "DELETE FROM ambiguous_alias WHERE app = $1 AND owner = $2 AND registry = ANY($3)",
            "DELETE FROM alias WHERE app = $1 AND owner = $2 AND registry = ANY($3)",
            "DELETE FROM item WHERE app = $1 AND owner = $2 AND registry = ANY($3)",
            "DELETE FROM registry WHERE app = $1 AND owner = $2 AND number = ANY($3)",
        ].map { Statement($0, values) }
    }

    private static func forget(
        _ part: (registry: Int64, count: Int, bytes: Int), before time: Timestamp, of owner: UserKey
    ) -> [Statement] {
        let values = owner.values + [.int(part.registry), .time(time)]
        return [
            Statement(
                """
                DELETE FROM alias WHERE app = $1 AND owner = $2 AND registry = $3 AND NOT is_live AND ordinal IN (
                    SELECT ordinal FROM item WHERE app = $1 AND owner = $2 AND registry = $3 AND removed_at < $4)
                """, values),
            Statement(
                "DELETE FROM item WHERE app = $1 AND owner = $2 AND registry = $3 AND removed_at < $4", values),
            Statement(
                """
                UPDATE registry SET removed = removed - $4, bytes = bytes - $5
                WHERE app = $1 AND owner = $2 AND number = $3
                """, owner.values + [.int(part.registry), .int(part.count), .int(part.bytes)]),
        ]
    }
}
