package import PlacekeeperCore

/// The ids, the keyed hash and the time that decide whether an entry of the erasure log concerns a user.
package struct UserFacts: Sendable, Hashable {
    package var owner: UserKey
    /// The keyed hash of the user's subject. Nil for an anonymous user.
    package var subjectDigest: Digest?
    package var createdAt: Timestamp

    package init(owner: UserKey, subjectDigest: Digest?, createdAt: Timestamp) {
        self.owner = owner
        self.subjectDigest = subjectDigest
        self.createdAt = createdAt
    }
}
