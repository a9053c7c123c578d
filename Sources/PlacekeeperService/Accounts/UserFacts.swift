package import PlacekeeperCore

/// The IDs, keyed hash and time that decide whether an erasure log entry applies to a user.
package struct UserFacts: Sendable, Hashable {
    package var owner: UserKey
    /// The keyed hash of the user's subject, or nil for an anonymous user.
    package var subjectDigest: Digest?
    package var createdAt: Timestamp

    package init(owner: UserKey, subjectDigest: Digest?, createdAt: Timestamp) {
        self.owner = owner
        self.subjectDigest = subjectDigest
        self.createdAt = createdAt
    }
}
