package import PlacekeeperCore

extension Archives {
    /// Reads an archive, decides its position in the scene's history and stores it. The archive is durable when this
    /// method returns.
    package func store(_ upload: Upload, for principal: Principal) async throws(ServiceError) -> PutResult {
        let now = try await service.devices.time(of: principal.owner)
        return try await store(try prepared(upload, for: principal, at: now), for: principal)
    }

    /// Stores an upload that `prepared(_:for:at:)` returned.
    package func store(_ upload: PreparedUpload, for principal: Principal) async throws(ServiceError) -> PutResult {
        let result = try await put(upload, retention: principal.app.settings.retainedArchives)
        count(result, by: principal, from: upload.archive.context)
        return result
    }

    /// Counts a stored archive. The counters are in memory, so this writes nothing.
    @inline(never)
    private func count(_ result: PutResult, by principal: Principal, from context: Context) {
        guard case .created = result else { return }
        hourlyCounters.count("upload", "stored", app: principal.app.id, from: context, at: clock.now())
    }

    /// Validates and reads an upload. Not `async`, because an async function would keep its large local values in the
    /// memory of the request's task.
    ///
    /// - Parameter now: the current time of the user (`time(of:)`).
    package func prepared(
        _ upload: Upload, for principal: Principal, at now: Timestamp
    ) throws(ServiceError) -> PreparedUpload {
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
        return PreparedUpload(new)
    }

    private func prepare(_ new: inout NewArchive, from principal: Principal) {
        new.actor = principal.device.id
        new.quotas = principal.app.settings.quotas
    }

    /// Stores a copy of an archive as the scene's new head, captured at the current time. The copy still belongs to the
    /// device that made the original, because it contains that device's model identifiers.
    package func makeHead(_ id: ArchiveID, as new: ArchiveID, in scene: String, principal: Principal)
        async throws(ServiceError) -> PutResult
    {
        let source = try await found(id, in: scene, principal: principal)
        var copy = try await copy(of: source, as: new)
        prepare(&copy, from: principal)
        let result = try await put(PreparedUpload(copy), retention: principal.app.settings.retainedArchives)
        // The requesting device's versions are unknown here, because the copy has another device's context.
        count(result, by: principal, from: Context(idiom: principal.device.idiom))
        return result
    }

    /// Makes an archive the head for an administrator, like the other `makeHead`. Returns `actorGone` if the archive
    /// was deleted in the meantime.
    package func makeHead(
        _ id: ArchiveID, as new: ArchiveID, in scene: SceneKey, of app: App
    ) async throws(ServiceError) -> PutResult {
        var copy = try await copy(of: try await found(id, in: scene), as: new)
        copy.original = id
        copy.quotas = app.settings.quotas
        return try await put(PreparedUpload(copy), retention: app.settings.retainedArchives)
    }

    private func copy(of source: Archive, as new: ArchiveID) async throws(ServiceError) -> NewArchive {
        let bytes = try await bytes(of: source)
        let now = try await service.devices.time(of: source.scene.owner)
        return NewArchive(
            id: new, scene: source.scene, device: source.device, capturedAt: now,
            writtenAt: source.writtenAt, receivedAt: now,
            context: source.context, digest: source.digest, summary: source.summary, bytes: bytes)
    }

    private func put(_ upload: PreparedUpload, retention: Int) async throws(ServiceError) -> PutResult {
        let committed: Committed<PutResult>
        do throws(StoreError) {
            committed = try await store.carryOut(upload.rule(retention: retention))
        } catch {
            throw ServiceError(error)
        }
        service.apply(committed.invalidations)
        raiseTime(by: committed.value, of: upload)
        return committed.value
    }

    @inline(never)
    private func raiseTime(by result: PutResult, of upload: PreparedUpload) {
        guard case .created(let stored, _) = result else { return }
        raiseTime(of: upload.archive.scene.owner, from: upload.archive.receivedAt, to: stored.receivedAt)
    }
}

/// A validated upload. A class, so that the async functions that pass it on stay small
/// (docs/decisions/0084-large-values-stay-out-of-async-frames.md).
package final class PreparedUpload: Sendable {
    let archive: NewArchive

    init(_ archive: NewArchive) { self.archive = archive }

    /// The write that stores the archive.
    @inline(never)
    func rule(retention: Int) -> Rule<PutResult> { .put(archive, retention: retention) }
}
