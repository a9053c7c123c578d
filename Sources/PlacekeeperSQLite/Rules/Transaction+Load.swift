import PlacekeeperCore
import PlacekeeperService

extension Transaction {
    /// Loads data that a rule needs.
    func load(_ need: Need, into work: inout Workspace) throws(StoreError) {
        switch need {
        case .user(let key): _ = try user(key, in: &work)
        case .access(let key):
            let user = try user(key, in: &work)
            user.access = try connection.access(of: user)
        case .sceneCounts(let key):
            let user = try user(key, in: &work)
            user.sceneCounts = try connection.sceneCounts(of: user)
        case .scene(let key): _ = try scene(key, in: &work)
        case .scenes(let key):
            let user = try user(key, in: &work)
            for name in try connection.namesOfHeldScenes(of: user) {
                _ = try scene(SceneKey(owner: key, name: name), in: &work)
            }
            user.hasAllScenes = true
        case .tombstone(let id, let key):
            let scene = try scene(key, in: &work)
            guard !scene.tombstones.knows(id) else { return }
            scene.tombstones.note(id, try connection.timeOfDeletion(of: id, in: scene.row))
        case .details(let id, let key):
            let scene = try scene(key, in: &work)
            scene.details[id] = .some(try connection.details(of: id, in: scene))
        case .deletions(let key):
            let scene = try scene(key, in: &work)
            scene.deletions = scene.exists ? try connection.deletions(in: scene.row) : [:]
        case .itemBytes(let device, let key):
            let user = try user(key, in: &work)
            user.itemBytes[device] = try connection.itemBytes(of: device, user.row)
        case .links(let list):
            let user = try user(list.owner, in: &work)
            user.links[list.dataSource] = try connection.ends(ofLinks: list.dataSource, user.row)
        case .usage(let app): work.add(try usage(of: app), of: app)
        case .owner(let lookup): work.add(try connection.owner(lookup), for: lookup)
        }
    }

    private func user(_ key: UserKey, in work: inout Workspace) throws(StoreError) -> UserState {
        if let known = work.user(key) { return known }
        let user: UserState
        if let known = users.user(key) { user = known } else { user = try connection.state(of: key) }
        work.add(user)
        return user
    }

    private func scene(_ key: SceneKey, in work: inout Workspace) throws(StoreError) -> SceneState {
        let user = try user(key.owner, in: &work)
        if let known = user.scenes[key.name] { return known }
        let scene = try connection.state(of: key, user)
        user.scenes[key.name] = scene
        return scene
    }
}

extension Connection {
    func state(of key: UserKey) throws(StoreError) -> UserState {
        let state = UserState(key)
        do {
            let select = try statement(.user, key)
            guard try select.step() else { return state }
            state.exists = true
            state.row = try select.key(0)
            state.version = try select.number(1, .version)
            (state.revision, state.prunedThrough) = (try select.revision(2), try select.revision(3))
            state.newestChange = try select.optionalKey(4)
            state.subject = select.isNull(5) ? nil : try select.digest(5)
            state.usage = Usage(bytes: try select.count(6), archives: try select.count(7))
            state.createdAt = try select.time(8)
            state.latestTime = try select.optionalTime(9)
        }
        let select = try statement(.devices, state.row)
        while try select.step() {
            state.devices[try select.id(0)] = UserState.DeviceState(
                joined: try select.revision(1), countsSince: try select.revision(2))
        }
        return state
    }

    func state(of key: SceneKey, _ user: UserState) throws(StoreError) -> SceneState {
        let scene = SceneState(key)
        scene.tombstones = Tombstones([:])
        guard user.exists else { return scene }
        do {
            let select = try statement(.scene, user.row, key.name)
            guard try select.step() else { return scene }
            (scene.exists, scene.row) = (true, try select.key(0))
            if !select.isNull(1) {
                scene.forgotten = CaptureOrder.Forgotten(at: try select.time(1), revision: try select.revision(2))
            }
        }
        scene.history = try history(of: scene.row)
        scene.tombstones = try tombstones(of: scene.row)
        return scene
    }

    private func history(of scene: Int64) throws(StoreError) -> History {
        var entries: [History.Entry] = []
        var ids: [Int64: ArchiveID] = [:]
        do {
            let select = try statement(.history, scene)
            while try select.step() {
                let entry = try select.entry()
                entries.append(entry)
                ids[entry.row] = entry.id
            }
        }
        var servedLast: [DeviceID: ArchiveID] = [:]
        let select = try statement(.servedLast, scene)
        while try select.step() {
            // An archive whose deletion can still be undone is in another table.
            let deleted: ArchiveID? = try select.optionalID(2)
            servedLast[try select.id(0)] = ids[try select.key(1)] ?? deleted
        }
        return History(entries, servedLast: servedLast)
    }

