/// Makes keyed hashes of users and subjects. The key is a secret of the store, so a hash alone does not reveal a subject.
package protocol AccountHashing: Sendable {
    /// Returns the hash of a subject of an app.
    func digest(of subject: Subject, in app: AppID) -> Digest
    /// Returns the hash of a user's id.
    func digest(of owner: UserKey) -> Digest
}

/// Hashes without a key, for a store whose data ends with the process.
package struct DigestAccounts: AccountHashing {
    private let hashing: any Hashing

    package init(_ hashing: any Hashing) { self.hashing = hashing }

    package func digest(of subject: Subject, in app: AppID) -> Digest {
        hashing.sha256(Array("subject/\(app)/".utf8) + subject.bytes)
    }

    package func digest(of owner: UserKey) -> Digest { hashing.sha256(Array("user/\(owner.app)/\(owner.user)".utf8)) }
}
