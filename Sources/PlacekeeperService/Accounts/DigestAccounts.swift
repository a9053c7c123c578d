package import PlacekeeperCore

/// Computes the hashes of users and subjects without a key. This is enough for a store that keeps its data in memory
/// only.
package struct DigestAccounts: AccountHashing {
    let hashing: any Hashing

    package init(_ hashing: any Hashing) { self.hashing = hashing }

    package func digest(of subject: Subject, in app: AppID) -> Digest {
        hashing.sha256(Array("subject \(app) ".utf8) + subject.bytes)
    }

    package func digest(of owner: UserKey) -> Digest { hashing.sha256(Array("user \(owner.app) \(owner.user)".utf8)) }
}