    private func tombstones(of scene: Int64) throws(StoreError) -> Tombstones {
        let select = try statement(.tombstones, scene, Tombstones.loadedAtOnce + 1)
        var times: [ArchiveID: Timestamp] = [:]
        while try select.step() { times[try select.id(0)] = try select.time(1) }
        return times.count > Tombstones.loadedAtOnce ? Tombstones() : Tombstones(times)
    }

    fileprivate func details(of id: ArchiveID, in scene: SceneState) throws(StoreError) -> ArchiveDetails? {
        guard let stored = try archive(id, in: scene.key) else { return nil }
        let select = try statement(.servings, stored.row.content)
        var served: [DeviceID: Timestamp] = [:]
        while try select.step() { served[try select.id(0)] = try select.time(1) }
        let outcomes = stored.archive.hasOutcomes ? try outcomes(of: id, content: stored.row.content) : []
        return ArchiveDetails(archive: stored.archive, outcomes: outcomes, served: served)
    }

    fileprivate func deletions(in scene: Int64) throws(StoreError) -> [ArchiveID: SceneState.Deletion] {
        let select = try statement(.deletions, scene)
        var deletions: [ArchiveID: SceneState.Deletion] = [:]
        while try select.step() {
            let entry = try select.entry()
            deletions[entry.id] = SceneState.Deletion(entry: entry, at: try select.time(Statement.entryColumnCount))
        }
        return deletions
    }

    fileprivate func sceneCounts(of user: UserState) throws(StoreError) -> UserState.SceneCounts {
        let select = try statement(.sceneCounts, user.row)
        guard try select.step() else { return UserState.SceneCounts() }
        return UserState.SceneCounts(known: try select.count(0), held: try select.count(1))
    }

    fileprivate func namesOfHeldScenes(of user: UserState) throws(StoreError) -> [String] {
        let select = try statement(.heldScenes, user.row)
        var names: [String] = []
        while try select.step() { names.append(select.text(0)) }
        return names
    }

    fileprivate func access(of user: UserState) throws(StoreError) -> Access {
        var access = Access()
        guard user.exists else { return access }
        for device in try devices(of: user.key) { access.devices[device.id] = device }
        do {
            let select = try statement(.tokens, user.row)
            while try select.step() {
                guard let kind = TokenAccess(rawValue: try select.number(2, .access)) else { throw .unknown("access") }
                access.tokens[try select.digest(0)] = Access.TokenRecord(
                    device: try select.id(1), access: kind, expiresAt: try select.optionalTime(3))
            }
        }
        do {
            let select = try statement(.installations, user.row)
            while try select.step() {
                access.installations[try select.id(0)] = Access.InstallationRecord(
                    secret: try select.digest(1), device: try select.id(2))
            }
        }
        let select = try statement(.codes, user.row)
        while try select.step() {
            access.codes[try select.digest(0)] = Access.CodeRecord(
                expiresAt: try select.time(1), usedBy: try select.optionalID(2))
        }
        return access
    }

    fileprivate func itemBytes(of device: DeviceID, _ user: Int64) throws(StoreError) -> Int {
        let select = try statement(.itemBytes, user, device)
        return try select.sumOfCounts()
    }

    fileprivate func ends(ofLinks source: String, _ user: Int64) throws(StoreError) -> Set<LinkEnds> {
        let select = try statement(.ends, user, source)
        var ends: Set<LinkEnds> = []
        while try select.step() {
            ends.insert(
                LinkEnds(
                    Link.End(device: try select.id(0), key: LookupKey(rawValue: try select.key(1)), texts: []),
                    Link.End(device: try select.id(2), key: LookupKey(rawValue: try select.key(3)), texts: [])))
        }
        return ends
    }

    fileprivate func owner(_ lookup: OwnerLookup) throws(StoreError) -> UserKey? {
        switch lookup {
        case .installation(let id, let app):
            let select = try statement(.ownerOfInstallation, app, id)
            return try select.owner()
        case .linkCode(let digest):
            let select = try statement(.ownerOfCode, digest)
            return try select.owner()
        case .subject(let digest, let app):
            return try userID(ofSubject: digest, in: app).map { UserKey(app: app, user: $0) }
        case .device(let id):
            let select = try statement(.ownerOfDevice, id)
            return try select.owner()
        }
    }
}

