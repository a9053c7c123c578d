/// The digest of a set of items (docs/identity.md): the XOR of the first 16 bytes of each item's SHA-256.
struct ItemDigest {
    private var words: (UInt64, UInt64) = (0, 0)

    init() {}

    init(of items: some Sequence<Wire.Item>) {
        for item in items { toggle(item) }
    }

    /// Adds an item that is not in the set, or removes one that is.
    mutating func toggle(_ item: Wire.Item) {
        var bytes: [UInt8] = []
        let aliases = (item.aliases ?? []).map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
        for text in [Array(item.identifier.utf8)] + aliases + [Array((item.position.map(String.init) ?? "").utf8)] {
            bytes += text
            bytes.append(0)
        }
        let hash = SHA256.words(of: bytes)
        words.0 ^= UInt64(hash[0]) << 32 | UInt64(hash[1])
        words.1 ^= UInt64(hash[2]) << 32 | UInt64(hash[3])
    }

    /// The digest as 32 hexadecimal digits.
    var text: String {
        [words.0, words.1].map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
