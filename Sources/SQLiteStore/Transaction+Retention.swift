import RestorationService

extension Transaction {
    /// Removes what a scene has too many of.
    func prune(_ scene: Int64, _ key: SceneKey, keeping limit: Int) throws(StoreError) {
        for row in try surplus(of: connection.history(of: scene), in: key, keeping: limit) { try remove(row) }
    }

    /// What the pure rule drops of a scene's history, from the head backwards. An archive's outcomes are looked up only
    /// if it has any.
    ///
    /// - Parameter new: what is about to be stored in the scene. It stays, however old, until the next one comes.
    func surplus(
        of history: History, in scene: SceneKey, adding new: Archive? = nil, keeping limit: Int
    ) throws(StoreError) -> [ArchiveRow] {
        var entries = new.map { [Retention.Entry($0, isServable: true)] } ?? []
        guard history.entries.count + entries.count > limit else { return [] }
        entries.reserveCapacity(history.entries.count + 1)
        for entry in history.entries {
            var isServable = true
            if entry.row.hasOutcomes, let stored = try connection.archive(entry.id, in: scene) {
                let outcomes = try connection.outcomes(of: entry.id, content: entry.row.content)
                isServable = Standing.isServable(stored.archive, after: outcomes)
            }
            entries.append(
                Retention.Entry(
                    id: entry.id, device: entry.device, idiom: entry.idiom, position: entry.row.position,
                    hasPlace: entry.hasPlace, isServable: isServable))
        }
        let surplus = try Retention.surplus(of: entries, keeping: limit) { entry throws(StoreError) in
            if entry.id == new?.id { return true }
            guard let stored = history.entries.first(where: { $0.id == entry.id }) else { return false }
            return try connection.wasServedLast(stored.row)
        }
        return history.entries.filter { surplus.contains($0.id) }.map(\.row)
    }
}

extension Connection {
    /// Whether a device of the user was served an archive, and no other of the scene since.
    fileprivate func wasServedLast(_ row: ArchiveRow) throws(StoreError) -> Bool {
        let select = try statement(.wasServedLast)
        select.bind(row.content, at: 1)
        select.bind(row.scene, at: 2)
        select.bind(row.position.capturedAt, at: 3)
        select.bind(row.position.revision, at: 4)
        return try select.step()
    }
}

extension Query {
    fileprivate static let wasServedLast = Query(
        """
        SELECT 1 FROM served JOIN device ON device.uuid = served.device
        WHERE served.content = ?1 AND device.user = (SELECT user FROM scene WHERE id = ?2) AND NOT EXISTS (
            SELECT 1 FROM archive CROSS JOIN served AS other ON other.content = archive.content
            WHERE archive.scene = ?2 AND other.device = served.device
                AND (other.at, archive.captured_at, archive.revision) > (served.at, ?3, ?4))
        LIMIT 1
        """)
}
