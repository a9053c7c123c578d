package import RestorationService

extension InMemoryStore {
    package func register(_ device: Device, token: Digest, linkCode: Digest?) -> Committed<Joining> {
        let result = add(device, token: token, linkCode: linkCode)
        return commit(result, .registration(result))
    }

    private func add(_ device: Device, token: Digest, linkCode: Digest?) -> Joining {
        var device = device
        if let linkCode {
            guard let owner = owner(of: linkCode, in: device.owner.app, at: device.createdAt) else {
                return .codeInvalid
            }
            device.owner = owner
        }
        guard hasRoom(device.owner) else { return .tooManyDevices }
        if let linkCode { linkCodes[linkCode] = nil }
        devices[device.id] = device
        tokens[token] = device.id
        users[device.owner, default: UserRecord()].log(.deviceRegistered, device: device.id, at: device.createdAt)
        return .joined(device)
    }

    package func device(token: Digest) -> Fresh<Device>? {
        tokens[token].flatMap { devices[$0] }.map { Fresh($0, freshness(of: $0.owner)) }
    }

    package func devices(of owner: UserKey) -> [Device] {
        devices.values.filter { $0.owner == owner }.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }

    package func users(of app: AppID, after last: UserID?, limit: Int) -> [UserOverview] {
        users.keys.filter { owner in owner.app == app && last.map { $0 < owner.user } ?? true }
            .sorted { $0.user < $1.user }.prefix(limit).map { owner in
                let devices = devices(of: owner)
                return UserOverview(
                    user: owner.user, deviceCount: devices.count, lastSeenAt: devices.map(\.lastSeenAt).max())
            }
    }

    package func revoke(_ device: DeviceID, of owner: UserKey, at time: Timestamp) -> Committed<Bool> {
        let result = remove(device, of: owner, at: time)
        return commit(result, .revocation(of: owner, result))
    }

    private func remove(_ device: DeviceID, of owner: UserKey, at time: Timestamp) -> Bool {
        guard devices[device]?.owner == owner else { return false }
        devices[device] = nil
        tokens = tokens.filter { $0.value != device }
        joinedRevisions[device] = nil
        leaveServings(of: device, by: owner)
        linkCodes = linkCodes.filter { $0.value.owner != owner }
        users[owner, default: UserRecord()].log(.deviceRevoked, device: device, at: time)
        return true
    }

    package func noteSeen(_ times: [UserKey: [DeviceID: Timestamp]]) {
        for (owner, seen) in times {
            for (id, time) in seen {
                guard let device = devices[id], device.owner == owner else { continue }
                devices[id]?.lastSeenAt = max(device.lastSeenAt, time)
                users[owner]?.note(time)
            }
        }
    }

    package func create(_ code: LinkCode) throws(StoreError) {
        guard users[code.owner] != nil else { throw .userGone }
        linkCodes[code.digest] = code
    }

    package func move(
        _ device: DeviceID, of owner: UserKey, linkCode: Digest, at time: Timestamp, retention: Int
    ) -> Committed<Joining> {
        let result = join(device, of: owner, linkCode: linkCode, at: time, retention: retention)
        return commit(result, .move(from: owner, result))
    }

    private func join(
        _ device: DeviceID, of owner: UserKey, linkCode: Digest, at time: Timestamp, retention: Int
    ) -> Joining {
        guard var moved = devices[device], moved.owner == owner,
            let target = self.owner(of: linkCode, in: owner.app, at: time)
        else { return .codeInvalid }
        guard target == owner || hasRoom(target) else { return .tooManyDevices }
        guard target == owner || hasRoomForScenes(of: device, of: owner, at: target) else { return .tooManyScenes }
        linkCodes[linkCode] = nil
        guard target != owner else { return .joined(moved) }
        moved.owner = target
        devices[device] = moved
        for list in lists.keys where list.owner == owner { lists[list]?.removeAll { $0.device == device } }
        for list in decisions.keys where list.owner == owner {
            decisions[list]?.removeAll { $0.first.device == device || $0.second.device == device }
        }
        var source = users[owner, default: UserRecord()]
        var destination = users[target, default: UserRecord()]
        // The device knows revisions of the old user. The new user's later revisions must be greater, so that the
        // device never sees one revision for two changes.
        destination.latest = max(destination.latest, source.latest)
        joinedRevisions[device] = destination.latest
        destination.log(.deviceRegistered, device: device, at: time)
        for name in source.scenes.keys.sorted() {
            let moved = moveArchives(of: device, in: name, from: &source, to: &destination, owner: target, at: time)
            if moved {
                drop(surplusOf: &destination.scenes[name, default: SceneRecord()], of: target, keeping: retention)
            }
        }
        source.log(.deviceRevoked, device: device, at: time)
        users[owner] = source
        users[target] = destination
        leaveServings(of: device, by: owner)
        return .joined(moved)
    }

