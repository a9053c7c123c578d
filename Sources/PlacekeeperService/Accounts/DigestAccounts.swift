package import PlacekeeperCore

/// Hashes users and subjects without a key, which is enough for a store that keeps its data only in memory.
package struct DigestAccounts: AccountHashing {
    let hashing: any Hashing

    package init(_ hashing: any Hashing) { self.hashing = hashing }

    package func digest(of subject: Subject, in app: AppID) -> Digest {
        hashing.sha256(Array("subject \(app) ".utf8) + subject.bytes)
    }

    package func digest(of owner: UserKey) -> Digest { hashing.sha256(Array("user \(owner.app) \(owner.user)".utf8)) }
}
