import PlacekeeperService

/// An archive whose device moves to another user.
struct ArchiveMove {
    var stored: StoredArchive
    /// The new user's scene with the same name.
    var destination: SceneStanding
    /// Whether the archive moves with the device. The archive does not move if the new user has it, has deleted it,
    /// or forgot the scene after the capture.
    var isTaken: Bool
}

/// The facts that decide whether an archive may move into a scene.
struct SceneStanding {
    var row: Int64?
    var forgottenAt: Timestamp?
    var holdsArchives = false
}

extension Transaction {
    /// Moves a device and its archives to another user. If the user that the device leaves has no other device, moves
    /// all archives of this user, because no device could read them any more. Ends the deletions of the archives that would
    /// move (`endDeletions`). A move is rare and changes scenes of two
    /// users, so it empties the whole cache of scenes (`SceneMemory`).
    func move(
        _ device: Device, to target: UserKey, _ destination: UserRow, at time: Timestamp, retention: Int,
        _ quotas: App.Settings.Quotas
    ) throws(StoreError) -> JoiningWrite {
        let owner = device.owner
        guard try connection.hasRoom(destination, quotas) else { return .refused(.tooManyDevices) }
        var (source, destination) = (try user(owner), destination)
        let isLast = try connection.deviceCount(of: source) == 1
        let moves = try moves(of: isLast ? nil : device.id, of: owner, from: source, to: destination)
        guard try hasRoom(for: moves, of: destination) else { return .refused(.tooManyScenes) }
        // An erasure of the new user must end everything that the person had.
        if isLast {
            try endDeletions(.allDeletionsOfUser, source.id)
        } else {
            try endDeletions(.deletionsOfDevice, source.id, of: device.id)
        }
        // The device knows revisions of its old user. The new user's revision rises to at least the old user's
        // revision, so that no later change of the new user gets a revision that the device knows.
        destination.revision = max(destination.revision, source.revision)
        let update = try connection.statement(.moveDevice)
        update.bind(device.id, at: 1)
        update.bind(destination.id, at: 2)
        update.bind(destination.revision, at: 3)
        try update.run()
        try log(.deviceRegistered, for: &destination, device: device.id, at: time)
        for scene in try carryOut(moves, of: device.id, from: &source, to: &destination, at: time) {
            try prune(scene, of: target, &destination, keeping: retention)
        }
        try storeUsage(of: destination)
        try moveLogEntries(of: device.id, all: isLast, from: source, to: destination)
        try leaveRegistries(of: device.id, by: &source)
        try log(.deviceRevoked, for: &source, device: device.id, at: time)
        // A device that joined the empty user later would be apart from the person's other devices.
        if isLast { try dropUnusedLinkCodes(of: source) }
        try dropServedLast(of: device.id, by: source)
        try dropLinks(of: device.id, by: source)
        var moved = device
        moved.owner = target
        moved.isSignedIn = try connection.hasSubject(destination)
        return .joined(moved, .move(from: owner, to: target))
    }

    /// Returns a device's archives, or all archives of the user if `device` is nil, and their destinations. They are
    /// sorted by scene and then by ascending `orderRevision` and revision, so that the new revisions keep the order of
    /// the old revisions.
    private func moves(
        of device: DeviceID?, of owner: UserKey, from source: UserRow, to destination: UserRow
    ) throws(StoreError) -> [ArchiveMove] {
        var standings: [String: SceneStanding] = [:]
        var moves: [ArchiveMove] = []
        for stored in try connection.archives(of: device, by: source, owner: owner) {
            let name = stored.archive.scene.name
            let standing = if let known = standings[name] { known } else { try connection.standing(name, destination) }
            standings[name] = standing
            let isForgotten = standing.forgottenAt.map { stored.archive.capturedAt < $0 } ?? false
            let isHeld = try standing.row.map { row throws(StoreError) in
                try connection.holds(stored.archive.id, in: row)
            }
            moves.append(
                ArchiveMove(stored: stored, destination: standing, isTaken: !isForgotten && isHeld != true))
        }
        return moves
    }

    /// Returns whether the user's limits allow all scenes that receive their first archive by the move.
    private func hasRoom(for moves: [ArchiveMove], of user: UserRow) throws(StoreError) -> Bool {
        let taken = moves.filter { $0.isTaken && !$0.destination.holdsArchives }
        let names = Set(taken.map(\.stored.archive.scene.name))
        guard !names.isEmpty else { return true }
        guard try connection.countOfScenesWithArchives(of: user) + names.count <= Limits.scenes else { return false }
        let unknown = Set(taken.filter { $0.destination.row == nil }.map(\.stored.archive.scene.name))
        if unknown.isEmpty { return true }
        return try connection.hasRoomForScenes(unknown.count, of: user)
    }