    /// Moves a device's archives of a scene, the archive with the lowest revision first, so that the new revisions keep
    /// the order of the old revisions. Returns whether the destination received an archive.
    private func moveArchives(
        of device: DeviceID, in name: String, from source: inout UserRecord, to destination: inout UserRecord,
        owner: UserKey, at time: Timestamp
    ) -> Bool {
        guard let scene = source.scenes[name] else { return false }
        let leaving = scene.archives.filter { $0.archive.device == device }
            .sorted { $0.archive.revision < $1.archive.revision }
        source.scenes[name]?.remove(Set(leaving.map(\.archive.id)))
        var hasMoved = false
        for var stored in leaving {
            let id = stored.archive.id
            source.log(.archiveDeleted, scene: name, archive: id, device: device, at: time)
            var target = destination.scenes[name, default: SceneRecord()]
            guard Self.takes(stored.archive, target) else { continue }
            stored.archive.scene = SceneKey(owner: owner, name: name)
            destination.log(.archiveStored, scene: name, archive: id, device: device, at: time)
            stored.archive.revision = destination.latest
            target.insert(stored)
            if scene.servedLast[device] == id { target.servedLast[device] = id }
            destination.scenes[name] = target
            hasMoved = true
        }
        return hasMoved
    }

    /// Returns whether a moved archive may be added to the new user's scene of the same name. The archive is left out
    /// if the scene has, or had and deleted, an archive with the same id. The archive is also left out if it was
    /// captured before the new user forgot the scene.
    private static func takes(_ archive: Archive, _ scene: SceneRecord) -> Bool {
        scene.index(of: archive.id) == nil && scene.tombstones[archive.id] == nil
            && scene.forgotten.map { archive.capturedAt < $0.at } != true
    }

    /// Returns whether a user has room for all scenes that a device brings.
    private func hasRoomForScenes(of device: DeviceID, of owner: UserKey, at target: UserKey) -> Bool {
        let known = users[target]?.scenes ?? [:]
        let begun = (users[owner]?.scenes ?? [:]).filter { name, scene in
            let destination = known[name] ?? SceneRecord()
            return destination.head == nil
                && scene.archives.contains { $0.archive.device == device && Self.takes($0.archive, destination) }
        }
        guard !begun.isEmpty else { return true }
        let holding = known.values.count { $0.head != nil }
        let unknown = begun.keys.count { known[$0] == nil }
        return holding + begun.count <= Limits.scenes
            && (unknown == 0 || known.count + unknown <= Limits.knownScenes)
    }

    /// Removes the records of the archives that a device was served last, so that these archives are no longer kept for
    /// the device.
    private func leaveServings(of device: DeviceID, by owner: UserKey) {
        for name in (users[owner]?.scenes ?? [:]).keys { users[owner]?.scenes[name]?.servedLast[device] = nil }
    }

    /// Returns the owner of a link code. Nil if the code is unknown or expired, or belongs to another app.
    private func owner(of digest: Digest, in app: AppID, at time: Timestamp) -> UserKey? {
        guard let code = linkCodes[digest], code.owner.app == app else { return nil }
        return max(time, users[code.owner]?.latestTime ?? time) < code.expiresAt ? code.owner : nil
    }

    /// Returns whether a user may have one more device.
    private func hasRoom(_ owner: UserKey) -> Bool {
        devices.values.lazy.filter { $0.owner == owner }.count < Limits.devices
    }
}
