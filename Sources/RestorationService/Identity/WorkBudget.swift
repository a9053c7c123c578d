/// The work budget of one request: the number of look-ups in a store that its evidence and its searches may take
/// (docs/identity-algorithm.md#bounds).
final class WorkBudget {
    /// The purpose of a look-up. Both take from the same budget.
    enum Purpose {
        /// Finds out which aliases of the request's own items are evidence. Takes from the reserve first, and then
        /// from the rest of the budget.
        case evidence
        /// Searches through other devices, or for neighbors. Never takes from the reserve, so that directly found
        /// items do not depend on how far the searches for other items lead.
        case search
    }

    private var reserve: Int
    /// The look-ups that are left besides the reserve.
    private var shared: Int

    /// - Parameters:
    ///   - lookups: the whole budget.
    ///   - evidenceReserve: the part of the budget that only evidence may take.
    init(_ lookups: Int = Limits.lookups, evidenceReserve: Int = Limits.evidenceReserve) {
        reserve = min(evidenceReserve, lookups)
        shared = lookups - reserve
    }

    /// Takes look-ups from the budget. Returns false, and takes none, if too few are left for the purpose.
    func take(_ count: Int, for purpose: Purpose) -> Bool {
        let reserved = purpose == .evidence ? min(count, reserve) : 0
        guard count - reserved <= shared else { return false }
        reserve -= reserved
        shared -= count - reserved
        return true
    }
}
