import PlacekeeperService

extension PostgresStore {
    /// Reads users for a write, all of the same state of the database.
    func load(
        _ owners: Set<UserKey>, _ scope: Scope, until end: ContinuousClock.Instant
    ) async throws(Failure) -> Loaded {
        var loaded = Loaded()
        var reading = Reading()
        for owner in owners { addUser(owner, to: &reading) }
        for owner in owners { addDevices(of: owner, scope, to: &reading) }
        for owner in owners { addScenes(of: owner, scope, to: &reading) }
        for app in Set(owners.map(\.app)) {
            reading.add(Statement(Self.appUsage, .id(app))) { row, loaded throws(StoreError) in
                loaded.contents.usageElsewhere[app] = try row.usage()
            }
        }
        let (results, server) = try await pool.readFromServer(reading.parts.map(\.statement), until: end)
        loaded.server = server
        do throws(StoreError) {
            for (rows, part) in zip(results, reading.parts) {
                for index in 0..<rows.count {
                    var row = Row(rows, index)
                    try part.read(&row, &loaded)
                }
            }
        } catch {
            throw .store(error)
        }
        loaded.separateElsewhere()
        return loaded
    }

    /// The statements that read, with the closures that take their rows.
    private struct Reading {
        struct Part {
            var statement: Statement
            var read: (inout Row, inout Loaded) throws(StoreError) -> Void
        }

        var parts: [Part] = []

        mutating func add(
            _ statement: Statement, _ read: @escaping (inout Row, inout Loaded) throws(StoreError) -> Void
        ) {
            parts.append(Part(statement: statement, read: read))
        }
    }

    private func addUser(_ owner: UserKey, to reading: inout Reading) {
        reading.add(Statement(Self.userRow, owner.values)) { row, loaded throws(StoreError) in
            let version = try row.number(.version)
            var record = OldMemoryStore.UserRecord()
            record.latest = try row.revision()
            record.prunedThrough = try row.revision()
            if let time = try row.optionalTime() { record.note(time) }
            record.createdAt = try row.time()
            if let digest = try row.optionalDigest() {
                record.subject = (digest, try row.bytes())
            } else {
                _ = try row.optionalBytes()
            }
            let usage = Usage(bytes: try row.count(), archives: try row.count())
            record.elsewhere.usage = usage
            record.elsewhere.scenes = try row.count()
            record.elsewhere.heldScenes = try row.count()
            loaded.contents.users[owner] = record
            loaded.users[owner] = Loaded.User(version: version, usage: usage)
        }
    }

    private func addDevices(of owner: UserKey, _ scope: Scope, to reading: inout Reading) {
        reading.add(Statement(Self.deviceRows, owner.values)) { row, loaded throws(StoreError) in
            let device = try row.device()
            loaded.contents.devices[device.id] = device
            let joined = try row.revision()
            if joined.rawValue != 0 { loaded.contents.joinedRevisions[device.id] = joined }
        }
        guard scope.access else { return }
        reading.add(Statement(Self.tokenRows, owner.values)) { row, loaded throws(StoreError) in
            let (device, digest): (DeviceID, Digest) = (try row.id(), try row.digest())
            loaded.contents.tokens[digest] = OldMemoryStore.TokenRecord(
                device: device, access: try row.access(), expiresAt: try row.optionalTime())
        }
        reading.add(Statement(Self.installationRows, owner.values)) { row, loaded throws(StoreError) in
            let device: DeviceID = try row.id()
            let key = OldMemoryStore.InstallationKey(app: owner.app, id: try row.id())
            loaded.contents.installations[key] = (try row.digest(), device)
        }
        reading.add(Statement(Self.codeRows, owner.values)) { row, loaded throws(StoreError) in
            let digest = try row.digest()
            loaded.contents.linkCodes[digest] = LinkCode(digest: digest, owner: owner, expiresAt: try row.time())
            if let device: DeviceID = try row.optionalID() { loaded.contents.usedLinkCodes[digest] = device }
        }
        guard case .all = scope.scenes else { return }
        reading.add(Statement(Self.itemBytes, owner.values)) { row, loaded throws(StoreError) in
            let device: DeviceID = try row.id()
            loaded.users[owner]?.itemBytes[device] = try row.count()
        }
    }

