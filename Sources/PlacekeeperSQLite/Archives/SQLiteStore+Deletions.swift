package import PlacekeeperService

extension SQLiteStore {
    package func delete(
        _ id: ArchiveID, in scene: SceneKey, at time: Timestamp, isUndoable: Bool
    ) async throws(StoreError) -> Committed<Bool> {
        try await writer.write(effects: { .change(of: scene, $0) }) { transaction throws(StoreError) in
            guard let stored = try transaction.connection.archive(id, in: scene) else {
                if !isUndoable { try transaction.endDeletion(of: id, in: scene) }
                return false
            }
            try transaction.keepingScenes(except: scene.owner) { () throws(StoreError) in
                var user = try transaction.user(scene.owner)
                if isUndoable {
                    try transaction.setAside(stored.row, of: &user, at: time)
                } else {
                    try transaction.remove(stored.row, of: &user)
                }
                try transaction.tombstone(id, in: stored.row.scene, at: time)
                try transaction.log(
                    .archiveDeleted, for: &user, scene: stored.row.scene, archive: id, device: stored.archive.device,
                    at: time)
            }
            return true
        }
    }

    package func undelete(
        _ id: ArchiveID, in scene: SceneKey, at time: Timestamp, quotas: App.Settings.Quotas
    ) async throws(StoreError) -> Committed<Undeletion> {
        try await writer.write(effects: { .change(of: scene, $0 == .restored) }) { transaction throws(StoreError) in
            try transaction.undelete(id, in: scene, at: time, quotas)
        }
    }

    package func deletedArchives(in scene: SceneKey, at time: Timestamp) async throws(StoreError) -> [DeletedArchive] {
        try readers.read { connection throws(StoreError) in
            let select = try connection.statement(.deletedArchives)
            select.bind(scene, at: 1)
            select.bind(time - Retention.tombstones, at: 4)
            var archives: [DeletedArchive] = []
            while try select.step() {
                archives.append(
                    DeletedArchive(
                        archive: try select.archive(in: scene), deletedAt: try select.time(Query.archiveColumnCount)))
            }
            return archives
        }
    }
}

extension Query {
    fileprivate static let deletedArchives = Query(
        """
        SELECT \(archiveColumns), deleted_at
        FROM user CROSS JOIN scene ON scene.user = user.id CROSS JOIN deleted_archive AS archive ON archive.scene = scene.id
        WHERE user.app = ?1 AND user.uuid = ?2 AND scene.name = ?3 AND deleted_at >= ?4
        ORDER BY deleted_at DESC, archive.revision DESC
        """)
}
