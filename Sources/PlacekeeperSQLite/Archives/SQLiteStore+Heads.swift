package import PlacekeeperCore
package import PlacekeeperService

extension SQLiteStore {
    package func heads(
        of owner: UserKey, below position: Archive.Position?, limit: Int
    ) async throws(StoreError) -> [DeviceHead] {
        try readers.readAtOnce { connection throws(StoreError) in
            var places = try connection.headPlaces(of: owner)
            if let position { places.removeAll { $0.position >= position } }
            // Only the archives of one page are read completely.
            places.sort { $0.position > $1.position }
            var heads: [DeviceHead] = []
            let select = try connection.statement(.archiveAtPlace)
            for place in places.prefix(limit) {
                select.bind(place.scene, place.position.capturedAt, place.position.revision)
                if try select.step() {
                    let scene = SceneKey(owner: owner, name: select.text(Query.archiveColumnCount))
                    heads.append(
                        DeviceHead(archive: try select.archive(in: scene), isSceneHead: place.isSceneHead))
                }
                select.reset()
            }
            return heads
        }
    }
}

/// The position of the newest archive of one device in one scene.
private struct HeadPosition {
    var scene: Int64
    var position: Archive.Position
    var isSceneHead: Bool
}

extension Connection {
    /// Returns, for each scene, the position of the newest archive of each device. Each scene is read from its head
    /// backwards, so the first archive of a device is the newest archive of this device. Only the key and the device of
    /// each row are read.
    fileprivate func headPlaces(of owner: UserKey) throws(StoreError) -> [HeadPosition] {
        let select = try statement(.placesOfUser, owner)
        var places: [HeadPosition] = []
        var scene: Int64?
        var devices: Set<DeviceID> = []
        while try select.step() {
            let row = try select.key(4)
            let isSceneHead = row != scene
            if isSceneHead { devices.removeAll(keepingCapacity: true) }
            scene = row
            guard devices.insert(try select.id(5)).inserted else { continue }
            places.append(HeadPosition(scene: row, position: try select.position(at: 0), isSceneHead: isSceneHead))
        }
        return places
    }
}

extension Query {
    fileprivate static let placesOfUser = Query(
        """
        SELECT \(orderColumns), archive.scene, archive.device
        FROM user CROSS JOIN scene ON scene.user = user.id CROSS JOIN archive ON archive.scene = scene.id
        WHERE user.app = ?1 AND user.uuid = ?2
        ORDER BY scene.name, \(newestFirst)
        """)
    fileprivate static let archiveAtPlace = Query(
        """
        SELECT \(archiveColumns), scene.name FROM archive CROSS JOIN scene ON scene.id = archive.scene
        WHERE archive.scene = ?1 AND archive.captured_at = ?2 AND archive.revision = ?3
        """)
}