    private func addScenes(of owner: UserKey, _ scope: Scope, to reading: inout Reading) {
        let name: String?
        switch scope.scenes {
        case .none: return
        case .one(let scene): name = scene
        case .all: name = nil
        }
        let values = owner.values + [.text(name)]
        func change(
            _ row: inout Row, _ loaded: inout Loaded,
            _ body: (inout OldMemoryStore.SceneRecord, inout Row, SceneKey) throws(StoreError) -> Void
        ) throws(StoreError) {
            let scene = SceneKey(owner: owner, name: try row.text())
            // The rows of a scene without a row are of a write that came in between.
            guard var record = loaded.contents.users[owner]?.scenes[scene.name] else { return }
            try body(&record, &row, scene)
            loaded.contents.users[owner]?.scenes[scene.name] = record
        }
        reading.add(Statement(Self.sceneRows(name), values)) { row, loaded throws(StoreError) in
            let name = try row.text()
            var record = OldMemoryStore.SceneRecord()
            if let time = try row.optionalTime() {
                record.forgotten = CaptureOrder.Forgotten(at: time, revision: try row.revision())
            }
            loaded.contents.users[owner]?.scenes[name] = record
        }
        reading.add(Statement(Self.servedLastRows(name), values)) { row, loaded throws(StoreError) in
            try change(&row, &loaded) { record, row, _ throws(StoreError) in
                let device: DeviceID = try row.id()
                record.servedLast[device] = try row.id()
            }
        }
        if scope.changes {
            reading.add(Statement(Self.changeRows, owner.values)) { row, loaded throws(StoreError) in
                loaded.contents.users[owner]?.changes.append(try row.change())
            }
        }
        guard scope.archives else { return }
        reading.add(Statement(Self.archiveRows(name), values)) { row, loaded throws(StoreError) in
            try change(&row, &loaded) { record, row, scene throws(StoreError) in
                let (deletedAt, snapshotSize) = (try row.optionalTime(), try row.count())
                var stored = OldMemoryStore.StoredArchive(archive: try row.archive(in: scene), bytes: [])
                stored.snapshotSize = snapshotSize
                if let deletedAt {
                    record.deleted[stored.archive.id] = (stored, deletedAt)
                } else {
                    record.archives.append(stored)
                }
            }
        }
        reading.add(Statement(Self.tombstoneRows(name), values)) { row, loaded throws(StoreError) in
            try change(&row, &loaded) { record, row, _ throws(StoreError) in
                let archive: ArchiveID = try row.id()
                record.tombstones[archive] = try row.time()
            }
        }
        reading.add(Statement(Self.servedRows(name), values)) { row, loaded throws(StoreError) in
            try change(&row, &loaded) { record, row, _ throws(StoreError) in
                let (archive, device): (ArchiveID, DeviceID) = (try row.id(), try row.id())
                let time = try row.time()
                record.change(archive) { $0.served[device] = time }
            }
        }
        reading.add(Statement(Self.outcomeRows(name), values)) { row, loaded throws(StoreError) in
            var first: (ArchiveKey, Int64)?
            try change(&row, &loaded) { record, row, scene throws(StoreError) in
                let archive: ArchiveID = try row.id()
                let number = try row.number(.revision)
                let outcome = try row.outcome(of: archive)
                record.change(archive) { $0.outcomes.append(outcome) }
                first = (ArchiveKey(scene: scene, id: archive), number)
            }
            if let (key, number) = first, loaded.firstOutcomes[key] == nil { loaded.firstOutcomes[key] = number }
        }
    }
}

extension OldMemoryStore.SceneRecord {
    /// Changes an archive, stored or deleted.
    fileprivate mutating func change(_ id: ArchiveID, _ body: (inout OldMemoryStore.StoredArchive) -> Void) {
        if let index = archives.firstIndex(where: { $0.archive.id == id }) {
            body(&archives[index])
        } else if var deletion = deleted[id] {
            body(&deletion.stored)
            deleted[id] = deletion
        }
    }
}

