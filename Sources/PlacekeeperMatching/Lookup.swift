package import PlacekeeperCore

/// Makes the keys by which identifiers and aliases are looked up. A key is 64 bits of a hash that is keyed by user, so
/// that a stored key does not reveal the identifier or alias. Texts that are canonically equivalent (Unicode, section
/// 3.11) have the same key.
package protocol LookupHashing: Sendable {
    func keys(of texts: [String], for owner: UserKey) -> [LookupKey]
}

/// Seals texts before they are stored, and opens them again. Encryption at rest needs only another implementation of
/// this protocol.
package protocol Sealing: Sendable {
    func seal(_ text: [UInt8], for owner: UserKey) -> [UInt8]
    func open(_ sealed: [UInt8], for owner: UserKey) throws(StoreError) -> [UInt8]
}

/// An implementation of `Sealing` without encryption: a sealed text is the text itself.
package struct PlainTexts: Sealing {
    package init() {}
    package func seal(_ text: [UInt8], for owner: UserKey) -> [UInt8] { text }
    package func open(_ sealed: [UInt8], for owner: UserKey) -> [UInt8] { sealed }
}
