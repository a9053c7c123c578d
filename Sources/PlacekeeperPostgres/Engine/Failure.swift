import PlacekeeperCore
import PlacekeeperService

/// Why a batch of statements returned no rows.
enum Failure: Error, Sendable {
    /// Another transaction came first: the required versions have changed, a unique key is taken, or the database
    /// aborted this transaction to resolve a conflict. The write must read and decide again.
    case lostRace
    /// The connection ended. If `mayBeCommitted` is true, the batch may have been committed.
    case disconnected(mayBeCommitted: Bool)
    case store(StoreError)

    /// The failure for a server error. Keeps only the code, because the message may quote stored values.
    init(sqlState state: String) {
        let cause = "PostgreSQL error \(state)"
        switch state {
        case "23505", "40001", "40P01", "55P03": self = .lostRace
        case "53100": self = .store(StoreError(.full, "No space is left for the database.", cause: cause))
        case "25006":
            self = .store(StoreError(.unavailable, "The database accepts no writes.", cause: cause))
        case _ where state.hasPrefix("XX"):
            self = .store(StoreError(.corrupt, "The database is damaged.", cause: cause))
        case _ where state.hasPrefix("42") || state.hasPrefix("22") || state.hasPrefix("23"):
            self = .store(StoreError(.corrupt, "The database does not have the expected schema.", cause: cause))
        default: self = .store(StoreError(.unavailable, "The database cannot be used.", cause: cause))
        }
    }

    /// The error to throw to the caller of the store.
    var error: StoreError {
        switch self {
        case .lostRace: StoreError(.unavailable, "Other writes to the same data are in the way.")
        case .disconnected: StoreError(.unavailable, "The connection to the database was lost.")
        case .store(let error): error
        }
    }
}
