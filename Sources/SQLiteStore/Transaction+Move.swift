import RestorationService

extension Transaction {
    /// Moves a device's archives to another user, scene by scene, oldest first, so that the new revisions keep the
    /// order of the old. Returns the scenes that they came to, with their names.
    func moveArchives(
        of device: DeviceID, of owner: UserKey, from source: inout UserRow, to destination: inout UserRow,
        at time: Timestamp
    ) throws(StoreError) -> [Int64: String] {
        var scenes: [Int64: String] = [:]
        for stored in try connection.archives(of: device, by: source, owner: owner) {
            let id = stored.archive.id
            try log(.archiveDeleted, for: &source, scene: stored.row.scene, archive: id, device: device, at: time)
            let scene = try scene(stored.archive.scene.name, of: destination)
            // What the user of the code already has, or has deleted, under this id stays as it is.
            if try connection.holds(id, in: scene) {
                try remove(stored.row)
                continue
            }
            try log(.archiveStored, for: &destination, scene: scene, archive: id, device: device, at: time)
            let update = try connection.statement(.moveArchive)
            update.bind(stored.row.scene, at: 1)
            update.bind(stored.row.position.capturedAt, at: 2)
            update.bind(stored.row.position.revision, at: 3)
            update.bind(scene, at: 4)
            update.bind(destination.revision, at: 5)
            try update.run()
            scenes[scene] = stored.archive.scene.name
        }
        return scenes
    }
}

extension Connection {
    fileprivate func archives(
        of device: DeviceID, by user: UserRow, owner: UserKey
    ) throws(StoreError) -> [StoredArchive] {
        let select = try statement(.archivesOfDevice)
        select.bind(user.id, at: 1)
        select.bind(device, at: 2)
        var archives: [StoredArchive] = []
        while try select.step() {
            let name = select.text(Query.archiveColumnCount + 2)
            archives.append(try select.storedArchive(in: SceneKey(owner: owner, name: name)))
        }
        return archives
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
        SELECT \(archiveColumns), archive.scene, archive.content, scene.name
        FROM scene CROSS JOIN archive ON archive.scene = scene.id
        WHERE scene.user = ?1 AND archive.device = ?2
        ORDER BY scene.name, archive.revision
        """)
    fileprivate static let holds = Query("SELECT 1 FROM archive WHERE scene = ?1 AND uuid = ?2")
    fileprivate static let moveArchive = Query(
        "UPDATE archive SET scene = ?4, revision = ?5 WHERE scene = ?1 AND captured_at = ?2 AND revision = ?3")
}