extension Loaded {
    /// Subtracts the loaded data from the amounts that the rows of the users and the apps give.
    fileprivate mutating func separateElsewhere() {
        for (owner, record) in contents.users {
            var elsewhere = record.elsewhere
            elsewhere.usage += -record.scenes.values.reduce(Usage()) { $0 + $1.usage }
            elsewhere.scenes -= record.scenes.count
            elsewhere.heldScenes -= record.scenes.values.count { $0.head != nil }
            contents.users[owner]?.elsewhere = elsewhere
        }
        for (owner, user) in users {
            let devices = contents.devices.values.count { $0.owner == owner }
            contents.usageElsewhere[owner.app, default: Usage()] +=
                -(user.usage + Usage(devices: devices, users: 1))
        }
    }
}

extension Row {
    /// Reads the usage of an app. A wrong count of an app must not stop the app's users.
    mutating func usage() throws(StoreError) -> Usage {
        Usage(
            bytes: Int(try clampedNumber(.count)), archives: Int(try clampedNumber(.count)),
            devices: Int(try clampedNumber(.count)), users: Int(try clampedNumber(.count)))
    }
}

extension PostgresStore {
    static let appUsage = """
        SELECT coalesce(sum(bytes), 0)::bigint, coalesce(sum(archives), 0)::bigint, coalesce(sum(devices), 0)::bigint,
            coalesce(sum(users), 0)::bigint
        FROM app_usage WHERE app = $1
        """
    fileprivate static let userRow = """
        SELECT version, revision, pruned_revision, latest_time, created_at, subject_digest, subject, bytes, archives,
            scenes, held_scenes
        FROM users WHERE app = $1 AND owner = $2
        """
    static let isSignedIn = """
        EXISTS (SELECT 1 FROM users WHERE users.app = device.app AND users.owner = device.owner
            AND users.subject_digest IS NOT NULL)
        """
    fileprivate static let deviceRows = """
        SELECT \(Row.deviceColumns), \(isSignedIn), device.joined_revision FROM device WHERE app = $1 AND owner = $2
        """
    fileprivate static let tokenRows =
        "SELECT device, digest, access, expires_at FROM token WHERE app = $1 AND owner = $2"
    fileprivate static let installationRows =
        "SELECT device, uuid, secret FROM installation WHERE app = $1 AND owner = $2"
    fileprivate static let codeRows = "SELECT digest, expires_at, used_by FROM link_code WHERE app = $1 AND owner = $2"
    fileprivate static let itemBytes = """
        SELECT device, sum(bytes)::bigint FROM registry WHERE app = $1 AND owner = $2 GROUP BY device
        """
    /// The condition for one scene, or for all scenes. The two conditions are different texts, so that the database plans
    /// each of them.
    private static func ofScene(_ name: String?) -> String {
        "WHERE app = $1 AND owner = $2 AND " + (name == nil ? "$3::text IS NULL" : "scene = $3")
    }
    fileprivate static func sceneRows(_ scene: String?) -> String {
        "SELECT name, forgotten_at, forgotten_revision FROM (SELECT *, name AS scene FROM scene) AS scene \(ofScene(scene))"
    }
    fileprivate static func servedLastRows(_ scene: String?) -> String {
        "SELECT scene, device, archive FROM served_last \(ofScene(scene))"
    }
    fileprivate static func archiveRows(_ scene: String?) -> String {
        """
        SELECT scene, deleted_at, coalesce(octet_length(snapshot), 0)::bigint, \(Row.archiveColumns)
        FROM archive \(ofScene(scene)) ORDER BY \(Row.newestFirst)
        """
    }
    fileprivate static func tombstoneRows(_ scene: String?) -> String {
        "SELECT scene, archive, deleted_at FROM tombstone \(ofScene(scene))"
    }
    fileprivate static func servedRows(_ scene: String?) -> String {
        "SELECT scene, archive, device, at FROM served \(ofScene(scene))"
    }
    fileprivate static func outcomeRows(_ scene: String?) -> String {
        """
        SELECT scene, archive, number, \(Row.outcomeColumns) FROM outcome \(ofScene(scene)) ORDER BY archive, number
        """
    }
    fileprivate static let changeRows = """
        SELECT \(Row.changeColumns) FROM change WHERE app = $1 AND owner = $2 ORDER BY revision
        """
}
