/// The work budget of one request: the number of look-ups in a store that its evidence and its searches may take
/// (docs/identity-algorithm.md#bounds).
final class WorkBudget {
    /// The purpose of a look-up. Both take from the same budget.
    enum Purpose {
        /// Finds out which aliases of the request's own items are evidence. May take the whole budget.
        case evidence
        /// Searches through other devices, or for neighbors. Leaves the reserve for evidence that comes later, so
        /// that directly found items do not depend on how far the searches for other items lead.
        case search
    }

    private var remaining: Int
    private let evidenceReserve: Int

    init(_ lookups: Int = Limits.lookups, evidenceReserve: Int = Limits.evidenceReserve) {
        remaining = lookups
        self.evidenceReserve = evidenceReserve
    }

    /// Takes look-ups from the budget. Returns false, and takes none, if too few are left for the purpose.
    func take(_ count: Int, for purpose: Purpose) -> Bool {
        let available = purpose == .evidence ? remaining : remaining - evidenceReserve
        guard count <= available else { return false }
        remaining -= count
        return true
    }
}
