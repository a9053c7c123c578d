/// A change of rows that a rule decided. It holds the states after the rule. A store carries out a rule's changes in
/// order, in one transaction.
package enum RowChange: Sendable {
    // Users

    /// Adds a user's row. The store writes its columns like those of any changed user (`UserState.pending`).
    case addUser(UserState)
    /// Stores the user's subject: the digest in the state, and the sealed subject.
    case setSubject(UserState, sealed: [UInt8])

    // Devices

    case addDevice(Device, of: UserState)
    case describeDevice(Device, of: UserState)
    /// Stores the last launch of the app on a device.
    case setLaunch(CountedLaunch, of: DeviceID, UserState)
    /// Stores the revision after which the sequences of a device's captures are compared.
    case setCountsSince(DeviceID, of: UserState)
    /// Moves a device with its tokens and its installation to another user, and stores the new `DeviceState`.
    case moveDevice(DeviceID, from: UserState, to: UserState)
    /// Drops a device with its tokens and its installation.
    case dropDevice(DeviceID, of: UserState)
    case addToken(Digest, Access.TokenRecord, of: UserState)
    case endToken(Digest, at: Timestamp, of: UserState)
    case dropToken(Digest, of: UserState)
    case addInstallation(Installation, of: DeviceID, UserState)
    case addCode(LinkCode, of: UserState)
    case useCode(Digest, by: DeviceID, of: UserState)
    case dropCodes(of: UserState, unusedOnly: Bool)
    /// Adds an entry to the audit log: the sign-in of one of the user's devices has expired.
    case auditExpiry(of: UserState, at: Timestamp)

    // Scenes and archives

    case addScene(SceneState, of: UserState)
    /// Stores when the scene was forgotten.
    case setForgotten(SceneState)
    /// Adds an archive. The store takes the bytes from the rule, and writes the row's number to the scene's entry.
    indirect case addArchive(Archive, to: SceneState)
    /// Removes an archive with its screenshot, outcomes, servings and bytes.
    case removeArchive(History.Entry, of: SceneState)
    /// Moves an archive with everything that belongs to it, except the records that devices were served it last.
    case moveArchive(History.Entry, from: SceneState, to: SceneState, at: Archive.Position)
    /// Takes an archive out of its scene's history in a way that can be undone.
    case softDelete(History.Entry, at: Timestamp, of: SceneState)
    case bringBack(History.Entry, to: SceneState)
    /// Makes a deletion final: removes the archive forever.
    case endDeletion(History.Entry, of: SceneState)
    /// Makes deletions of a user's archives final: all, or those of archives that one device made.
    case endDeletions(of: UserState, maker: DeviceID?)
    case addTombstone(ArchiveID, at: Timestamp, of: SceneState)
    case dropTombstone(ArchiveID, of: SceneState)
    case putScreenshot(Screenshot, for: History.Entry, of: SceneState)
    case addServing(of: History.Entry, to: DeviceID, at: Timestamp, SceneState)
    /// Records which archive of the scene a device was served last.
    case setServedLast(History.Entry, to: DeviceID, SceneState)
    /// Drops the records that devices were served this archive last.
    case dropServedLast(of: History.Entry, SceneState)
    /// Drops the records of what a device was served last, in all scenes of a user.
    case dropAllServedLast(by: DeviceID, of: UserState)
    /// Appends an outcome, and drops the given number of the archive's oldest ones. The entry holds the archive's new
    /// flags.
    case addOutcome(Outcome, of: History.Entry, ArchiveDetails, SceneState, dropping: Int)

    // The change log

    case addChange(Change, of: UserState, SceneState?)
    /// Drops the changes up to a revision. No reader can ask for them anymore.
    case dropChanges(through: Revision, of: UserState)

    // Decisions about items

    /// Stores a decision, in place of an earlier one about the same items.
    case putLink(Link, in: ItemList, of: UserState)
    case dropLink(LinkEnds, in: ItemList, of: UserState)

    // Data that rules never load

    /// Drops the registered items of a device.
    case dropRegistrations(of: DeviceID, by: UserState)
    /// Drops the decisions about the items of a device.
    case dropLinks(of: DeviceID, by: UserState)
    /// Rebuilds the index of a user's heads (`HeadChange`) after an import.
    case indexHeads(of: UserState)
    /// Moves the restore log of one device, or of all devices, to another user.
    case moveLogEntries(of: DeviceID?, from: UserState, to: UserState)
}
