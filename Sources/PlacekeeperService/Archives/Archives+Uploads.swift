package import PlacekeeperCore

extension Archives {
    /// Reads an archive, decides its position in the scene's history, and stores it. The archive is durable when this
    /// method returns.
    package func store(_ upload: Upload, for principal: Principal) async throws(ServiceError) -> PutResult {
        let now = try await service.devices.time(of: principal.owner)
        return try await store(try prepared(upload, for: principal, at: now), for: principal)
    }

    /// Stores an archive that `prepared(_:for:at:)` returned.
    package func store(_ new: NewArchive, for principal: Principal) async throws(ServiceError) -> PutResult {
        try await put(new, for: principal, from: new.context)
    }

    /// Checks and reads an upload. Does not wait: an async function would keep its large local values in the memory of
    /// the request's task.
    ///
    /// - Parameter now: the current time of the caller's user (`time(of:)`).
    package func prepared(
        _ upload: Upload, for principal: Principal, at now: Timestamp
    ) throws(ServiceError) -> NewArchive {
        let arrival =
            upload.arrivedAt.map { userClocks.arrival(at: $0, of: principal.owner, now: now, clock) } ?? now
        try Validation.sceneName(upload.scene)
        guard upload.bytes.count <= Limits.archive else {
            throw ServiceError(.archiveTooLarge, "An archive can have at most \(Limits.archive) bytes.")
        }
        let age = min(max(upload.interactionAge, .zero), Limits.interactionAge)
        let facts = try ArchiveFacts(reading: upload.bytes)
        let context = try facts.context(with: upload)
        var new = NewArchive(
            id: upload.id, scene: SceneKey(owner: principal.owner, name: upload.scene), device: principal.device.id,
            capturedAt: arrival - age, receivedAt: now, sequence: upload.sequence,
            restoredFrom: upload.restoredFrom, precondition: upload.precondition, context: context,
            digest: hashing.sha256(upload.bytes), summary: facts.summary, bytes: upload.bytes)
        prepare(&new, from: principal)
        return new
    }

    private func prepare(_ new: inout NewArchive, from principal: Principal) {
        new.actor = principal.device.id
        new.quotas = principal.app.settings.quotas
    }

    /// Stores a copy of an archive as the scene's new head. The copy's capture time is the current time. The copy still
    /// belongs to the device that made the original, because the copy holds the model identifiers of that device.
    package func makeHead(_ id: ArchiveID, as new: ArchiveID, in scene: String, principal: Principal)
        async throws(ServiceError) -> PutResult
    {
        let source = try await found(id, in: scene, principal: principal)
        var copy = try await copy(of: source, as: new)
        prepare(&copy, from: principal)
        // The versions of the device that asks are unknown here: the copy has the context of another device.
        return try await put(copy, for: principal, from: Context(idiom: principal.device.idiom))
    }

    /// Makes an archive the head, as `makeHead` does, for an administrator. The result is `actorGone` if the archive was
    /// deleted in the meantime.
    package func makeHead(
        _ id: ArchiveID, as new: ArchiveID, in scene: SceneKey, of app: App
    ) async throws(ServiceError) -> PutResult {
        var copy = try await copy(of: try await found(id, in: scene), as: new)
        copy.original = id
        copy.quotas = app.settings.quotas
        return try await put(copy, of: app)
    }

    private func copy(of source: Archive, as new: ArchiveID) async throws(ServiceError) -> NewArchive {
        let bytes = try await bytes(of: source)
        let now = try await service.devices.time(of: source.scene.owner)
        return NewArchive(
            id: new, scene: source.scene, device: source.device, capturedAt: now,
            writtenAt: source.writtenAt, receivedAt: now,
            context: source.context, digest: source.digest, summary: source.summary, bytes: bytes)
    }

    private func put(
        _ new: NewArchive, for principal: Principal, from context: Context
    ) async throws(ServiceError) -> PutResult {
        let result = try await put(new, of: principal.app)
        // The counters are in memory, so this costs no write.
        if case .created = result {
            hourlyCounters.count("upload", "stored", app: principal.app.id, from: context, at: clock.now())
        }
        return result
    }

    private func put(_ new: NewArchive, of app: App) async throws(ServiceError) -> PutResult {
        let committed: Committed<PutResult>
        do throws(StoreError) {
            committed = try await store.put(new, retention: app.settings.retainedArchives)
        } catch {
            throw ServiceError(error)
        }
        service.apply(committed.invalidations)
        if case .created(let archive, _) = committed.value {
            raiseTime(of: new.scene.owner, from: new.receivedAt, to: archive.receivedAt)
        }
        return committed.value
    }
}
