package import PlacekeeperService

extension PostgresStore {
    package func put(_ new: NewArchive, retention: Int) async throws(StoreError) -> Committed<PutResult> {
        var isRepeated = false
        var decision = Decision([new.scene.owner], .scene(new.scene.name)) { memory throws(StoreError) in
            memory.put(new, retention: retention)
        }
        decision.remembered = new.scene
        let upload = decision
        let result = try await decide(isRepeatable: true) { attempt throws(Failure) in
            isRepeated = attempt.mayBeDone
            return upload
        }
        // If an earlier attempt was carried out although its connection was lost, this attempt finds its archive.
        guard isRepeated, case .identical = result.value else { return result }
        return Committed(result.value, .change(of: new.scene))
    }

    package func delete(
        _ id: ArchiveID, in scene: SceneKey, at time: Timestamp, isUndoable: Bool
    ) async throws(StoreError) -> Committed<Bool> {
        try await decide(for: scene.owner, .scene(scene.name)) { memory throws(StoreError) in
            memory.delete(id, in: scene, at: time, isUndoable: isUndoable)
        }
    }

    package func undelete(
        _ id: ArchiveID, in scene: SceneKey, at time: Timestamp, quotas: App.Settings.Quotas
    ) async throws(StoreError) -> Committed<Undeletion> {
        try await decide(for: scene.owner, .scene(scene.name)) { memory throws(StoreError) in
            memory.undelete(id, in: scene, at: time, quotas: quotas)
        }
    }

    package func forget(_ scene: SceneKey, at time: Timestamp) async throws(StoreError) -> Committed<Void> {
        try await decide(for: scene.owner, .scene(scene.name)) { memory throws(StoreError) in
            try memory.forget(scene, at: time)
        }
    }

    package func putSnapshot(
        _ snapshot: Snapshot, for id: ArchiveID, in scene: SceneKey, quotas: App.Settings.Quotas
    ) async throws(StoreError) -> Committed<SnapshotResult> {
        try await decide(for: scene.owner, .scene(scene.name)) { memory throws(StoreError) in
            memory.putSnapshot(snapshot, for: id, in: scene, quotas: quotas)
        }
    }

    package func noteServed(
        _ archive: ArchiveID, in scene: SceneKey, to device: DeviceID, at time: Timestamp
    ) async throws(StoreError) {
        var decision = Decision([scene.owner], .scene(scene.name)) { memory throws(StoreError) in
            memory.noteServed(archive, in: scene, to: device, at: time)
            return Committed((), .none)
        }
        // No client learns of the record.
        decision.acknowledges = false
        let serving = decision
        _ = try await decide(within: configuration.servingDeadline) { _ throws(Failure) in serving }
    }

    package func report(_ outcome: Outcome, in scene: SceneKey) async throws(StoreError) -> Committed<ReportResult> {
        try await decide(for: scene.owner, .scene(scene.name)) { memory throws(StoreError) in
            memory.report(outcome, in: scene)
        }
    }
}
