import PlacekeeperCore
import PlacekeeperService

/// The statements that load what a rule needs, and the closures that read their rows.
struct Loading {
    var statements: [Statement] = []
    var readers: [(Rows) throws(StoreError) -> Void] = []

    mutating func add(
        _ sql: String, _ values: [Value], _ read: @escaping (Rows) throws(StoreError) -> Void
    ) {
        statements.append(Statement(sql, values))
        readers.append(read)
    }

    /// Adds a statement and a closure that reads each of its rows.
    mutating func add(
        _ sql: String, _ values: [Value], each read: @escaping (inout Row) throws(StoreError) -> Void
    ) {
        add(sql, values) { rows throws(StoreError) in
            for index in 0..<rows.count {
                var row = Row(rows, index)
                try read(&row)
            }
        }
    }
}

extension PostgresStore {
    /// Loads data that a rule needs, all from the same state of the database. Returns the server it was read from.
    func load(
        _ needs: [Need], into work: inout Workspace, until end: ContinuousClock.Instant
    ) async throws(Failure) -> ServerIdentity? {
        var loading = Loading()
        // Everything else needs the users.
        for need in needs {
            guard let owner = need.owner, work.user(owner) == nil else { continue }
            let user = UserState(owner)
            work.add(user)
            loading.add(user)
        }
        var usages: [AppID: Usage] = [:]
        var owners: [OwnerLookup: UserKey] = [:]
        var scenes: [UserKey: [SceneState]] = [:]
        var tombstones: [SceneKey: [ArchiveID]] = [:]
        for need in needs where !work.isLoaded(need) {
            if let key = need.scene, let user = work.user(key.owner), user.scenes[key.name] == nil {
                let scene = SceneState(key)
                user.scenes[key.name] = scene
                scenes[key.owner, default: []].append(scene)
            }
            guard let owner = need.owner, let user = work.user(owner) else {
                if case .usage(let app) = need {
                    loading.add(
                        Self.appUsage, [.id(app)], each: { row throws(StoreError) in usages[app] = try row.usage() })
                } else if case .owner(let lookup) = need {
                    loading.add(
                        lookup.sql, lookup.values,
                        each: { row throws(StoreError) in
                            owners[lookup] = try row.owner()
                        })
                }
                continue
            }
            if case .tombstone(let id, let key) = need { tombstones[key, default: []].append(id) }
            loading.add(need, of: user)
        }
        for states in scenes.values { loading.add(states) }
        for (key, ids) in tombstones {
            if let scene = work.user(key.owner)?.scenes[key.name] { loading.addTombstones(ids, of: scene) }
        }
        let (results, server) = try await pool.readFromServer(loading.statements, until: end)
        do throws(StoreError) {
            for (rows, read) in zip(results, loading.readers) { try read(rows) }
        } catch {
            throw .store(error)
        }
        for need in needs {
            if case .usage(let app) = need, !work.isLoaded(need) { work.add(usages[app] ?? Usage(), of: app) }
            if case .owner(let lookup) = need { work.add(owners[lookup], for: lookup) }
        }
        return server
    }
}

extension Loading {
    mutating func add(_ user: UserState) {
        add(
            Self.userRow, user.key.values,
            each: { row throws(StoreError) in
                user.exists = true
                user.version = try row.number(.version)
                (user.revision, user.prunedThrough) = (try row.revision(), try row.revision())
                (user.createdAt, user.subject) = (try row.time(), try row.optionalDigest())
                user.usage = Usage(bytes: try row.count(), archives: try row.count())
                user.sceneCounts = UserState.SceneCounts(known: try row.count(), held: try row.count())
                user.latestTime = try row.optionalTime()
            })
        add(
            "SELECT uuid, joined_revision, counts_since FROM device WHERE app = $1 AND owner = $2", user.key.values,
            each: {
                row throws(StoreError) in
                let device: DeviceID = try row.id()
                user.devices[device] = UserState.DeviceState(
                    joined: try row.revision(), countsSince: try row.revision())
            })
    }

    /// Adds something a user's state needs, except scenes and their tombstones.
    fileprivate mutating func add(_ need: Need, of user: UserState) {
        switch need {
        case .access: addAccess(of: user)
        case .scenes: addHeldScenes(of: user)
        case .details(let id, let key):
            guard let scene = user.scenes[key.name] else { return }
            addDetails(of: id, scene)
        case .deletions(let key):
            guard let scene = user.scenes[key.name] else { return }
            addDeletions(of: scene)
        case .itemBytes(let device, _):
            user.itemBytes[device] = 0
            add(
                "SELECT bytes FROM registry WHERE app = $1 AND owner = $2 AND device = $3",
                user.key.values + [.id(device)],
                each: { row throws(StoreError) in
                    user.itemBytes[device, default: 0] += try row.count()
                })
        case .links(let list):
            user.links[list.dataSource] = []
            add(
                """
                SELECT first_device, first_key, second_device, second_key FROM link
                WHERE app = $1 AND owner = $2 AND data_source = $3
                """, user.key.values + [.text(list.dataSource)],
                each: { row throws(StoreError) in
                    user.links[list.dataSource]?.insert(LinkEnds(try row.end(), try row.end()))
                })
        case .user, .sceneCounts, .scene, .tombstone, .usage, .owner: break
        }
    }

