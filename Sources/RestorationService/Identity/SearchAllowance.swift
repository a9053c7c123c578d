/// The work budget of one request for searches in a store (docs/identity-algorithm.md#bounds).
struct SearchAllowance {
    /// The look-ups that follow evidence from device to device.
    let classes: Allowance
    /// The look-ups of the items' own evidence. This budget is separate, so that directly found items do not depend
    /// on how far the searches for other items lead.
    let evidence: Allowance
    /// The number of items whose neighbors may be looked up by registered positions.
    let neighbours: Allowance

    init(_ questions: Int = Limits.searchQuestions, neighbours: Int = Limits.neighbourSearches) {
        classes = Allowance(questions)
        evidence = Allowance(questions)
        self.neighbours = Allowance(neighbours)
    }
}

/// A number of look-ups that can be used up.
final class Allowance {
    private var rest: Int

    init(_ rest: Int) { self.rest = rest }

    /// Takes look-ups from the budget. Returns false if too few are left.
    func take(_ count: Int = 1) -> Bool {
        guard count <= rest else { return false }
        rest -= count
        return true
    }
}
