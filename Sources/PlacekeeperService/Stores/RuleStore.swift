package import PlacekeeperCore

/// A store that carries out rules. It loads what a rule needs, requires that nothing changed meanwhile, and stores the
/// changes of rows in one transaction.
package protocol RuleStore: Sendable {
    func carryOut<Answer: Sendable>(_ rule: Rule<Answer>) async throws(StoreError) -> Committed<Answer>
}

extension Rule {
    /// Stores a new archive (`RuleStore.put`).
    package static func put(_ new: NewArchive, retention: Int) -> Rule where Answer == PutResult {
        var rule = Rule(for: new.scene.owner) { work throws(Interruption) in
            try work.put(new, retention: retention)
        }
        rule.bytes = new.bytes
        // The archive's id shows whether an earlier attempt stored it.
        rule.isRepeatable = true
        rule.invalidationsIfDone = { result in if case .identical = result { .change(of: new.scene) } else { nil } }
        return rule
    }

    /// Records that an archive was served (`ArchiveReading.recordServing`).
    package static func recordServing(
        _ archive: ArchiveID, in scene: SceneKey, to device: DeviceID, at time: Timestamp
    ) -> Rule where Answer == Void {
        var rule = Rule(for: scene.owner) { work throws(Interruption) in
            try work.recordServing(archive, in: scene, to: device, at: time)
        }
        // No client learns of the record.
        rule.acknowledges = false
        return rule
    }
}

// The writes for users. `Workspace` has their rules.
extension RuleStore {
    /// Makes the checks that the cases of `PutResult` describe. If the archive is new and no check refuses it, stores
    /// the archive, adds a change to the user's change log, and prunes the scene by `retention`.
    package func put(_ new: NewArchive, retention: Int) async throws(StoreError) -> Committed<PutResult> {
        try await carryOut(.put(new, retention: retention))
    }

    /// Deletes an archive, and keeps a tombstone for 30 days. Returns false if the archive does not exist.
    ///
    /// - Parameter isUndoable: whether the store keeps the archive with its screenshot, its outcomes and its servings, so
    ///   that `undelete` can restore it (`Retention.isUndoable(_:at:)`). If false, and an administrator deleted the
    ///   archive before, the store deletes the kept data, and returns false.
    package func delete(
        _ id: ArchiveID, in scene: SceneKey, at time: Timestamp, isUndoable: Bool
    ) async throws(StoreError) -> Committed<Bool> {
        try await carryOut(for: scene.owner) { work throws(Interruption) in
            try work.delete(id, in: scene, at: time, isUndoable: isUndoable)
        }
    }

    /// Restores an archive that was deleted undoably, at its former position in its scene, without its tombstone. Makes
    /// the checks that the cases of `Undeletion` describe.
    package func undelete(
        _ id: ArchiveID, in scene: SceneKey, at time: Timestamp, quotas: App.Settings.Quotas
    ) async throws(StoreError) -> Committed<Undeletion> {
        try await carryOut(for: scene.owner) { work throws(Interruption) in
            try work.undelete(id, in: scene, at: time, quotas: quotas)
        }
    }

    /// Deletes a scene's archives, and the deleted archives whose deletion could be undone. After this call, the store
    /// refuses captures that are older than `time`. Returns this time, which is later if the user has later times.
    package func forget(
        _ scene: SceneKey, at time: Timestamp, quotas: App.Settings.Quotas
    ) async throws(StoreError) -> Committed<Timestamp> {
        try await carryOut(for: scene.owner) { work throws(Interruption) in
            try work.forget(scene, at: time, quotas: quotas)
        }
    }

    /// Stores an archive's screenshot, unless the screenshot would exceed a quota.
    package func putScreenshot(
        _ screenshot: Screenshot, for id: ArchiveID, in scene: SceneKey, quotas: App.Settings.Quotas
    ) async throws(StoreError) -> Committed<ScreenshotResult> {
        var rule = Rule(for: scene.owner) { work throws(Interruption) in
            try work.putScreenshot(screenshot, for: id, in: scene, quotas: quotas)
        }
        rule.weight = screenshot.bytes.count
        return try await carryOut(rule)
    }

    package func recordServing(
        _ archive: ArchiveID, in scene: SceneKey, to device: DeviceID, at time: Timestamp
    ) async throws(StoreError) {
        _ = try await carryOut(.recordServing(archive, in: scene, to: device, at: time))
    }

    package func report(_ outcome: Outcome, in scene: SceneKey) async throws(StoreError) -> Committed<ReportResult> {
        try await carryOut(for: scene.owner) { work throws(Interruption) in try work.report(outcome, in: scene) }
    }

    /// Adds a device with its token. `NewDevice.Joins` tells which user the device belongs to. A link code is used up.
    /// The device in the result has the actual owner.
    ///
    /// If the installation is known, no device is added. Instead, the installation's device gets the new token and the
    /// new idiom, model, name and system version, and then joins the user by the rules of `move` and `signIn`.
    package func register(_ new: NewDevice) async throws(StoreError) -> Committed<JoinResult> {
        var rule = Rule(for: new.device.owner) { work throws(Interruption) in try work.register(new) }
        if case .newUser = new.joins {} else { rule.mayMoveArchives = new.installation != nil }
        return try await carryOut(rule)
    }

    /// Replaces a device's token of the same access. The replaced token stays valid for `Credential.grace`, unless
    /// `NewToken.revokesPrevious` is true. Returns false if the user has no such device.
    package func replaceToken(
        of device: DeviceID, of owner: UserKey, by token: NewToken, at time: Timestamp
    ) async throws(StoreError) -> Committed<Bool> {
        try await carryOut(for: owner) { work throws(Interruption) in
            try work.replaceToken(of: device, of: owner, by: token, at: time)
        }
    }

