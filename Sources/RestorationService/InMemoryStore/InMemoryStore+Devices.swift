extension InMemoryStore {
    package func register(_ device: Device, token: Digest, linkCode: Digest?) -> Joining {
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
        note(device.createdAt)
        return .joined(device)
    }

    package func device(token: Digest) -> Device? { tokens[token].flatMap { devices[$0] } }

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

    package func revoke(_ device: DeviceID, of owner: UserKey, at time: Timestamp) -> Bool {
        guard devices[device]?.owner == owner else { return false }
        devices[device] = nil
        tokens = tokens.filter { $0.value != device }
        linkCodes = linkCodes.filter { $0.value.owner != owner }
        users[owner, default: UserRecord()].log(.deviceRevoked, device: device, at: time)
        note(time)
        return true
    }

    package func noteSeen(_ times: [DeviceID: Timestamp]) {
        for (id, seen) in times {
            guard let device = devices[id] else { continue }
            devices[id]?.lastSeenAt = max(device.lastSeenAt, seen)
            note(seen)
        }
    }

    package func create(_ code: LinkCode) { linkCodes[code.digest] = code }

    package func move(
        _ device: DeviceID, of owner: UserKey, linkCode: Digest, at time: Timestamp, retention: Int
    ) -> Joining {
        guard var moved = devices[device], moved.owner == owner,
            let target = self.owner(of: linkCode, in: owner.app, at: time)
        else { return .codeInvalid }
        guard target == owner || hasRoom(target) else { return .tooManyDevices }
        linkCodes[linkCode] = nil
        note(time)
        guard target != owner else { return .joined(moved) }
        moved.owner = target
        devices[device] = moved
        for list in lists.keys where list.owner == owner { lists[list]?.removeAll { $0.device == device } }
        for list in decisions.keys where list.owner == owner {
            decisions[list]?.removeAll { $0.first.device == device || $0.second.device == device }
        }
        var source = users[owner, default: UserRecord()]
        var destination = users[target, default: UserRecord()]
        destination.log(.deviceRegistered, device: device, at: time)
        for name in source.scenes.keys.sorted() {
            let moved = moveArchives(of: device, in: name, from: &source, to: &destination, owner: target, at: time)
            if moved { drop(surplusOf: &destination.scenes[name, default: SceneRecord()], keeping: retention) }
        }
        source.log(.deviceRevoked, device: device, at: time)
        users[owner] = source
        users[target] = destination
        return .joined(moved)
    }

    /// Oldest first, so that the new revisions keep the order of the old. Whether any came to the destination.
    private func moveArchives(
        of device: DeviceID, in name: String, from source: inout UserRecord, to destination: inout UserRecord,
        owner: UserKey, at time: Timestamp
    ) -> Bool {
        guard let archives = source.scenes[name]?.archives else { return false }
        let moved = archives.filter { $0.archive.device == device }.sorted { $0.archive.revision < $1.archive.revision }
        source.scenes[name]?.archives.removeAll { $0.archive.device == device }
        var hasMoved = false
        for var stored in moved {
            source.log(.archiveDeleted, scene: name, archive: stored.archive.id, device: device, at: time)
            let target = destination.scenes[name, default: SceneRecord()]
            // What the user of the code already has, or has deleted, under this id stays as it is.
            if target.index(of: stored.archive.id) != nil || target.tombstones[stored.archive.id] != nil { continue }
            stored.archive.scene = SceneKey(owner: owner, name: name)
            destination.log(.archiveStored, scene: name, archive: stored.archive.id, device: device, at: time)
            stored.archive.revision = destination.latest
            destination.scenes[name, default: SceneRecord()].insert(stored)
            hasMoved = true
        }
        return hasMoved
    }

    /// Whose a code is, while it is good.
    private func owner(of digest: Digest, in app: AppID, at time: Timestamp) -> UserKey? {
        guard let code = linkCodes[digest], code.owner.app == app, time < code.expiresAt else { return nil }
        return code.owner
    }

    /// Whether a user may have one more device.
    private func hasRoom(_ owner: UserKey) -> Bool {
        devices.values.lazy.filter { $0.owner == owner }.count < Limits.devices
    }
}
