import PlacekeeperArchive
import PlacekeeperCore

/// The work budget of one request: the number of lookups that the request may make in the store, for evidence and for
/// searches (docs/identity-algorithm.md#bounds).
package final class WorkBudget {
    /// The purpose of a lookup. Lookups for both purposes take from the same budget.
    enum Purpose {
        /// Finds out which aliases of the items that the request names are evidence. Takes from the reserve first, and
        /// then from the rest of the budget.
        case evidence
        /// Searches through other devices, or for neighbors. Never takes from the reserve, so that the items that are
        /// found directly do not depend on the number of lookups that searches for other items make.
        case search
    }

    private var reserve: Int
    /// The number of lookups that are left besides the reserve.
    private var shared: Int
    private var meter = WorkMeter()
    /// The cost of a lookup, which takes about half a microsecond, for the meter.
    private static let lookupCost = 8

    /// - Parameters:
    ///   - lookups: the whole budget.
    ///   - evidenceReserve: the part of the budget that only lookups for evidence may take.
    package init(_ lookups: Int = Limits.lookups, evidenceReserve: Int = Limits.evidenceReserve) {
        reserve = min(evidenceReserve, lookups)
        shared = lookups - reserve
    }

    /// Takes `count` lookups from the budget. Returns false, and takes none, if too few are left for the purpose.
    func take(_ count: Int, for purpose: Purpose) -> Bool {
        meter.consume(count * Self.lookupCost)
        let reserved = purpose == .evidence ? min(count, reserve) : 0
        guard count - reserved <= shared else { return false }
        reserve -= reserved
        shared -= count - reserved
        return true
    }
}