extension Statement {
    fileprivate static var entryColumnCount: Int32 { 16 }

    /// Reads the columns `Query.entryColumns`.
    fileprivate func entry() throws(StoreError) -> History.Entry {
        var entry = History.Entry(
            id: try id(4), device: try id(5), position: try position(at: 0), receivedAt: try time(15),
            size: Int(try number(6, .size)), idiom: try idiom(7), isViewOnly: try flag(8), hasPlace: try flag(9))
        (entry.hasScreenshot, entry.hasOutcomes, entry.isServable) = (try flag(10), try flag(11), try flag(12))
        (entry.row, entry.screenshotSize) = (try key(13), try count(14))
        entry.hasServings = true
        return entry
    }

    fileprivate func owner() throws(StoreError) -> UserKey? {
        guard try step() else { return nil }
        return UserKey(app: try id(0), user: try id(1))
    }
}

extension Query {
    fileprivate static let user = Query(
        """
        SELECT id, version, revision, pruned_revision, last_change, subject_digest, bytes, archives, created_at,
            latest_time
        FROM user WHERE app = ?1 AND uuid = ?2
        """)
    fileprivate static let devices = Query("SELECT uuid, joined_revision, counts_since FROM device WHERE user = ?1")
    fileprivate static let scene = Query(
        "SELECT id, forgotten_at, forgotten_revision FROM scene WHERE user = ?1 AND name = ?2")
    private static let entryColumns = """
        \(orderColumns), archive.uuid, archive.device, archive.size, archive.idiom, archive.is_view_only, archive.place <> '',
        archive.has_screenshot, archive.has_outcomes, archive.is_servable, archive.content, \(screenshotBytes),
        archive.received_at
        """
    fileprivate static let history = Query(
        "SELECT \(entryColumns) FROM archive WHERE scene = ?1 ORDER BY \(orderColumns)")
    fileprivate static let deletions = Query(
        "SELECT \(entryColumns), archive.deleted_at FROM deleted_archive AS archive WHERE scene = ?1")
    fileprivate static let servedLast = Query(
        """
        SELECT served_last.device, served_last.content, deleted_archive.uuid
        FROM served_last LEFT JOIN deleted_archive
            ON deleted_archive.scene = ?1 AND deleted_archive.content = served_last.content
        WHERE served_last.scene = ?1
        """)
    fileprivate static let tombstones = Query("SELECT uuid, deleted_at FROM tombstone WHERE scene = ?1 LIMIT ?2")
    fileprivate static let servings = Query("SELECT device, at FROM served WHERE content = ?1")
    private static let isHeld = "EXISTS (SELECT 1 FROM archive WHERE archive.scene = scene.id)"
    fileprivate static let sceneCounts = Query(
        """
        SELECT (SELECT count(*) FROM scene WHERE user = ?1),
            (SELECT count(DISTINCT scene) FROM device_head WHERE user = ?1)
        """)
    fileprivate static let heldScenes = Query("SELECT name FROM scene WHERE user = ?1 AND \(isHeld)")
    fileprivate static let tokens = Query(
        """
        SELECT token.digest, device.uuid, token.access, token.expires_at
        FROM device CROSS JOIN token ON token.device = device.id WHERE device.user = ?1
        """)
    fileprivate static let installations = Query(
        """
        SELECT installation.uuid, installation.secret, device.uuid
        FROM device CROSS JOIN installation ON installation.device = device.id WHERE device.user = ?1
        """)
    fileprivate static let codes = Query("SELECT digest, expires_at, used_by FROM link_code WHERE user = ?1")
    fileprivate static let itemBytes = Query("SELECT bytes FROM registry WHERE user = ?1 AND device = ?2")
    fileprivate static let ends = Query(
        "SELECT first_device, first_key, second_device, second_key FROM link WHERE user = ?1 AND data_source = ?2")
    fileprivate static let ownerOfInstallation = Query(
        """
        SELECT user.app, user.uuid
        FROM installation JOIN device ON device.id = installation.device JOIN user ON user.id = device.user
        WHERE installation.app = ?1 AND installation.uuid = ?2
        """)
    fileprivate static let ownerOfCode = Query(
        "SELECT user.app, user.uuid FROM link_code JOIN user ON user.id = link_code.user WHERE digest = ?1")
    fileprivate static let ownerOfDevice = Query(
        "SELECT user.app, user.uuid FROM device JOIN user ON user.id = device.user WHERE device.uuid = ?1")
}
