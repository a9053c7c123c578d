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
    /// The greatest cost of one key.
    private let largest: Int
    private var meter = WorkMeter()

    /// - Parameter largest: The greatest cost of one key. Hashing a key cannot be interrupted.
    init(_ limit: Int = Self.limit, ofOneKey largest: Int = .max) {
        remaining = limit
        self.largest = largest
    }

    /// For an inspection: half of the usual budget, and at most 256 KiB of ASCII in one key. Hashing such a key takes
    /// about a millisecond, and three if it consists of combining marks.
    static var inspection: Self { Self(limit / 2, ofOneKey: 256 << 10) }

    /// Creates a budget that is enough for keys of at most `bytesOfText` UTF-8 bytes in total, even if no key is ASCII.
    init(bytesOfText: Int) { self.init(bytesOfText * Self.otherTextFactor) }

    /// Spends the cost of a key. Returns false if the budget is exhausted.
    mutating func consume(_ key: String) -> Bool { consume(Self.cost(of: key)) }

    /// Spends a cost that `cost(of:)` returned earlier. Returns false if the budget is exhausted.
    mutating func consume(_ cost: Int) -> Bool {
        meter.consume(bytes: cost)
        remaining -= cost
        return remaining >= 0 && cost <= largest
    }

    /// Returns whether a text is short enough for one key.
    func allows(_ key: String) -> Bool { largest == .max || Self.cost(of: key) <= largest }

    static func cost(of key: String) -> Int {
        // A scalar that is not ASCII has more UTF-8 bytes than UTF-16 units, so the counts are equal only for ASCII.
        let count = key.utf8.count
        return count == key.utf16.count ? count : count * otherTextFactor
    }
}
