package import PlacekeeperCore

// Deletions by administrators, which can be undone (docs/decisions/0078-a-deletion-can-be-undone.md).
extension Archives {
    /// Deletes an archive undoably. Returns the time until which the deletion can be undone.
    package func deleteUndoably(_ id: ArchiveID, in scene: SceneKey) async throws(ServiceError) -> Timestamp {
        try await delete(id, in: scene, isUndoable: true) + Retention.tombstones
    }

    /// Returns a scene's archives whose deletion can be undone, most recently deleted first.
    package func deletedArchives(in scene: SceneKey) async throws(ServiceError) -> [DeletedArchive] {
        try Validation.sceneName(scene.name)
        let now = clock.now()
        return try await service.ask { store async throws(StoreError) in
            try await store.deletedArchives(in: scene, at: now)
        }
    }

    /// Undoes the deletion of an archive. Returns the archive with its timeline facts.
    ///
    /// - Throws: `archive-not-found` if there is nothing to undo, and `undo-refused` if the scene was forgotten after
    ///   the deletion or has no room left for the archive.
    package func undelete(
        _ id: ArchiveID, in scene: SceneKey, of app: App
    ) async throws(ServiceError) -> TimelineEntry {
        let now = clock.now()
        let undeletion = try await service.write { store async throws(StoreError) in
            try await store.undelete(id, in: scene, at: now, quotas: app.settings.quotas)
        }
        switch undeletion {
        case .restored: return try await service.browsing.timelineEntry(of: id, in: scene)
        case .nothing: throw archiveNotFound
        case .forgotten:
            throw ServiceError(.undoRefused, "The deletion cannot be undone: the scene was forgotten afterwards.")
        case .tooManyScenes:
            throw ServiceError(.undoRefused, ServiceError.tooManyScenes(app.settings.quotas).message)
        case .quotaExceeded(let excess): throw ServiceError(.undoRefused, ServiceError(excess).message)
        }
    }
}
