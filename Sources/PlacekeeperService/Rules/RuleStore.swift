/// A store that carries out rules. It loads what a rule needs, requires that nothing changed meanwhile, and stores the
/// changes of rows in one transaction.
package protocol RuleStore: Sendable {
    func carryOut<Answer: Sendable>(_ rule: Rule<Answer>) async throws(StoreError) -> Committed<Answer>
}

extension Rule {
    /// Stores a new archive (`ArchiveStore.put`).
    package static func put(_ new: NewArchive, retention: Int) -> Rule where Answer == PutResult {
        var rule = Rule(for: new.scene.owner) { work throws(Interruption) in
            try work.put(new, retention: retention)
        }
        rule.bytes = new.bytes
        // The archive's id shows whether an earlier attempt stored it.
        rule.isRepeatable = true
        rule.effectsIfDone = { result in if case .identical = result { .change(of: new.scene) } else { nil } }
        return rule
    }

    /// Records that an archive was served (`ArchiveStore.noteServed`).
    package static func noteServed(
        _ archive: ArchiveID, in scene: SceneKey, to device: DeviceID, at time: Timestamp
    ) -> Rule where Answer == Void {
        var rule = Rule(for: scene.owner) { work throws(Interruption) in
            try work.noteServed(archive, in: scene, to: device, at: time)
        }
        // No client learns of the record.
        rule.acknowledges = false
        return rule
    }
}

extension RuleStore {
    package func put(_ new: NewArchive, retention: Int) async throws(StoreError) -> Committed<PutResult> {
        try await carryOut(.put(new, retention: retention))
    }

    package func delete(
        _ id: ArchiveID, in scene: SceneKey, at time: Timestamp, isUndoable: Bool
    ) async throws(StoreError) -> Committed<Bool> {
        try await carryOut(
            Rule(for: scene.owner) { work throws(Interruption) in
                try work.delete(id, in: scene, at: time, isUndoable: isUndoable)
            })
    }

    package func undelete(
        _ id: ArchiveID, in scene: SceneKey, at time: Timestamp, quotas: App.Settings.Quotas
    ) async throws(StoreError) -> Committed<Undeletion> {
        try await carryOut(
            Rule(for: scene.owner) { work throws(Interruption) in
                try work.undelete(id, in: scene, at: time, quotas: quotas)
            })
    }

    package func forget(_ scene: SceneKey, at time: Timestamp) async throws(StoreError) -> Committed<Void> {
        try await carryOut(
            Rule(for: scene.owner) { work throws(Interruption) in try work.forget(scene, at: time) })
    }

    package func putSnapshot(
        _ snapshot: Snapshot, for id: ArchiveID, in scene: SceneKey, quotas: App.Settings.Quotas
    ) async throws(StoreError) -> Committed<SnapshotResult> {
        var rule = Rule(for: scene.owner) { work throws(Interruption) in
            try work.putSnapshot(snapshot, for: id, in: scene, quotas: quotas)
        }
        rule.weight = snapshot.bytes.count
        return try await carryOut(rule)
    }

    package func noteServed(
        _ archive: ArchiveID, in scene: SceneKey, to device: DeviceID, at time: Timestamp
    ) async throws(StoreError) {
        _ = try await carryOut(.noteServed(archive, in: scene, to: device, at: time))
    }

    package func report(_ outcome: Outcome, in scene: SceneKey) async throws(StoreError) -> Committed<ReportResult> {
        try await carryOut(
            Rule(for: scene.owner) { work throws(Interruption) in try work.report(outcome, in: scene) })
    }

    package func register(_ new: NewDevice) async throws(StoreError) -> Committed<Joining> {
        var rule = Rule(for: new.device.owner) { work throws(Interruption) in try work.register(new) }
        if case .newUser = new.joins {} else { rule.mayMoveArchives = new.installation != nil }
        return try await carryOut(rule)
    }

    package func replaceToken(
        of device: DeviceID, of owner: UserKey, by token: NewToken, at time: Timestamp
    ) async throws(StoreError) -> Committed<Bool> {
        try await carryOut(
            Rule(for: owner) { work throws(Interruption) in
                try work.replaceToken(of: device, of: owner, by: token, at: time)
            })
    }

    package func describe(_ device: Device) async throws(StoreError) -> Committed<Bool> {
        try await carryOut(Rule(for: device.owner) { work throws(Interruption) in try work.describe(device) })
    }

    package func revoke(
        _ device: DeviceID, of owner: UserKey, at time: Timestamp
    ) async throws(StoreError) -> Committed<Bool> {
        try await carryOut(
            Rule(for: owner) { work throws(Interruption) in try work.revoke(device, of: owner, at: time) })
    }

    package func create(_ code: LinkCode) async throws(StoreError) {
        _ = try await carryOut(Rule(for: code.owner) { work throws(Interruption) in try work.create(code) })
    }

    package func move(
        _ device: DeviceID, of owner: UserKey, linkCode: Digest, at time: Timestamp, retention: Int,
        quotas: App.Settings.Quotas
    ) async throws(StoreError) -> Committed<Joining> {
        var rule = Rule(for: owner) { work throws(Interruption) in
            try work.move(device, of: owner, linkCode: linkCode, at: time, retention: retention, quotas)
        }
        rule.mayMoveArchives = true
        return try await carryOut(rule)
    }

    package func signIn(
        _ device: DeviceID, of owner: UserKey, to account: Account, at time: Timestamp, retention: Int,
        quotas: App.Settings.Quotas
    ) async throws(StoreError) -> Committed<Joining> {
        var rule = Rule(for: owner) { work throws(Interruption) in
            try work.signIn(device, of: owner, to: account, at: time, retention: retention, quotas)
        }
        rule.mayMoveArchives = true
        return try await carryOut(rule)
    }

    package func signOut(
        _ device: DeviceID, of owner: UserKey, replacement: NewDevice?, at time: Timestamp
    ) async throws(StoreError) -> Committed<SigningOut> {
        try await carryOut(
            Rule(for: owner) { work throws(Interruption) in
                try work.signOut(device, of: owner, replacement: replacement, at: time)
            })
    }

    package func begin(_ user: ImportedUser) async throws(StoreError) -> Committed<Bool> {
        try await carryOut(Rule(for: user.owner) { work throws(Interruption) in try work.begin(user) })
    }

    package func end(
        importOf owner: UserKey, devices: [Device], account: Account?
    ) async throws(StoreError) -> Committed<ImportEnd> {
        try await carryOut(
            Rule(for: owner) { work throws(Interruption) in
                try work.end(importOf: owner, devices: devices, account: account)
            })
    }

    package func decide(_ link: Link, in list: ItemList) async throws(StoreError) -> Committed<Bool> {
        try await carryOut(Rule(for: list.owner) { work throws(Interruption) in try work.decide(link, in: list) })
    }

    package func undecide(
        _ first: Link.End, _ second: Link.End, in list: ItemList
    ) async throws(StoreError) -> Committed<Bool> {
        try await carryOut(
            Rule(for: list.owner) { work throws(Interruption) in try work.undecide(first, second, in: list) })
    }
}
