/// Limits the size of an inspection. A shared object is stored once in the file and in memory, but is displayed
/// wherever an object refers to it. The budget limits the text to a multiple of the file's size.
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
