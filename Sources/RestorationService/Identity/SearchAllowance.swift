/// What one request may ask of a store for what it looks for (docs/decisions/0061-what-one-device-can-ask-for.md).
struct SearchAllowance {
    /// Look-ups by which evidence is followed from device to device.
    let classes: Allowance
    /// Look-ups of what speaks for the items that are asked for: apart, so that what is found at once does not depend on
    /// how far the others lead.
    let evidence: Allowance
    /// Elements for whose neighbours registered positions are asked.
    let neighbours: Allowance

    init(_ questions: Int = Limits.searchQuestions, neighbours: Int = Limits.neighbourSearches) {
        classes = Allowance(questions)
        evidence = Allowance(questions)
        self.neighbours = Allowance(neighbours)
    }
}

/// Of which there is so much, and no more.
final class Allowance {
    private var rest: Int

    init(_ rest: Int) { self.rest = rest }

    /// Whether there was so much left.
    func take(_ count: Int = 1) -> Bool {
        guard count <= rest else { return false }
        rest -= count
        return true
    }
}
