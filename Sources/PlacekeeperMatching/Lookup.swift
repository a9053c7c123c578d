package import PlacekeeperCore

/// Makes the keys by which identifiers and aliases are looked up: 64 bits of a hash that is keyed by user, so a stored
/// key doesn't reveal the text. Canonically equivalent texts (Unicode, section 3.11) have the same key.
package protocol LookupHashing: Sendable {
    func keys(of texts: [String], for owner: UserKey) -> [LookupKey]
}

/// Seals texts before they are stored, and opens them again. For encryption at rest, another implementation of this
/// protocol is enough.
package protocol Sealing: Sendable {
    func seal(_ text: [UInt8], for owner: UserKey) -> [UInt8]
    func open(_ sealed: [UInt8], for owner: UserKey) throws(StoreError) -> [UInt8]
}

/// Seals without encryption: a sealed text is the text itself.
package struct PlainTexts: Sealing {
    package init() {}
    package func seal(_ text: [UInt8], for owner: UserKey) -> [UInt8] { text }
    package func open(_ sealed: [UInt8], for owner: UserKey) -> [UInt8] { sealed }
}
