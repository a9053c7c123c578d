package import PlacekeeperCore
import PlacekeeperService

extension InMemoryStore {
    package func carryOut<Answer: Sendable>(_ rule: Rule<Answer>) throws(StoreError) -> Committed<Answer> {
        var work = Workspace()
        let answer = try rule.run(in: &work) { need, work in load(need, into: &work) }
        for change in work.changes { try carryOut(change, bytes: rule.bytes) }
        for user in work.written { store(user) }
        return commit(answer, work.invalidations)
    }

    // Loading

    private func load(_ need: Need, into work: inout Workspace) {
        switch need {
        case .user(let key): _ = user(key, in: &work)
        case .access(let key): user(key, in: &work).access = access(of: key)
        case .sceneCounts(let key):
            let scenes = users[key]?.scenes ?? [:]
            user(key, in: &work).sceneCounts = UserState.SceneCounts(
                known: scenes.count, held: scenes.values.count { $0.head != nil })
        case .scene(let key): _ = scene(key, in: &work)
        case .scenes(let key):
            for (name, record) in users[key]?.scenes ?? [:] where record.head != nil {
                _ = scene(SceneKey(owner: key, name: name), in: &work)
            }
            user(key, in: &work).hasAllScenes = true
        case .tombstone(let id, let key):
            scene(key, in: &work).tombstones.note(id, record(of: key)?.tombstones[id])
        case .details(let id, let key):
            scene(key, in: &work).details[id] = .some(
                stored(id, in: key).map {
                    ArchiveDetails(archive: $0.archive, outcomes: $0.outcomes, served: $0.served)
                })
        case .deletions(let key):
            scene(key, in: &work).deletions = (record(of: key)?.deleted ?? [:]).mapValues { deletion in
                SceneState.Deletion(entry: History.Entry(deletion.stored), at: deletion.at)
            }
        case .itemBytes(let device, let key):
            let records = lists.filter { $0.key.owner == key }.values.joined().filter { $0.device == device }
            user(key, in: &work).itemBytes[device] = records.reduce(0) { $0 + $1.textBytes }
        case .links(let list):
            let ends = links(in: list).map { LinkEnds($0.first, $0.second) }
            user(list.owner, in: &work).links[list.dataSource] = Set(ends)
        case .usage(let app): work.add(usage(of: app), of: app)
        case .owner(let lookup): work.add(owner(lookup), for: lookup)
        }
    }

    private func user(_ key: UserKey, in work: inout Workspace) -> UserState {
        if let known = work.user(key) { return known }
        let user = UserState(key)
        if let record = users[key] {
            user.exists = true
            (user.revision, user.prunedThrough) = (record.latest, record.prunedThrough)
            (user.createdAt, user.subject, user.usage) = (record.createdAt, record.subject?.digest, record.usage)
            user.latestTime = record.latestTime
        }
        for device in devices.values where device.owner == key {
            user.devices[device.id] = deviceStates[device.id]
        }
        work.add(user)
        return user
    }

    private func scene(_ key: SceneKey, in work: inout Workspace) -> SceneState {
        let user = user(key.owner, in: &work)
        if let known = user.scenes[key.name] { return known }
        let scene = SceneState(key)
        let record = record(of: key)
        scene.exists = record != nil
        scene.forgotten = record?.forgotten
        scene.history = History(
            (record?.archives ?? []).reversed().map(History.Entry.init), servedLast: record?.servedLast ?? [:])
        scene.tombstones = Tombstones(record?.tombstones ?? [:])
        user.scenes[key.name] = scene
        return scene
    }

    private func access(of key: UserKey) -> Access {
        var access = Access()
        access.devices = devices.filter { $0.value.owner == key }.mapValues(current)
        access.tokens = tokens.filter { access.devices[$0.value.device] != nil }
        for (known, installation) in installations where access.devices[installation.device] != nil {
            access.installations[known.id] = Access.InstallationRecord(
                secret: installation.secret, device: installation.device)
        }
        for (digest, code) in linkCodes where code.owner == key {
            access.codes[digest] = Access.CodeRecord(expiresAt: code.expiresAt, usedBy: usedLinkCodes[digest])
        }
        return access
    }

