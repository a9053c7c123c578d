/// Limits the cost of hashing dictionary keys. The time to hash a key is proportional to the key's length. In a file,
/// dictionaries can share the text of a key, so a small file could cause any amount of hashing.
///
/// The cost depends only on the values, and not on how a file shares texts. A writer therefore refuses an archive for
/// its keys if and only if a reader would.
struct KeyBudget {
    /// The limit in bytes of ASCII: a million keys of 64 bytes. Hashing these keys takes about a tenth of a second.
    static let limit = 64 << 20
    /// The time to normalize and hash a byte of text that is not ASCII, relative to a byte of ASCII.
    private static let otherTextFactor = 8

    private var remaining: Int

    init(_ limit: Int = Self.limit) { remaining = limit }

    /// Creates a budget that is enough for keys of at most `bytesOfText` UTF-8 bytes in total, even if no key is ASCII.
    init(bytesOfText: Int) { remaining = bytesOfText * Self.otherTextFactor }

    /// Spends the cost of a key. Returns false if the budget is exhausted.
    mutating func spend(_ key: String) -> Bool { spend(Self.cost(of: key)) }

    /// Spends a cost that `cost(of:)` returned earlier. Returns false if the budget is exhausted.
    mutating func spend(_ cost: Int) -> Bool {
        remaining -= cost
        return remaining >= 0
    }

    static func cost(of key: String) -> Int {
        // A scalar that is not ASCII has more UTF-8 bytes than UTF-16 units, so the counts are equal only for ASCII.
        let count = key.utf8.count
        return count == key.utf16.count ? count : count * otherTextFactor
    }
}
