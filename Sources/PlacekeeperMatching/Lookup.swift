package import PlacekeeperCore

/// Makes the keys by which identifiers and aliases are looked up: 64 bits of a hash that is keyed by user, so a stored
/// key doesn't reveal the text.
package protocol LookupHashing: Sendable {
    func keys(of texts: [LookupText], for owner: UserKey) -> [LookupKey]
}

/// A text with a lookup key. Equal texts have the same key.
package enum LookupText: Sendable {
    /// Equal to another identifier if both have the same bytes in UTF-8.
    case identifier(String)
    /// Equal to another alias if both are canonically equivalent (Unicode, section 3.11).
    case alias(String)

    /// Calls the closure with the bytes to hash. An identifier in normalization form C has the same bytes as an alias
    /// with this text.
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        switch self {
        case .identifier(var text): text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
        case .alias(let text): text.withNormalizedUTF8(body)
        }
    }
}

extension LookupHashing {
    package func key(ofIdentifier identifier: String, for owner: UserKey) -> LookupKey {
        keys(of: [.identifier(identifier)], for: owner)[0]
    }

    package func keys(ofAliases aliases: [String], for owner: UserKey) -> [LookupKey] {
        keys(of: aliases.map { .alias($0) }, for: owner)
    }
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