    /// Moves archives, and removes the archives that the new user's scenes refuse. Returns the scenes that received
    /// an archive.
    private func carryOut(
        _ moves: [ArchiveMove], of device: DeviceID, from source: inout UserRow, to destination: inout UserRow,
        at time: Timestamp
    ) throws(StoreError) -> Set<Int64> {
        var scenes: Set<Int64> = []
        var orders: [Int64: MovedOrder] = [:]
        for move in moves {
            let row = move.stored.row
            let id = move.stored.archive.id
            let maker = move.stored.archive.device
            try log(.archiveDeleted, for: &source, scene: row.scene, archive: id, device: maker, at: time)
            guard move.isTaken else {
                try remove(row, of: &source)
                continue
            }
            let scene = try scene(move.stored.archive.scene.name, of: destination)
            let usage = Usage(bytes: row.bytes, archives: 1)
            try count(-usage, of: &source)
            try count(usage, of: &destination)
            try log(.archiveStored, for: &destination, scene: scene, archive: id, device: maker, at: time)
            let update = try connection.statement(.moveArchive)
            update.bind(row.scene, at: 1)
            update.bind(row.position.capturedAt, at: 2)
            update.bind(row.position.revision, at: 3)
            update.bind(scene, at: 4)
            update.bind(destination.revision, at: 5)
            update.bind(
                orders[scene, default: MovedOrder()]
                    .next(move.stored.archive.orderRevision, movedTo: destination.revision), at: 6)
            try update.run()
            try moveServedLast(of: row.content, to: scene, device)
            scenes.insert(scene)
        }
        return scenes
    }

    /// Moves the record that the moved device was served this archive last. Deletes the records that other devices were
    /// served this archive last.
    private func moveServedLast(of content: Int64, to scene: Int64, _ device: DeviceID) throws(StoreError) {
        let update = try connection.statement(.moveServedLast)
        update.bind(content, at: 1)
        update.bind(device, at: 2)
        update.bind(scene, at: 3)
        try update.run()
        let delete = try connection.statement(.leaveServedLast)
        delete.bind(content, at: 1)
        delete.bind(device, at: 2)
        try delete.run()
    }
}

extension Connection {
    fileprivate func archives(
        of device: DeviceID?, by user: UserRow, owner: UserKey
    ) throws(StoreError) -> [StoredArchive] {
        let select = try statement(.archivesOfDevice)
        select.bind(user.id, at: 1)
        select.bind(device, at: 2)
        var archives: [StoredArchive] = []
        while try select.step() {
            let name = select.text(Query.storedArchiveColumnCount)
            archives.append(try select.storedArchive(in: SceneKey(owner: owner, name: name)))
        }
        return archives
    }

    fileprivate func standing(_ scene: String, _ user: UserRow) throws(StoreError) -> SceneStanding {
        let select = try statement(.standing)
        select.bind(user.id, at: 1)
        select.bind(scene, at: 2)
        guard try select.step() else { return SceneStanding() }
        return SceneStanding(
            row: try select.key(0), forgottenAt: try select.optionalTime(1), holdsArchives: try select.flag(2))
    }

    fileprivate func holds(_ id: ArchiveID, in scene: Int64) throws(StoreError) -> Bool {
        let select = try statement(.holds)
        select.bind(scene, at: 1)
        select.bind(id, at: 2)
        guard try select.step() else { return try hasTombstone(of: id, in: scene) }
        return true
    }
}

extension Query {
    fileprivate static let archivesOfDevice = Query(
        """
        SELECT \(archiveColumns), \(rowColumns), scene.name
        FROM scene CROSS JOIN archive ON archive.scene = scene.id
        WHERE scene.user = ?1 AND (archive.device = ?2 OR ?2 IS NULL)
        ORDER BY scene.name, archive.order_revision, archive.revision
        """)
    fileprivate static let moveDevice = Query("UPDATE device SET user = ?2, joined_revision = ?3 WHERE uuid = ?1")
    fileprivate static let standing = Query(
        """
        SELECT id, forgotten_at, EXISTS (SELECT 1 FROM archive WHERE archive.scene = scene.id)
        FROM scene WHERE user = ?1 AND name = ?2
        """)
    fileprivate static let holds = Query("SELECT 1 FROM archive WHERE scene = ?1 AND uuid = ?2")
    fileprivate static let moveArchive = Query(
        """
        UPDATE archive SET scene = ?4, revision = ?5, order_revision = ?6
        WHERE scene = ?1 AND captured_at = ?2 AND revision = ?3
        """)
    fileprivate static let moveServedLast = Query(
        "UPDATE OR REPLACE served_last SET scene = ?3 WHERE content = ?1 AND device = ?2")
    fileprivate static let leaveServedLast = Query("DELETE FROM served_last WHERE content = ?1 AND device <> ?2")
}
