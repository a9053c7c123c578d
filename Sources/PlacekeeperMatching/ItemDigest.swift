package import PlacekeeperCore

/// The digest of a set of items: the exclusive or of the items' 128-bit digests. It doesn't depend on the order of the
/// items, and a client can update it with each change (docs/decisions/0057-in-step-by-a-digest.md).
package struct ItemDigest: Sendable, Hashable, CustomStringConvertible {
    package var high: UInt64 = 0
    package var low: UInt64 = 0

    package init() {}

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Creates the digest of one item: the first half of a SHA-256 digest. The input is the identifier, the aliases in
    /// byte order, and the position in decimal digits (empty if the item has none), each in UTF-8 and followed by a
    /// zero byte.
    package init(of item: Item, _ hashing: any Hashing) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(item.aliases.reduce(item.identifier.utf8.count + 24) { $0 + $1.utf8.count + 1 })
        func append(_ text: String) {
            bytes.append(contentsOf: text.utf8)
            bytes.append(0)
        }
        append(item.identifier)
        let aliases =
            item.aliases.count < 2
            ? item.aliases : item.aliases.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        for alias in aliases { append(alias) }
        append(item.position.map(String.init) ?? "")
        let words = hashing.sha256(bytes).words
        (high, low) = (words.0, words.1)
    }

    /// Updates the digest after the set changed: adds the items of `other` that the set lacked, and removes those that
    /// it had.
    package mutating func toggle(_ other: ItemDigest) {
        high ^= other.high
        low ^= other.low
    }

    /// The digest as 32 hexadecimal digits.
    package var description: String { Self.digits(high) + Self.digits(low) }

    private static func digits(_ word: UInt64) -> String {
        let digits = String(word, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
