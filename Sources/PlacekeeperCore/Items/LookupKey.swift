/// The lookup key of an identifier or an alias: 64 bits of a hash. In a stored database, the hash is keyed per user.
/// Canonically equivalent aliases have the same lookup key (docs/decisions/0058-lookups-by-a-keyed-hash.md).
package struct LookupKey: RawRepresentable, Sendable, Hashable {
    package var rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }
}

extension LookupKey {
    /// The key of the stored row with the aliases that an item lost. The row looks like an item that this one replaced.
    package var ofLostAliases: LookupKey { LookupKey(rawValue: rawValue ^ 0x27d4_eb2f_1656_67c5) }
}

// The key as a page cursor: hexadecimal digits, which need no escaping in shells and URLs.
extension LookupKey {
    package init?(cursor: String) {
        guard let number = UInt64(cursor, radix: 16) else { return nil }
        self.init(rawValue: Int64(bitPattern: number))
    }

    package var cursor: String { String(UInt64(bitPattern: rawValue), radix: 16) }
}

extension Collection<LookupKey> {
    /// The keys without duplicates, in order of first occurrence. Different aliases share a key if they are canonically
    /// equivalent.
    package var distinct: [LookupKey] {
        guard count > 1 else { return Array(self) }
        var seen: Set<LookupKey> = []
        return filter { seen.insert($0).inserted }
    }
}