    /// Replaces a device's idiom, model, name and system version by those of `device`. Returns false if the user has no
    /// such device.
    package func describe(_ device: Device) async throws(StoreError) -> Committed<Bool> {
        try await carryOut(for: device.owner) { work throws(Interruption) in try work.describe(device) }
    }

    /// Notes a launch of a device's app. The answer is `installationCopied` if the launch is of another device with the same
    /// identity. Then nothing changes.
    package func begin(
        _ launch: CountedLaunch, of device: DeviceID, of owner: UserKey
    ) async throws(StoreError) -> Committed<JoinResult> {
        try await carryOut(for: owner) { work throws(Interruption) in try work.begin(launch, of: device, owner) }
    }

    /// Makes a device's token invalid permanently, and also all link codes of its user, because the device may have
    /// made some of these codes. The device's archives stay. Returns false if the user has no such device.
    package func revoke(
        _ device: DeviceID, of owner: UserKey, at time: Timestamp
    ) async throws(StoreError) -> Committed<Bool> {
        try await carryOut(for: owner) { work throws(Interruption) in try work.revoke(device, of: owner, at: time) }
    }

    /// Stores a link code. Throws `userGone` if the code's user does not exist, or if its maker is no longer a device of
    /// the user: the device may have been revoked after the service accepted its request.
    package func create(_ code: LinkCode) async throws(StoreError) {
        _ = try await carryOut(for: code.owner) { work throws(Interruption) in try work.create(code) }
    }

    /// Moves a device and its archives to the user of a link code. If the user has no other device, all archives of the
    /// user are moved. The archives get new revisions, which are greater than all revisions of both users. Each scene
    /// that receives archives is pruned by `retention`. An archive is dropped if it was captured before the new user
    /// forgot the scene of the same name. The device's registered items and the operator's decisions about these items
    /// are dropped, because the keys of items depend on the user. So the device must register its items again.
    ///
    /// The device of a user with an account is not moved. A device that already used the code is not moved again. The
    /// quotas of bytes and archives do not refuse a move, because the app's data does not grow.
    package func move(
        _ device: DeviceID, of owner: UserKey, linkCode: Digest, at time: Timestamp, retention: Int,
        quotas: App.Settings.Quotas
    ) async throws(StoreError) -> Committed<JoinResult> {
        var rule = Rule(for: owner) { work throws(Interruption) in
            try work.move(device, of: owner, linkCode: linkCode, at: time, retention: retention, quotas)
        }
        rule.mayMoveArchives = true
        return try await carryOut(rule)
    }

    /// Signs the device of an anonymous user in. If the account has a user, moves the device and its archives to this
    /// user, as `move` does. If the account has no user yet and the device is the only device of its user, this user
    /// becomes the account's user. Otherwise, a new user is created for the account, and the device and its archives
    /// are moved. Does nothing if the device's user already has this account.
    package func signIn(
        _ device: DeviceID, of owner: UserKey, to account: Account, at time: Timestamp, retention: Int,
        quotas: App.Settings.Quotas
    ) async throws(StoreError) -> Committed<JoinResult> {
        var rule = Rule(for: owner) { work throws(Interruption) in
            try work.signIn(device, of: owner, to: account, at: time, retention: retention, quotas)
        }
        rule.mayMoveArchives = true
        return try await carryOut(rule)
    }

    /// Revokes a device of a user with an account. The user's archives stay. If there is a replacement, adds it as the
    /// device of a new anonymous user. The replacement gets the installation of the revoked device.
    package func signOut(
        _ device: DeviceID, of owner: UserKey, replacement: NewDevice?, at time: Timestamp
    ) async throws(StoreError) -> Committed<SigningOut> {
        try await carryOut(for: owner) { work throws(Interruption) in
            try work.signOut(device, of: owner, replacement: replacement, at: time)
        }
    }

    /// Begins an import: adds a user without devices and without a subject. Returns false if the user exists.
    package func begin(_ user: ImportedUser) async throws(StoreError) -> Committed<Bool> {
        try await carryOut(for: user.owner) { work throws(Interruption) in try work.begin(user) }
    }

    /// Ends an import: adds the user's devices without tokens, and the user's account.
    package func end(
        importOf owner: UserKey, devices: [Device], account: Account?
    ) async throws(StoreError) -> Committed<ImportEnd> {
        try await carryOut(for: owner) { work throws(Interruption) in
            try work.end(importOf: owner, devices: devices, account: account)
        }
    }

    /// Stores a decision. The decision replaces an earlier decision about the same two items. Returns false if the list
    /// already has `Limits.links` decisions about other items.
    package func decide(_ link: Link, in list: ItemList) async throws(StoreError) -> Committed<Bool> {
        try await carryOut(for: list.owner) { work throws(Interruption) in try work.decide(link, in: list) }
    }

    /// Removes a decision. Returns false if there is no such decision.
    package func removeDecision(
        _ first: Link.End, _ second: Link.End, in list: ItemList
    ) async throws(StoreError) -> Committed<Bool> {
        try await carryOut(for: list.owner) { work throws(Interruption) in
            try work.removeDecision(first, second, in: list)
        }
    }

    /// Deletes an archive for ever.
    package func delete(
        _ id: ArchiveID, in scene: SceneKey, at time: Timestamp
    ) async throws(StoreError) -> Committed<Bool> {
        try await delete(id, in: scene, at: time, isUndoable: false)
    }

    private func carryOut<Answer: Sendable>(
        for owner: UserKey, name: String = #function, _ decide: @escaping Rule<Answer>.Body
    ) async throws(StoreError) -> Committed<Answer> {
        try await carryOut(Rule(for: owner, name: name, decide))
    }
}
