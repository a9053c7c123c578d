package import PlacekeeperCore

/// Computes keyed hashes of users and subjects. The key is a secret of the store, so a hash alone doesn't reveal a
/// subject.
package protocol AccountHashing: Sendable {
    /// Returns the hash of a subject of an app.
    func digest(of subject: Subject, in app: AppID) -> Digest
    /// Returns the hash of a user's id.
    func digest(of owner: UserKey) -> Digest
}
