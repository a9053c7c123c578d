package import PlacekeeperService

extension OldMemoryStore {
    package func delete(
        _ id: ArchiveID, in scene: SceneKey, at time: Timestamp, isUndoable: Bool
    ) -> Committed<Bool> {
        let result = remove(id, in: scene, at: time, isUndoable: isUndoable)
        return commit(result, .change(of: scene, result))
    }

    private func remove(_ id: ArchiveID, in scene: SceneKey, at time: Timestamp, isUndoable: Bool) -> Bool {
        guard var user = users[scene.owner], var record = user.scenes[scene.name] else { return false }
        guard let removed = stored(id, in: scene) else {
            guard !isUndoable else { return false }
            users[scene.owner]?.scenes[scene.name]?.endDeletions { stored, _ in stored.archive.id == id }
            return false
        }
        if isUndoable {
            record.archives.removeAll { $0.archive.id == id }
            record.deleted[id] = (removed, time)
            let kept = record.deletedArchives.prefix(Retention.deletedArchives).map(\.archive.id)
            record.endDeletions { stored, _ in !kept.contains(stored.archive.id) }
        } else {
            record.remove([id])
        }
        record.tombstones[id] = time
        user.scenes[scene.name] = record
        user.log(.archiveDeleted, scene: scene.name, archive: id, device: removed.archive.device, at: time)
        users[scene.owner] = user
        return true
    }

    package func undelete(
        _ id: ArchiveID, in scene: SceneKey, at time: Timestamp, quotas: App.Settings.Quotas
    ) -> Committed<Undeletion> {
        let result = restore(id, in: scene, at: time, quotas)
        return commit(result, .change(of: scene, result == .restored))
    }

    private func restore(
        _ id: ArchiveID, in scene: SceneKey, at time: Timestamp, _ quotas: App.Settings.Quotas
    ) -> Undeletion {
        guard var user = users[scene.owner], var record = user.scenes[scene.name] else { return .nothing }
        guard let deletion = record.deleted[id], Retention.isUndoable(deletion.at, at: time) else {
            guard let deletedAt = record.tombstones[id], let forgotten = record.forgotten else { return .nothing }
            return forgotten.at >= deletedAt ? .forgotten : .nothing
        }
        let stored = deletion.stored
        if let excess = quotas.excess(adding: stored.usage, to: quotaFacts(of: scene.owner)) {
            return .quotaExceeded(excess)
        }
        if record.head == nil, user.heldSceneCount >= Limits.scenes {
            return .tooManyScenes
        }
        record.deleted[id] = nil
        record.tombstones[id] = nil
        record.insert(stored)
        user.scenes[scene.name] = record
        user.log(.archiveStored, scene: scene.name, archive: id, device: stored.archive.device, at: time)
        users[scene.owner] = user
        return .restored
    }

    package func deletedArchives(in scene: SceneKey, at time: Timestamp) -> [DeletedArchive] {
        (record(of: scene)?.deletedArchives ?? []).filter { Retention.isUndoable($0.deletedAt, at: time) }
    }
}

extension OldMemoryStore.SceneRecord {
    /// The archives whose deletion can be undone, the newest deletion first.
    fileprivate var deletedArchives: [DeletedArchive] {
        deleted.values.map { DeletedArchive(archive: $0.stored.archive, deletedAt: $0.at) }
            .sorted { ($0.deletedAt, $0.archive.revision) > ($1.deletedAt, $1.archive.revision) }
    }
}
