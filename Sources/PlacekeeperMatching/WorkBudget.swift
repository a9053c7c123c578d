import PlacekeeperArchive
import PlacekeeperCore

/// A request's work budget: the number of lookups in the store that it may make, for evidence and for searches
/// (docs/identity-algorithm.md#bounds).
package final class WorkBudget {
    /// What a lookup is for. All lookups take from the same budget.
    enum Purpose {
        /// Finding out which aliases of the items that the request names are evidence. Takes from the reserve first,
        /// then from the rest.
        case evidence
        /// Searching through other devices, or for neighbors. Never takes from the reserve, so the items found directly
        /// don't depend on how many lookups the searches for other items make.
        case search
    }

    private var reserve: Int
    /// The lookups left besides the reserve.
    private var shared: Int
    private var meter = WorkMeter()
    /// How much a lookup, which takes about half a microsecond, counts on the meter.
    private static let lookupCost = 8

    /// - Parameters:
    ///   - lookups: the whole budget.
    ///   - evidenceReserve: the part reserved for lookups for evidence.
    package init(_ lookups: Int = Limits.lookups, evidenceReserve: Int = Limits.evidenceReserve) {
        reserve = min(evidenceReserve, lookups)
        shared = lookups - reserve
    }

    /// Takes `count` lookups from the budget. If too few are left for the purpose, takes none and returns false.
    func take(_ count: Int, for purpose: Purpose) -> Bool {
        meter.consume(count * Self.lookupCost)
        let reserved = purpose == .evidence ? min(count, reserve) : 0
        guard count - reserved <= shared else { return false }
        reserve -= reserved
        shared -= count - reserved
        return true
    }
}
