import PlacekeeperCore
import PlacekeeperService

@testable import PlacekeeperPostgres

extension PostgresServer {
    /// Returns the faults in a database: the kinds of rows whose amounts differ from the stored data. Blocks the thread.
    package func findings(in url: String) throws -> [String] {
        try Self.amounts.compactMap { name, sql in
            let rows = try run(sql, in: url)
            let count = try rows.first?.first { row throws(StoreError) in try row.key() }
            return count == 0 ? nil : "\(count ?? -1) rows of \(name) have wrong amounts"
        }
    }

    private static let amounts = [
        (
            "users",
            """
            SELECT count(*) FROM users WHERE (bytes, archives, scenes, held_scenes) IS DISTINCT FROM (
                (SELECT coalesce(sum(size + coalesce(octet_length(screenshot), 0)), 0)::bigint FROM archive
                    WHERE archive.app = users.app AND archive.owner = users.owner AND deleted_at IS NULL)
                + (SELECT coalesce(sum(octet_length(texts)), 0)::bigint FROM item
                    WHERE item.app = users.app AND item.owner = users.owner),
                (SELECT count(*) FROM archive WHERE archive.app = users.app AND archive.owner = users.owner
                    AND deleted_at IS NULL),
                (SELECT count(*) FROM scene WHERE scene.app = users.app AND scene.owner = users.owner),
                (SELECT count(DISTINCT scene) FROM archive WHERE archive.app = users.app
                    AND archive.owner = users.owner AND deleted_at IS NULL))
            """
        ),
        (
            "heads",
            """
            SELECT count(*) FROM device_head FULL JOIN (
                SELECT app, owner, max(captured_at) >> 20 AS period, scene, device FROM archive WHERE deleted_at IS NULL
                GROUP BY app, owner, scene, device) AS derived USING (app, owner, period, scene, device)
            WHERE (device_head.app IS NULL OR derived.app IS NULL) AND EXISTS (
                SELECT 1 FROM device WHERE device.app = app AND device.owner = owner)
            """
        ),
        (
            "registrations",
            """
            SELECT count(*) FROM registry WHERE (bytes, count, removed, ambiguous) IS DISTINCT FROM (
                (SELECT coalesce(sum(octet_length(texts)), 0)::bigint FROM item WHERE item.app = registry.app
                    AND item.owner = registry.owner AND item.registry = registry.number),
                (SELECT count(*) FROM item WHERE item.app = registry.app AND item.owner = registry.owner
                    AND item.registry = registry.number AND removed_at IS NULL),
                (SELECT count(*) FROM item WHERE item.app = registry.app AND item.owner = registry.owner
                    AND item.registry = registry.number AND removed_at IS NOT NULL),
                (SELECT count(*) FROM (SELECT 1 FROM alias WHERE alias.app = registry.app AND alias.owner = registry.owner
                    AND alias.registry = registry.number AND is_live GROUP BY alias HAVING count(*) > 1) AS found))
            """
        ),
        (
            "apps",
            """
            SELECT count(*) FROM (
                SELECT app, sum(bytes) AS bytes, sum(archives) AS archives, sum(devices) AS devices, sum(users) AS users
                FROM app_usage GROUP BY app) AS known
            WHERE (bytes, archives, devices, users) IS DISTINCT FROM (
                (SELECT coalesce(sum(bytes), 0) FROM users WHERE users.app = known.app),
                (SELECT coalesce(sum(archives), 0) FROM users WHERE users.app = known.app),
                (SELECT count(*)::numeric FROM device WHERE device.app = known.app),
                (SELECT count(*)::numeric FROM users WHERE users.app = known.app))
            """
        ),
    ]
}
