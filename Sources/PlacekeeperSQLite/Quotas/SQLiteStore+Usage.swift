package import PlacekeeperCore
import PlacekeeperService

extension SQLiteStore {
    package func usage(of owner: UserKey) async throws(StoreError) -> Usage {
        try readers.read { connection throws(StoreError) in
            let select = try connection.statement(.usageOfUser, owner)
            guard try select.step() else { return Usage() }
            return Usage(
                bytes: try select.count(0), archives: try select.count(1), devices: try select.count(2))
        }
    }

    package func usage(of app: AppID) async throws(StoreError) -> Usage {
        try readers.read { connection throws(StoreError) in try connection.usage(of: app) }
    }
}

extension Connection {
    func usage(of app: AppID) throws(StoreError) -> Usage {
        let select = try statement(.usageOfApp, app)
        guard try select.step() else { return Usage() }
        // An app's wrong count must not block its users.
        let counts = (0..<4).map { Int(select.clampedNumber($0, .count)) }
        return Usage(bytes: counts[0], archives: counts[1], devices: counts[2], users: counts[3])
    }

    /// Recounts the data of all users and apps. Returns the tables whose stored counts differ.
    func wrongCounts() throws(StoreError) -> [String] {
        try values(Query.wrongCounts).map { "A row of \($0) differs from the data that it counts." }
    }
}

extension Query {
    fileprivate static let usageOfUser = Query(
        """
        SELECT bytes, archives, (SELECT count(*) FROM device WHERE device.user = user.id)
        FROM user WHERE app = ?1 AND uuid = ?2
        """)
    fileprivate static let usageOfApp = Query("SELECT bytes, archives, devices, users FROM app_usage WHERE app = ?1")
    fileprivate static let wrongCounts = """
        SELECT 'registry' FROM registry WHERE bytes <> coalesce((
            SELECT sum(length(texts)) FROM item CROSS JOIN item_text ON item_text.number = item.number
            WHERE item.registry = registry.id), 0) AND user IS NOT NULL
        UNION ALL
        SELECT 'user' FROM user WHERE (bytes, archives) <> (
            SELECT coalesce(sum(
                    archive.size + coalesce(
                        (SELECT length(bytes) FROM screenshot WHERE content = archive.content), 0)), 0)
                + (SELECT coalesce(sum(registry.bytes), 0) FROM registry WHERE registry.user = user.id), count(*)
            FROM scene CROSS JOIN archive ON archive.scene = scene.id WHERE scene.user = user.id)
        UNION ALL
        -- A user without devices may be in the middle of an import or an erasure.
        SELECT 'device_head' FROM (
            SELECT user, period, scene, device, 1 AS stored FROM device_head
            UNION ALL
            SELECT scene.user, max(archive.captured_at) >> \(HeadChange.periodBits), archive.scene, archive.device, 0
            FROM archive CROSS JOIN scene ON scene.id = archive.scene GROUP BY archive.scene, archive.device) AS heads
        WHERE EXISTS (SELECT 1 FROM device WHERE device.user = heads.user)
        GROUP BY user, period, scene, device HAVING count(*) <> 2
        UNION ALL
        SELECT 'app_usage' FROM (
            SELECT app AS id, sum(bytes) AS bytes, sum(archives) AS archives,
                sum((SELECT count(*) FROM device WHERE device.user = user.id)) AS devices, count(*) AS users
            FROM user GROUP BY app) AS counted
        FULL JOIN app_usage ON app_usage.app = counted.id
        WHERE (coalesce(app_usage.bytes, 0), coalesce(app_usage.archives, 0), coalesce(app_usage.devices, 0),
                coalesce(app_usage.users, 0))
            <> (coalesce(counted.bytes, 0), coalesce(counted.archives, 0), coalesce(counted.devices, 0),
                coalesce(counted.users, 0))
        """
}
