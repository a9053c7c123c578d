/// Limits the size of an inspection. A shared object is stored once in the file and in memory, but is displayed at each
/// reference to the object. The budget, 64 KiB plus eight times the file's size, limits the amount of displayed text.
struct InspectionBudget {
    private var remaining: Int

    init(byteCount: Int) { remaining = 65_536 + 8 * byteCount }

    var isSpent: Bool { remaining <= 0 }

    /// Spends the cost of a value with a text of `length` bytes. Returns false if the budget is exhausted.
    mutating func spend(_ length: Int = 0) -> Bool {
        remaining -= 8 + length
        return remaining >= 0
    }

    /// Returns the text, or an ellipsis if the budget is exhausted.
    mutating func text(_ text: String) -> String { spend(text.utf8.count) ? text : "…" }
}
