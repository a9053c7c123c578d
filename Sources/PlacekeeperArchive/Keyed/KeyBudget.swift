/// Limits the cost of hashing dictionary keys. Hashing takes time proportional to a key's length, and dictionaries in a
/// file can share the text of a key, so a small file could cause any amount of work.
///
/// The cost depends only on the values, not on how a file shares texts. So a writer rejects an archive for its keys
/// exactly when a reader would.
struct KeyBudget {
    /// The limit, in bytes of ASCII: a million keys of 64 bytes, which take about a tenth of a second to hash.
    static let limit = 64 << 20
    /// How much longer it takes to normalize and hash a byte of non-ASCII text, compared with ASCII.
    private static let otherTextFactor = 8

    private var remaining: Int
    /// The maximum cost of one key.
    private let largest: Int
    private var meter = WorkMeter()

    /// - Parameter largest: The maximum cost of one key. Hashing a key cannot be interrupted.
    init(_ limit: Int = Self.limit, ofOneKey largest: Int = .max) {
        remaining = limit
        self.largest = largest
    }

    /// The budget of an inspection: half the usual budget, and at most 256 KiB of ASCII per key. Hashing such a key
    /// takes about a millisecond, or three if it consists of combining marks.
    static var inspection: Self { Self(limit / 2, ofOneKey: 256 << 10) }

    /// Creates a budget that suffices for keys with up to `bytesOfText` UTF-8 bytes in total, even if no key is ASCII.
    init(bytesOfText: Int) { self.init(bytesOfText * Self.otherTextFactor) }

    /// Consumes the cost of a key. Returns false if the budget is used up.
    mutating func consume(_ key: String) -> Bool { consume(Self.cost(of: key)) }

    /// Consumes a cost that `cost(of:)` returned earlier. Returns false if the budget is used up.
    mutating func consume(_ cost: Int) -> Bool {
        meter.consume(bytes: cost)
        remaining -= cost
        return remaining >= 0 && cost <= largest
    }

    /// Returns whether a text is short enough to be a key.
    func allows(_ key: String) -> Bool { largest == .max || Self.cost(of: key) <= largest }

    static func cost(of key: String) -> Int {
        // Non-ASCII scalars have more UTF-8 bytes than UTF-16 units, so the counts are equal only for ASCII.
        let count = key.utf8.count
        return count == key.utf16.count ? count : count * otherTextFactor
    }
}
