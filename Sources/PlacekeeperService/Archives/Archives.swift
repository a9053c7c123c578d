package import PlacekeeperCore

/// Uploads, reads and deletes the archives of scenes.
package struct Archives: UseCases {
    let service: RestorationService

    package func archive(_ id: ArchiveID, in scene: String, principal: Principal) async throws(ServiceError)
        -> ArchiveLookup
    {
        let key = try key(of: scene, principal)
        return try await service.ask { store async throws(StoreError) in try await store.archive(id, in: key) }
    }

    /// Returns an archive's bytes as they were uploaded.
    package func bytes(of archive: Archive) async throws(ServiceError) -> [UInt8] {
        let bytes = try await service.ask { store async throws(StoreError) in try await store.bytes(of: archive) }
        guard let bytes else { throw archiveNotFound }
        return bytes
    }

    /// Returns a scene's archives, newest first, and its head. Both are read at the same moment.
    package func history(in scene: String, below position: Archive.Position?, limit: Int, principal: Principal)
        async throws(ServiceError) -> HistoryPage
    {
        let key = try key(of: scene, principal)
        let limit = Limits.fetch(limit)
        return try await service.ask { store async throws(StoreError) in
            try await store.history(of: key, below: position, limit: limit)
        }
    }

    /// Returns the position of a scene's head, or nil if there is no head.
    package func head(of scene: String, principal: Principal) async throws(ServiceError) -> Archive.Position? {
        let key = try key(of: scene, principal)
        return try await service.ask { store async throws(StoreError) in try await store.head(of: key) }
    }

    /// Deletes an archive permanently, even if an administrator already deleted it undoably.
    package func delete(_ id: ArchiveID, in scene: String, principal: Principal) async throws(ServiceError) {
        _ = try await delete(id, in: try key(of: scene, principal), isUndoable: false)
    }

    /// Deletes an archive and returns the time of the deletion.
    func delete(_ id: ArchiveID, in key: SceneKey, isUndoable: Bool) async throws(ServiceError) -> Timestamp {
        let now = clock.now()
        let isDeleted = try await service.write { store async throws(StoreError) in
            try await store.delete(id, in: key, at: now, isUndoable: isUndoable)
        }
        guard isDeleted else { throw try await missing(id, in: key) }
        return now
    }

    /// Permanently deletes an archive if it is stored.
    package func discard(_ id: ArchiveID, in scene: SceneKey) async throws(ServiceError) {
        let now = clock.now()
        _ = try await service.write { store async throws(StoreError) in try await store.delete(id, in: scene, at: now) }
    }

    /// Deletes a scene's archives. From then on, the service refuses captures made before this call.
    package func forget(_ scene: String, principal: Principal) async throws(ServiceError) {
        let key = try key(of: scene, principal)
        let now = try await service.devices.time(of: principal.owner)
        let time = try await service.write { store async throws(StoreError) in
            try await store.forget(key, at: now, quotas: principal.app.settings.quotas)
        }
        raiseTime(of: key.owner, from: now, to: time)
    }

    /// Moves a user's time forward to a later time that a write found in the store. The later time may come from
    /// another instance or from another user's device (`Workspace.lead`).
    func raiseTime(of owner: UserKey, from now: Timestamp, to time: Timestamp) {
        if time > now { _ = userClocks.time(of: owner, after: time, clock) }
    }

    func key(of scene: String, _ principal: Principal) throws(ServiceError) -> SceneKey {
        try Validation.sceneName(scene)
        return SceneKey(owner: principal.owner, name: scene)
    }

    /// Returns a stored archive. Throws `archiveDeleted` if it was deleted, and `archiveNotFound` if it is unknown.
    func found(_ id: ArchiveID, in scene: String, principal: Principal) async throws(ServiceError) -> Archive {
        try await found(id, in: try key(of: scene, principal))
    }

    func found(_ id: ArchiveID, in key: SceneKey) async throws(ServiceError) -> Archive {
        switch try await service.ask({ store async throws(StoreError) in try await store.archive(id, in: key) }) {
        case .stored(let archive): return archive
        case .deleted: throw archiveDeleted
        case .none: throw archiveNotFound
        }
    }

    /// Returns the error for an archive that is not stored.
    func missing(_ id: ArchiveID, in scene: SceneKey) async throws(ServiceError) -> ServiceError {
        let lookup = try await service.ask { store async throws(StoreError) in try await store.archive(id, in: scene) }
        return lookup == .deleted ? archiveDeleted : archiveNotFound
    }

    var archiveNotFound: ServiceError { ServiceError(.archiveNotFound, "There is no such archive.") }
    private var archiveDeleted: ServiceError { ServiceError(.archiveDeleted, "This archive was deleted.") }
}
