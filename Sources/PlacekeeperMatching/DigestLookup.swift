package import PlacekeeperCore

/// Computes lookup keys as unkeyed digests. Enough for a store that keeps texts only in memory.
package struct DigestLookup: LookupHashing {
    let hashing: any Hashing

    package init(_ hashing: any Hashing) { self.hashing = hashing }

    package func keys(of texts: [LookupText], for owner: UserKey) -> [LookupKey] {
        texts.map { text in
            LookupKey(rawValue: Int64(bitPattern: text.withBytes { hashing.sha256($0).words.0 }))
        }
    }
}
