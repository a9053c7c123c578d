import PlacekeeperService

extension Transaction {
    /// Removes a scene's surplus archives (`History.takeSurplus`).
    func prune(_ scene: Int64, of owner: UserKey, _ user: inout UserRow, keeping limit: Int) throws(StoreError) {
        var history = try connection.history(of: scene)
        for row in try takeSurplus(of: &history, in: scene, of: owner, keeping: limit) { try remove(row, of: &user) }
    }

    /// Takes the surplus archives out of a scene's history (`History.takeSurplus`), and returns their rows. The caller
    /// deletes these rows.
    ///
    /// - Parameters:
    ///   - new: the archive that is about to be stored. This archive is kept until the next upload, regardless of its
    ///     age.
    ///   - known: a device that is known to belong to the user, so that it is not looked up.
    func takeSurplus(
        of history: inout History, in scene: Int64, of owner: UserKey, adding new: ArchiveID? = nil,
        keeping limit: Int, knowing known: DeviceID? = nil
    ) throws(StoreError) -> [ArchiveRow] {
        let surplus = try history.takeSurplus(keeping: limit, adding: new) { device throws(StoreError) in
            guard device != known else { return true }
            return try connection.device(device, of: owner) != nil
        } isServedLast: { content throws(StoreError) in
            try connection.wasServedLast(content)
        }
        return surplus.map { ArchiveRow($0, in: scene) }
    }

    /// Records that, of the archives of `scene`, the device was served the archive `row` last. Records nothing if the
    /// device does not belong to the scene's user.
    func noteServedLast(_ row: ArchiveRow, in scene: SceneKey, to device: DeviceID) throws(StoreError) {
        let select = try connection.statement(.servedLast)
        select.bind(row.scene, at: 1)
        select.bind(device, at: 2)
        let former: Int64? = try select.step() ? select.key(0) : nil
        select.reset()
        let insert = try connection.statement(.insertServedLast)
        insert.bind(row.scene, at: 1)
        insert.bind(device, at: 2)
        insert.bind(row.content, at: 3)
        try insert.run()
        if let former { scenes.user(scene.owner)?.scenes[scene.name]?.history.loseServing(of: former) }
    }

    /// Deletes the records that say which archives of the user's scenes a device was served last, because the device
    /// left the user. Retention no longer keeps these archives for the device.
    func dropServedLast(of device: DeviceID, by user: UserRow) throws(StoreError) {
        let delete = try connection.statement(.dropServedLast)
        delete.bind(user.id, at: 1)
        delete.bind(device, at: 2)
        try delete.run()
    }
}

extension Connection {
    /// Returns whether the archive with this content row is the last archive of its scene that one of the user's
    /// devices was served.
    fileprivate func wasServedLast(_ content: Int64) throws(StoreError) -> Bool {
        let select = try statement(.wasServedLast)
        select.bind(content, at: 1)
        return try select.step()
    }
}

extension Query {
    fileprivate static let wasServedLast = Query("SELECT 1 FROM served_last WHERE content = ?1 LIMIT 1")
    fileprivate static let servedLast = Query("SELECT content FROM served_last WHERE scene = ?1 AND device = ?2")
    fileprivate static let insertServedLast = Query(
        """
        INSERT OR REPLACE INTO served_last
        SELECT scene.id, device.uuid, ?3 FROM scene CROSS JOIN device ON device.user = scene.user
        WHERE scene.id = ?1 AND device.uuid = ?2
        """)
    fileprivate static let dropServedLast = Query(
        """
        DELETE FROM served_last
        WHERE device = ?2 AND scene IN (SELECT id FROM scene WHERE user = ?1)
        """)
}
