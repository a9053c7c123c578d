import PlacekeeperService

/// The statements that store the differences between the loaded data and the data after a write. The first statements
/// require the versions that were loaded, so nothing is stored if another write was first.
struct Differences {
    let before: Loaded
    let after: OldMemoryStore.Contents
    private(set) var write = WriteStatements()
    /// The changes that the write adds to the users' logs.
    var newChanges: [ChangeKey] = []
    /// The users whose versions the write raises (`Effects`).
    private let effects: Effects
    /// The change of the bytes of a user's items by further statements of the write.
    private let itemBytes: [UserKey: Int]
    /// The scenes before and after the write, of users that still exist.
    let scenes: (before: [SceneKey: OldMemoryStore.SceneRecord], after: [SceneKey: OldMemoryStore.SceneRecord])

    init(
        from before: Loaded, to after: OldMemoryStore.Contents, _ effects: Effects, itemBytes: [UserKey: Int] = [:]
    ) {
        self.before = before
        self.after = after
        self.effects = effects
        self.itemBytes = itemBytes
        scenes = (Self.scenes(of: before.contents, in: after), Self.scenes(of: after, in: after))
        addDevices()
        addTokens()
        addInstallations()
        addLinkCodes()
        addScenes()
        addArchives()
        addChanges()
        let owners = Set(before.users.keys).union(after.users.keys)
        for owner in owners where before.users[owner] != nil && after.users[owner] == nil {
            write.statements += PostgresStore.erasure(of: owner)
        }
        guard !write.isEmpty || !effects.users.isEmpty || itemBytes.values.contains(where: { $0 != 0 }) else { return }
        for owner in owners { write.requirements[owner] = requirement(of: owner) }
        write.usage = appUsage(owners)
    }

    private static func scenes(
        of contents: OldMemoryStore.Contents, in after: OldMemoryStore.Contents
    ) -> [SceneKey: OldMemoryStore.SceneRecord] {
        var scenes: [SceneKey: OldMemoryStore.SceneRecord] = [:]
        for (owner, user) in contents.users where after.users[owner] != nil {
            for (name, scene) in user.scenes { scenes[SceneKey(owner: owner, name: name)] = scene }
        }
        return scenes
    }

    mutating func add(_ kind: RowChange.Kind, _ values: [Value]) { write.rows.append(RowChange(kind, values)) }
    mutating func add(_ sql: String, _ values: [Value]) { write.statements.append(Statement(sql, values)) }
    mutating func add(_ sql: String, _ values: Value...) { write.statements.append(Statement(sql, values)) }

    /// Requires the version of a user that was loaded, and stores the user's row.
    private func requirement(of owner: UserKey) -> RowChange {
        let known = before.users[owner]?.version
        // A user without a row afterwards had one before.
        guard let user = after.users[owner] else { return .user(owner, version: known ?? 0, raise: 1, nil) }
        let values = RowChange.UserValues(
            revision: user.latest, prunedThrough: user.prunedThrough, latestTime: user.latestTime,
            createdAt: user.createdAt, subject: user.subject, usage: usage(of: owner), scenes: user.sceneCount,
            heldScenes: user.heldSceneCount, raisesFresh: effects.users.contains(owner),
            raisesAccess: effects.access.contains(owner))
        return known.map { .user(owner, version: $0, raise: 1, values) } ?? .newUser(owner, values)
    }

    /// The bytes and the archives of a user after the write.
    private func usage(of owner: UserKey) -> Usage {
        guard let user = after.users[owner] else { return Usage() }
        var usage = user.usage + Usage(bytes: itemBytes[owner, default: 0])
        usage.bytes -= leavingItemBytes(of: owner)
        return usage.clamped
    }

    /// The bytes of the items of devices that leave the user, whose items are dropped.
    private func leavingItemBytes(of owner: UserKey) -> Int {
        leaving.filter { $0.owner == owner }.reduce(0) { $0 + (before.users[owner]?.itemBytes[$1.id] ?? 0) }
    }

    /// The devices that move to another user, as they were before.
    var leaving: [Device] {
        before.contents.devices.values.filter { device in
            after.devices[device.id].map { $0.owner != device.owner } ?? false
        }
    }

    private func appUsage(_ owners: Set<UserKey>) -> [UserKey: Usage] {
        var changes: [UserKey: Usage] = [:]
        for owner in owners {
            let known = before.users[owner]
            let devices = (before.contents.devices.values, after.devices.values)
            let earlier =
                known.map { $0.usage + Usage(devices: devices.0.count { $0.owner == owner }, users: 1) } ?? Usage()
            let later =
                usage(of: owner)
                + Usage(devices: devices.1.count { $0.owner == owner }, users: after.users[owner] == nil ? 0 : 1)
            if later != earlier { changes[owner] = later + -earlier }
        }
        return changes
    }
}

extension PostgresStore {
    /// The statements that change the usage of apps. The order of the rows is the same in all transactions.
    static func usageChanges(_ changes: [UserKey: Usage]) -> [Statement] {
        var sums: [UsageRow: Usage] = [:]
        for (owner, change) in changes {
            sums[UsageRow(app: owner.app, slot: Int64(owner.user.low % 32)), default: Usage()] += change
        }
        return sums.sorted { ($0.key.app, $0.key.slot) < ($1.key.app, $1.key.slot) }.map { row, change in
            Statement(
                """
                INSERT INTO app_usage (app, slot, bytes, archives, devices, users) VALUES ($1, $2, $3, $4, $5, $6)
                ON CONFLICT (app, slot) DO UPDATE SET bytes = app_usage.bytes + EXCLUDED.bytes,
                    archives = app_usage.archives + EXCLUDED.archives, devices = app_usage.devices + EXCLUDED.devices,
                    users = app_usage.users + EXCLUDED.users
                """,
                .id(row.app), .int(row.slot), .int(change.bytes), .int(change.archives), .int(change.devices),
                .int(change.users))
        }
    }

    private struct UsageRow: Hashable {
        var app: AppID
        var slot: Int64
    }

    /// The statements that delete everything that is stored for a user, the user's row included.
    static func erasure(of owner: UserKey) -> [Statement] {
        [
            // The versions of an erased user must not come back. Changes without a position leave a gap in the log of all
            // changes, so that its readers learn that changes were dropped.
            """
            UPDATE store SET change_position = change_position + (
                SELECT count(*) FROM change WHERE app = $1 AND owner = $2 AND position IS NULL),
                access_base = access_base + 1 + access_version, version_base = greatest(version_base, fresh_version + 1)
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
            "DELETE FROM scene WHERE app = $1 AND owner = $2", "DELETE FROM change WHERE app = $1 AND owner = $2",
            "DELETE FROM users WHERE app = $1 AND owner = $2",
        ].map { Statement($0, owner.values) }
    }
}
