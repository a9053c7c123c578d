/// The user of an import, as a store begins it.
package struct ImportedUser: Sendable, Hashable {
    package var owner: UserKey
    /// The time of the import, and the user's latest time. No imported time is later.
    package var createdAt: Timestamp
    /// The last revision that was assigned. No imported revision is greater.
    package var revision: Revision
    /// The changes up to this revision are not imported.
    package var prunedThrough: Revision

    package init(owner: UserKey, createdAt: Timestamp, revision: Revision, prunedThrough: Revision) {
        self.owner = owner
        self.createdAt = createdAt
        self.revision = revision
        self.prunedThrough = prunedThrough
    }
}

/// The result of ending an import.
package enum ImportEnd: Sendable, Hashable {
    case done
    /// The account has another user.
    case accountTaken
    /// The device belongs to another user.
    case deviceTaken(DeviceID)
}
