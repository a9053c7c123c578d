extension Workspace {
    /// Moves a device and its archives to another user. If the old user has no other device, all of that user's
    /// archives move, because no device could read them anymore.
    ///
    /// - Parameter account: the target's account. If the target doesn't exist, it is created for this account.
    mutating func move(
        _ device: Device, from source: UserState, to target: UserState, creating account: Account? = nil,
        at time: Timestamp, retention: Int, _ quotas: App.Settings.Quotas, _ unusedSince: Timestamp?
    ) throws(Interruption) -> JoinResult {
        guard let dropped = try devicesToDrop(for: target, quotas, since: unusedSince) else { return .tooManyDevices }
        let isLast = source.devices.count == 1
        let maker = isLast ? nil : device.id
        let moves = try moves(of: maker, from: source, to: target)
        guard try hasRoom(for: moves, of: target, quotas) else { return .tooManyScenes }
        try require([.itemBytes(device.id, source.key), .usage(source.key.app)])
        if let account { create(target, of: account, at: time) }

        // An erasure of the target must also cover everything from the old user.
        note(.endDeletions(of: source, maker: maker))
        source.isOutdated = true
        // The device knows revisions of its old user. Raise the target's revision to at least the source's, so no later
        // change gets a revision that the device already knows.
        target.revision = max(target.revision, source.revision)
        try dropExpired(dropped, at: time)
        let known = source.devices.removeValue(forKey: device.id)
        target.devices[device.id] = UserState.DeviceState(joined: target.revision)
        count(Usage(devices: -1), of: source)
        count(Usage(devices: 1), of: target)
        touch(target, at: source.latestTime)
        moveAccess(of: device.id, from: source, to: target)
        note(.moveDevice(device.id, from: source, to: target))
        log(.deviceRegistered, of: target, device: device.id, at: time)
        for move in moves { carryOut(move, of: device.id, from: source, to: target, at: time, retention: retention) }
        // The moved captures have new revisions. If the device may have restarted its count before, the sequences of
        // all moved captures are ignored.
        if let known, known.countsSince.rawValue > 0 { target.devices[device.id]?.countsSince = target.revision }
        log(.deviceRevoked, of: source, device: device.id, at: time)
        dropAllServedLast(by: device.id, of: source)
        dropItems(of: device.id, by: source)
        note(.moveLogEntries(of: maker, from: source, to: target))
        // With an unused code, a device would join the empty user, without the archives that moved.
        if isLast { dropUnusedCodes(of: source) }
        invalidations = .move(from: source.key, to: target.key)
        var moved = device
        (moved.owner, moved.isSignedIn) = (target.key, target.subject != nil)
        return .joined(moved)
    }

    /// The archives of a scene that move to another user.
    private struct SceneMove {
        var source: SceneState
        var target: SceneState
        /// Sorted by `orderRevision`, then by revision, so the new revisions keep the order.
        var leaving: [History.Entry]
        /// The archives that the target's scene accepts.
        var taken: Set<ArchiveID>

        /// Returns whether a view-only capture is separated from the work it shows.
        func leavesWork(of entry: History.Entry) -> Bool {
            guard entry.isViewOnly, let index = source.history.entries.firstIndex(where: { $0.id == entry.id }) else {
                return false
            }
            let work = source.history.entries[index...].first { !$0.isViewOnly }
            return work.map { !taken.contains($0.id) } ?? true
        }
    }

    /// - Parameter maker: the device whose archives move, or nil to move all.
    private func moves(
        of maker: DeviceID?, from source: UserState, to target: UserState
    ) throws(Interruption) -> [SceneMove] {
        try require([.scenes(source.key)])
        let leaving = source.scenes.values.sorted { $0.key.name < $1.key.name }.compactMap { scene in
            let entries = scene.history.entries.filter { maker == nil || $0.device == maker }
            return entries.isEmpty ? nil : (scene: scene, entries: entries)
        }
        var needs: [Need] = []
        for (scene, entries) in leaving {
            let key = SceneKey(owner: target.key, name: scene.key.name)
            needs.append(.scene(key))
            needs += entries.map { .tombstone($0.id, key) }
        }
        try require(needs)
        var moves: [SceneMove] = []
        for (scene, entries) in leaving {
            let destination = try known(SceneKey(owner: target.key, name: scene.key.name))
            let taken = entries.filter { entry in
                !destination.history.contains(entry.id) && destination.tombstones[entry.id] == nil
                    && destination.forgotten.map { entry.stateTime < $0.at } != true
            }
            let sorted = entries.sorted {
                ($0.position.orderRevision, $0.position.revision) < ($1.position.orderRevision, $1.position.revision)
            }
            moves.append(
                SceneMove(source: scene, target: destination, leaving: sorted, taken: Set(taken.map(\.id))))
        }
        return moves
    }

    /// Returns whether the target has room for all scenes that get their first archive from the move.
    private func hasRoom(
        for moves: [SceneMove], of target: UserState, _ quotas: App.Settings.Quotas
    ) throws(Interruption) -> Bool {
        let begun = moves.filter { !$0.taken.isEmpty && $0.target.history.head == nil }
        guard !begun.isEmpty, target.exists else { return true }
        let counts = try sceneCounts(of: target)
        let unknown = begun.count { !$0.target.exists }
        return counts.held + begun.count <= quotas.scenes
            && (unknown == 0 || counts.known + unknown <= quotas.knownScenes)
    }

    /// Moves a device's tokens to its new user.
    private func moveAccess(of device: DeviceID, from source: UserState, to target: UserState) {
        guard let access = source.access else { return }
        source.access?.tokens = access.tokens.filter { $0.value.device != device }
        target.access?.tokens.merge(access.tokens.filter { $0.value.device == device }) { $1 }
    }

    private mutating func carryOut(
        _ move: SceneMove, of device: DeviceID, from source: UserState, to target: UserState, at time: Timestamp,
        retention: Int
    ) {
        var orders = MovedOrder()
        // Computed before the first archive leaves.
        let views = Set(move.leaving.filter(move.leavesWork).map(\.id))
        let lastServed = move.source.history.servedLast[device]
        for var entry in move.leaving {
            let (id, maker) = (entry.id, entry.device)
            log(.archiveDeleted, of: source, scene: move.source, archive: id, device: maker, at: time)
            guard move.taken.contains(id) else {
                remove(entry, of: move.source, source)
                continue
            }
            takeOut(entry, of: move.source, source)
            note(.dropServedLast(of: entry, move.source))
            create(move.target, of: target)
            log(.archiveStored, of: target, scene: move.target, archive: id, device: maker, at: time)
            let old = entry
            entry.position.orderRevision = orders.next(entry.position.orderRevision, movedTo: target.revision)
            entry.position.revision = target.revision
            // Without the work that it shows, a view-only capture must not go above work of the target.
            if views.contains(id) { entry.position.capturedAt = .belowAllWork }
            insert(entry, in: move.target, of: target)
            note(.moveArchive(old, from: move.source, to: move.target, at: entry.position))
            guard lastServed == id else { continue }
            move.target.history.serve(id, to: device)
            note(.setServedLast(entry, to: device, move.target))
        }
        if !move.taken.isEmpty { prune(move.target, of: target, keeping: retention) }
    }

    /// Drops a device's registered items and the operators' decisions about them, because the keys of items depend on
    /// the user.
    private mutating func dropItems(of device: DeviceID, by user: UserState) {
        count(Usage(bytes: -(user.itemBytes[device] ?? 0)), of: user)
        user.itemBytes = [:]
        note(.dropRegistrations(of: device, by: user))
        note(.dropLinks(of: device, by: user))
    }
}