    private func owner(_ lookup: OwnerLookup) -> UserKey? {
        switch lookup {
        case .installation(let id, let app):
            installations[InstallationKey(app: app, id: id)].flatMap { devices[$0.device]?.owner }
        case .linkCode(let digest): linkCodes[digest]?.owner
        case .subject(let digest, let app): userID(ofSubject: digest, in: app).map { UserKey(app: app, user: $0) }
        case .device(let id): devices[id]?.owner
        }
    }

    // Storing

    private func store(_ user: UserState) {
        users[user.key]?.latest = user.revision
        users[user.key]?.prunedThrough = user.prunedThrough
        users[user.key]?.createdAt = user.createdAt
        guard let pending = user.pending else { return }
        if let time = pending.time { users[user.key]?.note(time) }
        count(pending.growth, of: user.key)
    }

    private func carryOut(_ change: RowChange, bytes: [UInt8]?) throws(StoreError) {
        switch change {
        case .addUser(let user): users[user.key] = UserRecord(createdAt: user.createdAt)
        case .setSubject(let user, let sealed): users[user.key]?.subject = user.subject.map { ($0, sealed) }
        case .addDevice(let device, let user):
            devices[device.id] = device
            if let seen = users[user.key]?.seenAt { users[user.key]?.seenAt = max(seen, device.lastSeenAt) }
            deviceStates[device.id] = user.devices[device.id]
        case .describeDevice(let device, _): devices[device.id]?.describe(as: device)
        case .setLaunch(let launch, let device, _): devices[device]?.launch = launch
        case .setCountsSince(let device, let user): deviceStates[device] = user.devices[device]
        case .moveDevice(let device, _, let target):
            devices[device]?.owner = target.key
            deviceStates[device] = target.devices[device]
        case .dropDevice(let device, _):
            devices[device] = nil
            deviceStates[device] = nil
            tokens = tokens.filter { $0.value.device != device }
            installations = installations.filter { $0.value.device != device }
        case .addToken(let digest, let record, _): tokens[digest] = record
        case .endToken(let digest, let time, _): tokens[digest]?.expiresAt = time
        case .dropToken(let digest, _): tokens[digest] = nil
        case .addInstallation(let installation, let device, let user):
            installations[InstallationKey(app: user.key.app, id: installation.id)] = (installation.secret, device)
        case .addCode(let code, _): (linkCodes[code.digest], usedLinkCodes[code.digest]) = (code, nil)
        case .useCode(let digest, let device, _): usedLinkCodes[digest] = device
        case .dropCodes(let user, let unusedOnly):
            linkCodes = linkCodes.filter { digest, code in
                code.owner != user.key || unusedOnly && usedLinkCodes[digest] != nil
            }
        case .auditExpiry(let user, let time): append(.expiry(of: user, at: time))
        case .putLink(let link, let list, _):
            decisions[list, default: []].removeAll { $0.first == link.first && $0.second == link.second }
            decisions[list, default: []].append(link)
        case .dropLink(let ends, let list, _):
            decisions[list]?.removeAll { $0.first == ends.first && $0.second == ends.second }
        case .dropRegistrations(let device, let user):
            for list in lists.keys where list.owner == user.key { lists[list]?.removeAll { $0.device == device } }
        case .dropLinks(let device, let user):
            for list in decisions.keys where list.owner == user.key {
                decisions[list]?.removeAll { $0.first.device == device || $0.second.device == device }
            }
        // Nothing to do: heads are read from the scenes.
        case .indexHeads: break
        case .moveLogEntries(let device, let source, let target):
            moveLogEntries(of: device, from: source.key, to: target.key)
        case .addChange(let change, let user, _): users[user.key]?.changes.append(change)
        case .dropChanges(let end, let user): users[user.key]?.changes.removeAll { $0.revision <= end }
        case .dropAllServedLast(let device, let user):
            for name in (users[user.key]?.scenes ?? [:]).keys {
                users[user.key]?.scenes[name]?.servedLast[device] = nil
            }
        case .endDeletions(let user, let maker):
            for name in (users[user.key]?.scenes ?? [:]).keys {
                users[user.key]?.scenes[name]?.endDeletions { stored, _ in
                    maker == nil || stored.archive.device == maker
                }
            }
        case .addScene(let scene, _): self.change(scene.key) { _ in }
        case .setForgotten(let scene): self.change(scene.key) { $0.forgotten = scene.forgotten }
        case .addArchive(let archive, let scene):
            guard let bytes else { throw .withoutBytes }
            self.change(scene.key) { $0.insert(StoredArchive(archive: archive, bytes: bytes)) }
        case .removeArchive(let entry, let scene):
            self.change(scene.key) { record in
                _ = record.take(entry.id)
                record.servedLast = record.servedLast.filter { $0.value != entry.id }
            }
        case .moveArchive(let entry, let source, let target, let position):
            guard var stored = self.change(source.key, { $0.take(entry.id) }) ?? nil else { return }
            stored.archive.scene = target.key
            (stored.archive.revision, stored.archive.orderRevision) = (position.revision, position.orderRevision)
            stored.archive.capturedAt = position.capturedAt
            self.change(target.key) { $0.insert(stored) }
        case .softDelete(let entry, let time, let scene):
            self.change(scene.key) { record in
                if let stored = record.take(entry.id) { record.deleted[entry.id] = (stored, time) }
            }
        case .bringBack(let entry, let scene):
            self.change(scene.key) { record in
                if let deletion = record.deleted.removeValue(forKey: entry.id) { record.insert(deletion.stored) }
            }
        case .endDeletion(let entry, let scene):
            self.change(scene.key) { $0.endDeletions { stored, _ in stored.archive.id == entry.id } }
        case .addTombstone(let id, let time, let scene): self.change(scene.key) { $0.tombstones[id] = time }
        case .dropTombstone(let id, let scene): self.change(scene.key) { $0.tombstones[id] = nil }
        case .putScreenshot(let screenshot, let entry, let scene):
            self.change(entry.id, in: scene.key) { stored in
                stored.screenshot = screenshot
                stored.archive.hasScreenshot = true
            }
        case .addServing(let entry, let device, let time, let scene):
            self.change(entry.id, in: scene.key) { $0.served[device] = time }
        case .setServedLast(let entry, let device, let scene):
            self.change(scene.key) { $0.servedLast[device] = entry.id }
        case .dropServedLast(let entry, let scene):
            self.change(scene.key) { record in
                record.servedLast = record.servedLast.filter { $0.value != entry.id }
            }
        case .addOutcome(let outcome, let entry, _, let scene, let dropped):
            self.change(entry.id, in: scene.key) { stored in
                stored.outcomes = Array((stored.outcomes + [outcome]).dropFirst(dropped))
                stored.archive.hasOutcomes = true
            }
        }
    }

    /// Changes a scene's record, and creates it if it doesn't exist.
    @discardableResult
    private func change<Result>(_ scene: SceneKey, _ change: (inout SceneRecord) -> Result) -> Result? {
        users[scene.owner]?.change(scene.name, change)
    }

    private func change(_ id: ArchiveID, in scene: SceneKey, _ change: (inout StoredArchive) -> Void) {
        self.change(scene) { record in
            if let index = record.index(of: id) { change(&record.archives[index]) }
        }
    }
}

extension InMemoryStore.UserRecord {
    fileprivate mutating func change<Result>(
        _ scene: String, _ change: (inout InMemoryStore.SceneRecord) -> Result
    ) -> Result {
        change(&scenes[scene, default: InMemoryStore.SceneRecord()])
    }
}

extension History.Entry {
    fileprivate init(_ stored: InMemoryStore.StoredArchive) {
        self.init(stored.archive)
        screenshotSize = stored.screenshot?.bytes.count ?? 0
        (hasScreenshot, hasOutcomes) = (stored.archive.hasScreenshot, stored.archive.hasOutcomes)
        hasServings = !stored.served.isEmpty
        isServable = RestoreEligibility.isServable(stored.archive, after: stored.outcomes)
    }
}
