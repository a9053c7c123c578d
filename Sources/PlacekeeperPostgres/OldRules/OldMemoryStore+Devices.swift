package import PlacekeeperService

extension OldMemoryStore {
    package func describe(_ device: Device) -> Committed<Bool> {
        guard var known = devices[device.id], known.owner == device.owner else { return commit(false, .none) }
        known.describe(as: device)
        devices[device.id] = known
        return commit(true, .access(of: device.owner))
    }

    package func devices(of owner: UserKey) -> [Device] {
        devices.values.filter { $0.owner == owner }.map(current).sorted {
            ($0.createdAt, $0.id) < ($1.createdAt, $1.id)
        }
    }

    package func device(_ id: DeviceID, in app: AppID) -> Device? {
        devices[id].flatMap { $0.owner.app == app ? current($0) : nil }
    }

    package func users(of app: AppID, after last: UserID?, limit: Int) -> [UserOverview] {
        users.keys.filter { owner in owner.app == app && last.map { $0 < owner.user } ?? true }
            .sorted { $0.user < $1.user }.prefix(limit).map { owner in
                let devices = devices(of: owner)
                let user = users[owner, default: UserRecord()]
                let usage = usage(of: owner)
                return UserOverview(
                    user: owner.user, isSignedIn: user.subject != nil,
                    createdAt: user.createdAt.milliseconds == 0 ? nil : user.createdAt, archiveCount: usage.archives,
                    bytes: usage.bytes, deviceCount: devices.count, lastSeenAt: devices.map(\.lastSeenAt).max())
            }
    }

    package func revoke(_ device: DeviceID, of owner: UserKey, at time: Timestamp) -> Committed<Bool> {
        let result = remove(device, of: owner, at: time)
        return commit(result, .access(of: owner, result))
    }

    func remove(_ device: DeviceID, of owner: UserKey, at time: Timestamp) -> Bool {
        guard devices[device]?.owner == owner else { return false }
        devices[device] = nil
        tokens = tokens.filter { $0.value.device != device }
        installations = installations.filter { $0.value.device != device }
        joinedRevisions[device] = nil
        leaveServings(of: device, by: owner)
        linkCodes = linkCodes.filter { $0.value.owner != owner }
        users[owner, default: UserRecord()].log(.deviceRevoked, device: device, at: time)
        return true
    }

    /// Returns a device with the facts of its user.
    func current(_ device: Device) -> Device {
        var device = device
        device.isSignedIn = users[device.owner]?.subject != nil
        return device
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
        if let maker = code.maker, devices[maker]?.owner != code.owner { throw .userGone }
        linkCodes[code.digest] = code
        usedLinkCodes[code.digest] = nil
    }

    /// Drops the link codes of a user that no device has used.
    func dropUnusedLinkCodes(of owner: UserKey) {
        linkCodes = linkCodes.filter { $0.value.owner != owner || usedLinkCodes[$0.key] != nil }
    }

    /// Moves a device and its archives to another user.
    func move(
        _ device: Device, to target: UserKey, at time: Timestamp, retention: Int, _ quotas: App.Settings.Quotas
    ) -> Joining {
        let owner = device.owner
        guard hasRoom(target, quotas) else { return .tooManyDevices }
        let isLast = devices.values.count { $0.owner == owner } == 1
        let maker = isLast ? nil : device.id
        guard hasRoomForScenes(of: maker, of: owner, at: target) else { return .tooManyScenes }
        var moved = device
        moved.owner = target
        devices[device.id] = moved
        for list in lists.keys where list.owner == owner { lists[list]?.removeAll { $0.device == device.id } }
        for list in decisions.keys where list.owner == owner {
            decisions[list]?.removeAll { $0.first.device == device.id || $0.second.device == device.id }
        }
        var source = users[owner, default: UserRecord()]
        var destination = users[target, default: UserRecord()]
        for name in source.scenes.keys {
            source.scenes[name]?.endDeletions { stored, _ in maker == nil || stored.archive.device == maker }
        }
        // The device knows revisions of the old user. The new user's later revisions must be greater, so that the
        // device never sees one revision for two changes.
        destination.latest = max(destination.latest, source.latest)
        joinedRevisions[device.id] = destination.latest
        destination.log(.deviceRegistered, device: device.id, at: time)
        for name in source.scenes.keys.sorted() {
            let hasMoved = moveArchives(
                of: maker, with: device.id, in: name, from: &source, to: &destination, owner: target, at: time)
            if hasMoved {
                drop(surplusOf: &destination.scenes[name, default: SceneRecord()], of: target, keeping: retention)
            }
        }
        source.log(.deviceRevoked, device: device.id, at: time)
        if isLast { dropUnusedLinkCodes(of: owner) }
        users[owner] = source
        users[target] = destination
        leaveServings(of: device.id, by: owner)
        moveLogEntries(of: maker, from: owner, to: target)
        return .joined(current(moved))
    }

