package import PlacekeeperCore
package import PlacekeeperMatching
package import PlacekeeperService

extension SQLiteStore {
    package func scenes(
        of owner: UserKey, after name: String?, limit: Int
    ) async throws(StoreError) -> [SceneFacts] {
        try readers.read { connection throws(StoreError) in
            let select = try connection.statement(.scenesOfUser, owner, name ?? "", limit)
            var scenes: [SceneFacts] = []
            while try select.step() {
                var forgotten: CaptureOrder.Forgotten?
                if !select.isNull(1) {
                    forgotten = CaptureOrder.Forgotten(at: try select.time(1), revision: try select.revision(2))
                }
                scenes.append(
                    SceneFacts(
                        name: select.text(0), forgotten: forgotten, archiveCount: try select.count(3),
                        archiveBytes: try select.count(4)))
            }
            return scenes
        }
    }

    package func dataSources(
        of owner: UserKey, after name: String?, limit: Int
    ) async throws(StoreError) -> [String] {
        try readers.read { connection throws(StoreError) in
            let select = try connection.statement(.dataSourcesOfUser, owner, name ?? "", limit)
            var names: [String] = []
            while try select.step() { names.append(select.text(0)) }
            return names
        }
    }

    package func items(
        after ordinal: Int64?, in registry: Registry, limit: Int
    ) async throws(StoreError) -> [ListedItem] {
        try readers.readAtOnce { connection throws(StoreError) in
            let select = try connection.statement(.itemsInOrder, in: registry)
            select.bind(ordinal ?? 0, at: 2)
            select.bind(limit, at: 3)
            var items: [ListedItem] = []
            while try select.step() {
                items.append(
                    ListedItem(try select.item(), removedAt: try select.optionalTime(6)))
            }
            return items
        }
    }
}

extension Query {
    fileprivate static let scenesOfUser = Query(
        """
        SELECT name, forgotten_at, forgotten_revision, count(archive.scene), coalesce(sum(archive.size), 0)
        FROM user CROSS JOIN scene ON scene.user = user.id LEFT JOIN archive ON archive.scene = scene.id
        WHERE user.app = ?1 AND user.uuid = ?2 AND name > ?3
        GROUP BY name ORDER BY name LIMIT ?4
        """)
    fileprivate static let dataSourcesOfUser = Query(
        """
        SELECT data_source FROM user CROSS JOIN registry ON registry.user = user.id
        WHERE user.app = ?1 AND user.uuid = ?2 AND data_source > ?3
        UNION
        SELECT data_source FROM user CROSS JOIN link ON link.user = user.id
        WHERE user.app = ?1 AND user.uuid = ?2 AND data_source > ?3
        ORDER BY data_source LIMIT ?4
        """)
    fileprivate static let itemsInOrder = Query(
        "SELECT \(itemColumns) FROM item WHERE registry = ?1 AND number > ?2 ORDER BY number LIMIT ?3")
}
