/// What hashing the keys of dictionaries may cost. A dictionary hashes each of its keys, in time that is proportional
/// to the key's length. Dictionaries share the text of a key in a file, so that a small file could ask for any amount
/// of it.
///
/// The cost depends on the values alone, and not on how a file shares their texts: a writer refuses the same archives
/// as a reader.
struct KeyBudget {
    /// In bytes of ASCII: a million keys of 64 bytes, or a tenth of a second.
    static let limit = 64 << 20
    /// How many times as long as a byte of ASCII it takes to normalise and hash a byte of another text.
    private static let otherTextFactor = 8

    private var remaining: Int

    init(_ limit: Int = Self.limit) { remaining = limit }

    /// A budget for dictionaries whose keys have at most `bytesOfText` bytes together, in any script.
    init(bytesOfText: Int) { remaining = bytesOfText * Self.otherTextFactor }

    /// Pays for a key; false when that is too much.
    mutating func spend(_ key: String) -> Bool { spend(Self.cost(of: key)) }

    /// Pays for a cost that is known; false when that is too much.
    mutating func spend(_ cost: Int) -> Bool {
        remaining -= cost
        return remaining >= 0
    }

    static func cost(of key: String) -> Int {
        // Any scalar that is not ASCII has more bytes of UTF-8 than units of UTF-16.
        let count = key.utf8.count
        return count == key.utf16.count ? count : count * otherTextFactor
    }
}