    private mutating func addAccess(of user: UserState) {
        user.access = Access()
        let values = user.key.values
        add(
            "SELECT \(Row.deviceColumns), \(PostgresStore.isSignedIn) FROM device WHERE app = $1 AND owner = $2",
            values,
            each: { row throws(StoreError) in
                let device = try row.device()
                user.access?.devices[device.id] = device
            })
        add(
            "SELECT device, digest, access, expires_at FROM token WHERE app = $1 AND owner = $2", values,
            each: { row throws(StoreError) in
                let (device, digest): (DeviceID, Digest) = (try row.id(), try row.digest())
                user.access?.tokens[digest] = Access.TokenRecord(
                    device: device, access: try row.access(), expiresAt: try row.optionalTime())
            })
        add(
            "SELECT device, uuid, secret FROM installation WHERE app = $1 AND owner = $2", values,
            each: { row throws(StoreError) in
                let (device, id): (DeviceID, InstallationID) = (try row.id(), try row.id())
                user.access?.installations[id] = Access.InstallationRecord(secret: try row.digest(), device: device)
            })
        add(
            "SELECT digest, expires_at, used_by FROM link_code WHERE app = $1 AND owner = $2", values,
            each: { row throws(StoreError) in
                let digest = try row.digest()
                user.access?.codes[digest] = Access.CodeRecord(
                    expiresAt: try row.time(), usedBy: try row.optionalID())
            })
    }

    private mutating func addDetails(of id: ArchiveID, _ scene: SceneState) {
        scene.details[id] = .some(nil)
        let values = scene.key.values + [.id(id)]
        let ofArchive = "WHERE app = $1 AND owner = $2 AND scene = $3 AND archive = $4"
        add(
            """
            SELECT \(Row.archiveColumns) FROM archive
            WHERE app = $1 AND owner = $2 AND scene = $3 AND uuid = $4 AND deleted_at IS NULL
            """, values,
            each: { row throws(StoreError) in
                scene.details[id] = ArchiveDetails(archive: try row.archive(in: scene.key), outcomes: [], served: [:])
            })
        add(
            "SELECT number, \(Row.outcomeColumns) FROM outcome \(ofArchive) ORDER BY number", values,
            each: { row throws(StoreError) in
                let number = try row.number(.revision)
                if scene.details[id]??.outcomes.isEmpty == true { scene.details[id]??.firstOutcome = number }
                scene.details[id]??.outcomes.append(try row.outcome(of: id))
            })
        add(
            "SELECT device, at FROM served \(ofArchive)", values,
            each: { row throws(StoreError) in
                let device: DeviceID = try row.id()
                scene.details[id]??.served[device] = try row.time()
            })
    }

    private static let userRow = """
        SELECT version, revision, pruned_revision, created_at, subject_digest, bytes, archives, scenes, held_scenes,
            latest_time
        FROM users WHERE app = $1 AND owner = $2
        """
}

extension Row {
    fileprivate mutating func end() throws(StoreError) -> Link.End {
        Link.End(device: try id(), key: LookupKey(rawValue: try key()), texts: [])
    }
}

extension Need {
    /// The user that the need is about.
    fileprivate var owner: UserKey? {
        switch self {
        case .user(let key), .access(let key), .sceneCounts(let key), .scenes(let key), .itemBytes(_, let key): key
        case .links(let list): list.owner
        case .usage, .owner: nil
        case .scene, .tombstone, .details, .deletions: scene?.owner
        }
    }

    fileprivate var scene: SceneKey? {
        switch self {
        case .scene(let key), .tombstone(_, let key), .details(_, let key), .deletions(let key): key
        default: nil
        }
    }
}

extension OwnerLookup {
    fileprivate var sql: String {
        switch self {
        case .installation: "SELECT app, owner FROM installation WHERE app = $1 AND uuid = $2"
        case .linkCode: "SELECT app, owner FROM link_code WHERE digest = $1"
        case .subject: "SELECT app, owner FROM users WHERE app = $1 AND subject_digest = $2"
        case .device: "SELECT app, owner FROM device WHERE uuid = $1"
        }
    }

    fileprivate var values: [Value] {
        switch self {
        case .installation(let id, let app): [.id(app), .id(id)]
        case .linkCode(let digest): [.digest(digest)]
        case .subject(let digest, let app): [.id(app), .digest(digest)]
        case .device(let id): [.id(id)]
        }
    }
}
