package import PlacekeeperCore

/// A store that executes a `Rule`: it loads the data that the rule needs, runs the rule, verifies that this data hasn't
/// changed in the meantime, and stores the changed rows in one transaction.
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
        // The archive's ID shows whether an earlier attempt stored it.
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
        // Clients don't see this record.
        rule.acknowledges = false
        return rule
    }
}

// Writes for users. The rules are in `Workspace`.
extension RuleStore {
    /// Performs the checks described by the cases of `PutResult`. If the archive is new and passes, stores it, adds a
    /// change to the user's change log and prunes the scene according to `retention`.
    package func put(_ new: NewArchive, retention: Int) async throws(StoreError) -> Committed<PutResult> {
        try await carryOut(.put(new, retention: retention))
    }

    /// Deletes an archive and keeps a tombstone for 30 days. Returns false if the archive doesn't exist.
    ///
    /// - Parameter isUndoable: whether the store keeps the archive with its screenshot, outcomes and servings, so that
    ///   `undelete` can restore it (`Retention.isUndoable(_:at:)`). If false, data kept from an earlier undoable
    ///   deletion is also deleted. The method still returns false then.
    package func delete(
        _ id: ArchiveID, in scene: SceneKey, at time: Timestamp, isUndoable: Bool
    ) async throws(StoreError) -> Committed<Bool> {
        try await carryOut(for: scene.owner) { work throws(Interruption) in
            try work.delete(id, in: scene, at: time, isUndoable: isUndoable)
        }
    }

    /// Undoes the deletion of an archive: returns it to its previous position in its scene and removes its tombstone.
    /// Performs the checks described by the cases of `Undeletion`.
    package func undelete(
        _ id: ArchiveID, in scene: SceneKey, at time: Timestamp, quotas: App.Settings.Quotas
    ) async throws(StoreError) -> Committed<Undeletion> {
        try await carryOut(for: scene.owner) { work throws(Interruption) in
            try work.undelete(id, in: scene, at: time, quotas: quotas)
        }
    }

    /// Deletes a scene's archives, including those whose deletion could be undone. From then on, the store refuses
    /// captures older than the returned time. This is `time`, or the user's latest stored time if that is far ahead
    /// (`Workspace.lead`).
    package func forget(
        _ scene: SceneKey, at time: Timestamp, quotas: App.Settings.Quotas
    ) async throws(StoreError) -> Committed<Timestamp> {
        try await carryOut(for: scene.owner) { work throws(Interruption) in
            try work.forget(scene, at: time, quotas: quotas)
        }
    }

    /// Stores an archive's screenshot, unless it would exceed a quota.
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

    /// Adds a device with its token. `NewDevice.Joins` decides which user the device joins. A link code is used up. The
    /// result contains the device with its actual owner.
    ///
    /// If the installation is known, no device is added. Instead, the installation's device gets the new token, idiom,
    /// model, name and system version, and then joins the user as in `move` and `signIn`. But if its sign-in has expired,
    /// a new device replaces it: with an account or a link code, and otherwise not.
    ///
    /// If the user has no room for the device, the longest unused devices are removed whose sign-in has expired.
    package func register(_ new: NewDevice) async throws(StoreError) -> Committed<JoinResult> {
        var rule = Rule(for: new.device.owner) { work throws(Interruption) in try work.register(new) }
        if case .newUser = new.joins {} else { rule.mayMoveArchives = new.installation != nil }
        return try await carryOut(rule)
    }

    /// Replaces the device's token that has the new token's access. The replaced token remains valid for
    /// `Credential.grace`, unless `NewToken.revokesPrevious` is true. Returns false if the user has no such device.
    package func replaceToken(
        of device: DeviceID, of owner: UserKey, by token: NewToken, at time: Timestamp
    ) async throws(StoreError) -> Committed<Bool> {
        try await carryOut(for: owner) { work throws(Interruption) in
            try work.replaceToken(of: device, of: owner, by: token, at: time)
        }
    }

    /// Replaces a device's idiom, model, name and system version with those of `device`. Returns false if the user has
    /// no such device.
    package func describe(_ device: Device) async throws(StoreError) -> Committed<Bool> {
        try await carryOut(for: device.owner) { work throws(Interruption) in try work.describe(device) }
    }

    /// Records a launch of a device's app. If the launch comes from another device with the same identity, changes
    /// nothing and returns `installationCopied`.
    package func begin(
        _ launch: CountedLaunch, of device: DeviceID, of owner: UserKey
    ) async throws(StoreError) -> Committed<JoinResult> {
        try await carryOut(for: owner) { work throws(Interruption) in try work.begin(launch, of: device, owner) }
    }

    /// Permanently revokes a device's token and all link codes of its user, because the device may have created some of
    /// these codes. The device's archives are kept. Returns false if the user has no such device.
    package func revoke(
        _ device: DeviceID, of owner: UserKey, at time: Timestamp
    ) async throws(StoreError) -> Committed<Bool> {
        try await carryOut(for: owner) { work throws(Interruption) in try work.revoke(device, of: owner, at: time) }
    }

