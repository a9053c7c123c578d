package import PlacekeeperCore
package import PlacekeeperService

extension SQLiteStore {
    package func heads(
        of owner: UserKey, below position: Archive.Position?, limit: Int
    ) async throws(StoreError) -> [DeviceHead] {
        try readers.readAtOnce { connection throws(StoreError) in
            let places = try connection.headPlaces(of: owner, below: position, limit: limit)
            // Only the archives on the page are read in full.
            var heads: [DeviceHead] = []
            let select = try connection.statement(.archiveAtPlace)
            for place in places {
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

/// The position of a device's newest archive in a scene.
private struct HeadPosition {
    var scene: Int64
    var position: Archive.Position
    var isSceneHead: Bool
}

extension Connection {
    /// Returns the positions of each device's newest archive in each scene, newest first. Reads only the periods that
    /// contain these archives.
    fileprivate func headPlaces(
        of owner: UserKey, below position: Archive.Position?, limit: Int
    ) throws(StoreError) -> [HeadPosition] {
        let select = try statement(.periodsOfHeads, owner, position?.capturedAt.period ?? .max)
        var places: [HeadPosition] = []
        var period: [HeadPosition] = []
        var number: Int64?
        func endPeriod() {
            places += period.sorted { $0.position > $1.position }
            period.removeAll(keepingCapacity: true)
        }
        while try select.step() {
            let next = try select.key(0)
            if number != next {
                endPeriod()
                if places.count >= limit { break }
                number = next
            }
            let scene = try select.key(1)
            let device: DeviceID = try select.id(2)
            let head = try newest(in: scene, by: device, in: next)
            if position.map({ head.position < $0 }) ?? true { period.append(head) }
        }
        endPeriod()
        return Array(places.prefix(limit))
    }

    /// Returns the newest archive of a device in a scene.
    private func newest(in scene: Int64, by device: DeviceID, in period: Int64) throws(StoreError) -> HeadPosition {
        let last = ((period &+ 1) << HeadChange.periodBits) &- 1
        let select = try statement(.headOfDevice, scene, device, period << HeadChange.periodBits, last)
        guard try select.step() else { throw .corrupt("The index of heads names an archive that does not exist.") }
        return HeadPosition(
            scene: scene, position: try select.position(at: 0), isSceneHead: try select.number(4, .flag) != 0)
    }
}

extension Query {
    fileprivate static let periodsOfHeads = Query(
        """
        SELECT period, scene, device FROM user CROSS JOIN device_head ON device_head.user = user.id
        WHERE user.app = ?1 AND user.uuid = ?2 AND period <= ?3 ORDER BY period DESC
        """)
    fileprivate static let headOfDevice = Query(
        """
        SELECT \(orderColumns), NOT EXISTS (
            SELECT 1 FROM archive AS newer WHERE newer.scene = archive.scene
                AND (newer.captured_at, newer.order_revision, newer.sequence, newer.revision) > (\(orderColumns)))
        FROM archive
        WHERE scene = ?1 AND device = ?2 AND captured_at BETWEEN ?3 AND ?4 ORDER BY \(newestFirst) LIMIT 1
        """)
    fileprivate static let archiveAtPlace = Query(
        """
        SELECT \(archiveColumns), scene.name FROM archive CROSS JOIN scene ON scene.id = archive.scene
        WHERE archive.scene = ?1 AND archive.captured_at = ?2 AND archive.revision = ?3
        """)
}
