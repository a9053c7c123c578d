import PlacekeeperCore
import PlacekeeperService

/// The reason why a batch of statements did not return its rows.
enum Failure: Error, Sendable {
    /// Another transaction was first: the versions that this transaction requires changed, a unique key is taken, or the
    /// database chose this transaction to end a conflict. The write must read and decide again.
    case lostRace
    /// The connection ended. If `mayBeCommitted` is true, the batch may have been carried out.
    case disconnected(mayBeCommitted: Bool)
    case store(StoreError)

    /// The failure for an error of the server. Only its code is kept, because its message may quote stored values.
    init(sqlState state: String) {
        let cause = "PostgreSQL error \(state)"
        switch state {
        case "22012", "23505", "40001", "40P01", "55P03": self = .lostRace
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

    /// The error for the caller of the store.
    var error: StoreError {
        switch self {
        case .lostRace: StoreError(.unavailable, "Other writes to the same data are in the way.")
        case .disconnected: StoreError(.unavailable, "The connection to the database was lost.")
        case .store(let error): error
        }
    }
}
