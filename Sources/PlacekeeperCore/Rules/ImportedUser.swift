/// An imported user, as a store begins the import.
package struct ImportedUser: Sendable, Hashable {
    package var owner: UserKey
    /// The time of the import, and the user's latest time: no imported time is later.
    package var createdAt: Timestamp
    /// The last revision assigned. No imported revision is greater.
    package var revision: Revision
    /// Changes up to this revision are not imported.
    package var prunedThrough: Revision

    package init(owner: UserKey, createdAt: Timestamp, revision: Revision, prunedThrough: Revision) {
        self.owner = owner
        self.createdAt = createdAt
        self.revision = revision
        self.prunedThrough = prunedThrough
    }
}

/// The result of finishing an import.
package enum ImportEnd: Sendable, Hashable {
    case done
    /// The account already has another user.
    case accountTaken
    /// The device already belongs to another user.
    case deviceTaken(DeviceID)
}
