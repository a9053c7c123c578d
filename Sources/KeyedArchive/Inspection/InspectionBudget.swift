/// How much an inspection may show. What a file shares is one object in it and in memory, but is shown wherever it
/// stands: the text stays in proportion to the file.
struct InspectionBudget {
    private var remaining: Int

    init(byteCount: Int) { remaining = 65_536 + 8 * byteCount }

    var isSpent: Bool { remaining <= 0 }

    /// Pays for a value and so many bytes of text; false when that is too much.
    mutating func spend(_ length: Int = 0) -> Bool {
        remaining -= 8 + length
        return remaining >= 0
    }

    /// The text while there is room for it.
    mutating func text(_ text: String) -> String { spend(text.utf8.count) ? text : "…" }
}