    /// Moves a device's archives of a scene. The archives with the lowest `orderRevision` come first, so that the new
    /// revisions keep the order of the old revisions. Returns whether the destination received an archive.
    ///
    /// - Parameters:
    ///   - maker: the device whose archives move. Nil if all archives move.
    ///   - device: the device that moves.
    private func moveArchives(
        of maker: DeviceID?, with device: DeviceID, in name: String, from source: inout UserRecord,
        to destination: inout UserRecord,
        owner: UserKey, at time: Timestamp
    ) -> Bool {
        guard let scene = source.scenes[name] else { return false }
        let leaving = scene.archives.filter { maker == nil || $0.archive.device == maker }
            .sorted {
                ($0.archive.orderRevision, $0.archive.revision) < ($1.archive.orderRevision, $1.archive.revision)
            }
        source.scenes[name]?.remove(Set(leaving.map(\.archive.id)))
        var hasMoved = false
        var orderRevisions = MovedOrder()
        for var stored in leaving {
            let id = stored.archive.id
            source.log(.archiveDeleted, scene: name, archive: id, device: stored.archive.device, at: time)
            var target = destination.scenes[name, default: SceneRecord()]
            guard Self.takes(stored.archive, target) else { continue }
            stored.archive.scene = SceneKey(owner: owner, name: name)
            destination.log(.archiveStored, scene: name, archive: id, device: stored.archive.device, at: time)
            stored.archive.revision = destination.latest
            stored.archive.orderRevision = orderRevisions.next(
                stored.archive.orderRevision, movedTo: destination.latest)
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

    /// Returns whether a user has room for all scenes that a device brings, or that a user brings if `maker` is nil.
    private func hasRoomForScenes(of maker: DeviceID?, of owner: UserKey, at target: UserKey) -> Bool {
        let known = users[target]?.scenes ?? [:]
        let begun = (users[owner]?.scenes ?? [:]).filter { name, scene in
            let destination = known[name] ?? SceneRecord()
            return destination.head == nil
                && scene.archives.contains {
                    (maker == nil || $0.archive.device == maker) && Self.takes($0.archive, destination)
                }
        }
        guard !begun.isEmpty else { return true }
        let holding = users[target]?.heldSceneCount ?? 0
        let unknown = begun.keys.count { known[$0] == nil }
        return holding + begun.count <= Limits.scenes
            && (unknown == 0 || (users[target]?.sceneCount ?? 0) + unknown <= Limits.knownScenes)
    }

    /// Removes the records of the archives that a device was served last, so that these archives are no longer kept for
    /// the device.
    func leaveServings(of device: DeviceID, by owner: UserKey) {
        for name in (users[owner]?.scenes ?? [:]).keys { users[owner]?.scenes[name]?.servedLast[device] = nil }
    }

    /// Returns the owner of a link code. Nil if the code is unknown or expired, or belongs to another app.
    func owner(of digest: Digest, in app: AppID, at time: Timestamp) -> UserKey? {
        guard let code = linkCodes[digest], code.owner.app == app else { return nil }
        return time < code.expiresAt && code.expiresAt <= LinkCode.latestExpiry(at: time) ? code.owner : nil
    }

    /// Returns whether a user may have one more device.
    func hasRoom(_ owner: UserKey, _ quotas: App.Settings.Quotas) -> Bool {
        devices.values.lazy.filter { $0.owner == owner }.count < quotas.devices
    }
}