    /// Ends the sign-in of a device if it was last seen before `unusedSince`: removes its tokens, and adds an entry to
    /// the audit log. The installation remains known, so that the device can't become a new anonymous user; without an
    /// installation, the device is removed. Returns whether the sign-in has expired.
    package func expire(
        _ device: DeviceID, of owner: UserKey, unusedSince: Timestamp, at time: Timestamp
    ) async throws(StoreError) -> Committed<Bool> {
        try await carryOut(for: owner) { work throws(Interruption) in
            try work.expire(device, of: owner, unusedSince: unusedSince, at: time)
        }
    }

    /// Stores a link code. Throws `userGone` if the code's user doesn't exist. Also throws it if the device that
    /// created the code no longer belongs to the user, for example because it was revoked after the service accepted
    /// its request.
    package func create(_ code: LinkCode) async throws(StoreError) {
        _ = try await carryOut(for: code.owner) { work throws(Interruption) in try work.create(code) }
    }

    /// Moves a device and its archives to the user of a link code. If the device is its user's only one, all of that
    /// user's archives move.
    ///
    /// The archives get new revisions, greater than all revisions of the old and the new user. Each receiving scene is
    /// pruned according to `retention`. An archive is dropped if it was captured before the new user forgot the scene
    /// with the same name. The device's registered items and operators' decisions about them are dropped, because item
    /// keys depend on the user. The device must then register its items again.
    ///
    /// A device is not moved if its user has an account, or if it already used the code. Byte and archive quotas don't
    /// apply, because the app's total data doesn't grow.
    package func move(
        _ device: DeviceID, of owner: UserKey, linkCode: Digest, at time: Timestamp, retention: Int,
        quotas: App.Settings.Quotas, unusedSince: Timestamp? = nil
    ) async throws(StoreError) -> Committed<JoinResult> {
        var rule = Rule(for: owner) { work throws(Interruption) in
            try work.move(
                device, of: owner, linkCode: linkCode, at: time, retention: retention, quotas, unusedSince: unusedSince)
        }
        rule.mayMoveArchives = true
        return try await carryOut(rule)
    }

    /// Signs in the device of an anonymous user. Does nothing if the device's user already has this account.
    ///
    /// If the account has a user, moves the device and its archives to that user, like `move`. If the account has no
    /// user and the device is its own user's only device, that user becomes the account's user. Otherwise, creates a
    /// user for the account and moves the device and its archives to the new user.
    package func signIn(
        _ device: DeviceID, of owner: UserKey, to account: Account, at time: Timestamp, retention: Int,
        quotas: App.Settings.Quotas, unusedSince: Timestamp? = nil
    ) async throws(StoreError) -> Committed<JoinResult> {
        var rule = Rule(for: owner) { work throws(Interruption) in
            try work.signIn(
                device, of: owner, to: account, at: time, retention: retention, quotas, unusedSince: unusedSince)
        }
        rule.mayMoveArchives = true
        return try await carryOut(rule)
    }

    /// Revokes a device of a user with an account. The user's archives are kept. If a replacement is given, adds it for
    /// a new anonymous user. The replacement gets the revoked device's installation.
    package func signOut(
        _ device: DeviceID, of owner: UserKey, replacement: NewDevice?, at time: Timestamp
    ) async throws(StoreError) -> Committed<SigningOut> {
        try await carryOut(for: owner) { work throws(Interruption) in
            try work.signOut(device, of: owner, replacement: replacement, at: time)
        }
    }

    /// Begins an import by adding a user without devices or a subject. Returns false if the user already exists.
    package func begin(_ user: ImportedUser) async throws(StoreError) -> Committed<Bool> {
        try await carryOut(for: user.owner) { work throws(Interruption) in try work.begin(user) }
    }

    /// Ends an import by adding the user's account and devices. The devices get no tokens.
    package func end(
        importOf owner: UserKey, devices: [Device], account: Account?
    ) async throws(StoreError) -> Committed<ImportEnd> {
        try await carryOut(for: owner) { work throws(Interruption) in
            try work.end(importOf: owner, devices: devices, account: account)
        }
    }

    /// Stores a decision, and replaces an earlier decision about the same two items. Returns false if the list already
    /// has `Limits.links` other decisions.
    package func decide(_ link: Link, in list: ItemList) async throws(StoreError) -> Committed<Bool> {
        try await carryOut(for: list.owner) { work throws(Interruption) in try work.decide(link, in: list) }
    }

    /// Removes a decision. Returns false if it doesn't exist.
    package func removeDecision(
        _ first: Link.End, _ second: Link.End, in list: ItemList
    ) async throws(StoreError) -> Committed<Bool> {
        try await carryOut(for: list.owner) { work throws(Interruption) in
            try work.removeDecision(first, second, in: list)
        }
    }

    /// Deletes an archive permanently.
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
