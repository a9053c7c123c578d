package import PlacekeeperCore
import PlacekeeperService

extension PostgresStore {
    package func erase(_ owner: UserKey) async throws(StoreError) -> Committed<Bool> {
        try await writing(to: owner) { work, server, end throws(Failure) in
            guard let user = work.user(owner), user.exists else {
                try await self.commits.commit(.confirmation(of: [:], from: server), until: end)
                return Committed(false, .none)
            }
            try await self.erase(user, server, until: end)
            return Committed(true, .access(of: owner))
        }
    }

    /// Erases a user, unless another write came first.
    func erase(_ user: UserState, _ server: ServerIdentity?, until end: ContinuousClock.Instant) async throws(Failure) {
        var write = WriteStatements()
        write.requirements[user.key] = .user(user.key, version: user.version, raise: 1, nil)
        write.statements = Self.erasure(of: user.key)
        write.usage[user.key] = -(user.usage + Usage(devices: user.devices.count, users: 1))
        write.server = server
        try await commits.commit(write, until: end)
        tell(.access(of: user.key))
    }

    /// Performs a write without a `Rule` when it is the user's turn, and retries until no other write comes first. The
    /// closure receives the user's state and the server it was read from.
    func writing<Value: Sendable>(
        to owner: UserKey,
        _ write: @Sendable (Workspace, ServerIdentity?, ContinuousClock.Instant) async throws(Failure) -> Value
    ) async throws(StoreError) -> Value {
        try await retrying { attempt throws(Failure) in
            try await queues.run(for: [owner], until: attempt.end) { () throws(Failure) in
                _ = memory.take(owner)
                var work = Workspace()
                let server = try await load([.user(owner)], into: &work, until: attempt.end)
                return try await write(work, server, attempt.end)
            }
        }
    }
}

extension PostgresStore {
    /// The statements of a transaction that change the usage of apps. An app has a row for each of 32 slots, and a
    /// transaction changes the rows of one slot, so other transactions seldom wait for it. All transactions use the same
    /// order of apps.
    static func usageChanges(_ changes: [UserKey: Usage]) -> [Statement] {
        var sums: [AppID: Usage] = [:]
        for (owner, change) in changes { sums[owner.app, default: Usage()] += change }
        let slot = Int64.random(in: 0..<32)
        return sums.sorted { $0.key < $1.key }.map { app, change in
            Statement(
                """
                INSERT INTO app_usage (app, slot, bytes, archives, devices, users) VALUES ($1, $2, $3, $4, $5, $6)
                ON CONFLICT (app, slot) DO UPDATE SET bytes = app_usage.bytes + EXCLUDED.bytes,
                    archives = app_usage.archives + EXCLUDED.archives, devices = app_usage.devices + EXCLUDED.devices,
                    users = app_usage.users + EXCLUDED.users
                """,
                .id(app), .int(slot), .int(change.bytes), .int(change.archives), .int(change.devices),
                .int(change.users))
        }
    }

    /// The statements that delete everything stored for a user, including the user's row.
    static func erasure(of owner: UserKey) -> [Statement] {
        [
            // The versions of an erased user must never be repeated.
            """
            UPDATE store SET access_base = access_base + 1 + access_version,
                version_base = greatest(version_base, fresh_version + 1)
            FROM users WHERE users.app = $1 AND users.owner = $2
            """,
            "DELETE FROM token WHERE app = $1 AND owner = $2", "DELETE FROM installation WHERE app = $1 AND owner = $2",
            "DELETE FROM link_code WHERE app = $1 AND owner = $2", "DELETE FROM device WHERE app = $1 AND owner = $2",
            "DELETE FROM restore_log WHERE app = $1 AND owner = $2", "DELETE FROM link WHERE app = $1 AND owner = $2",
            "DELETE FROM ambiguous_alias WHERE app = $1 AND owner = $2",
            "DELETE FROM alias WHERE app = $1 AND owner = $2", "DELETE FROM item WHERE app = $1 AND owner = $2",
            "DELETE FROM registry WHERE app = $1 AND owner = $2", "DELETE FROM outcome WHERE app = $1 AND owner = $2",
            "DELETE FROM served WHERE app = $1 AND owner = $2", "DELETE FROM served_last WHERE app = $1 AND owner = $2",
            "DELETE FROM tombstone WHERE app = $1 AND owner = $2", "DELETE FROM archive WHERE app = $1 AND owner = $2",
            "DELETE FROM device_head WHERE app = $1 AND owner = $2",
            "DELETE FROM scene WHERE app = $1 AND owner = $2", "DELETE FROM change WHERE app = $1 AND owner = $2",
            "DELETE FROM users WHERE app = $1 AND owner = $2",
        ].map { Statement($0, owner.values) }
    }
}
