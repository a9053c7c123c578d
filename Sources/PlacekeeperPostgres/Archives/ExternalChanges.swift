import PlacekeeperConcurrency
package import PlacekeeperCore
import PlacekeeperService

/// Identifies a user's change.
struct ChangeKey: Hashable, Sendable {
    var owner: UserKey
    var revision: Revision
}

/// Finds changes made by other processes. A transaction may become visible several seconds after its changes were made,
/// so each search covers the last few seconds again and skips the changes it already knows.
final class ExternalChanges: Sendable {
    private struct State {
        /// The changes found by the last search. `nil` before the first search.
        var known: Set<ChangeKey>?
        /// The changes of this process, with the time of each write.
        var own: [ChangeKey: ContinuousClock.Instant] = [:]
        /// The sum of all apps' versions and of `access_base`, which each erasure raises.
        var access: Int64?
    }

    private let state = LockBox(State())
    /// How long this process's own changes are remembered: longer than a search looks back.
    private static let memory = Duration.seconds(60)
    private static let limit = 50_000

    /// Records changes of this process before they are committed.
    func begin(_ changes: [ChangeKey]) {
        let now = ContinuousClock.now
        state.withLock { state in
            // Without these records, this process's own changes wake followers too, which is harmless.
            if state.own.count > Self.limit { state.own = [:] }
            for change in changes { state.own[change] = now }
        }
    }

    /// Forgets changes that weren't committed.
    func undo(_ changes: [ChangeKey]) {
        state.withLock { state in for change in changes { state.own[change] = nil } }
    }

    /// Returns the invalidations for the found changes, except those already known.
    ///
    /// - Parameter isComplete: false if there were too many changes to list.
    func invalidations(of found: Set<ChangeKey>, isComplete: Bool, access: Int64) -> Invalidations {
        let end = ContinuousClock.now - Self.memory
        return state.withLock { state in
            var invalidations = Invalidations()
            if let known = state.known, state.access == access {
                invalidations.allNews = !isComplete
                invalidations.news = Array(
                    Set(found.filter { !known.contains($0) && state.own[$0] == nil }.map(\.owner)))
            } else if state.known != nil {
                invalidations.allNews = true
            }
            state.known = found
            state.access = access
            state.own = state.own.filter { $0.value > end }
            return invalidations
        }
    }
}

extension PostgresStore {
    /// The maximum number of changes that a search reads.
    private static let searchedChanges = 10_000

    /// Returns the invalidations for changes made by other processes. If any process changed an app's settings or
    /// erased a user, the followers of all users wake.
    package func externalInvalidations() async throws(StoreError) -> Invalidations {
        let results = try await read(
            Statement(
                """
                SELECT app, owner, revision FROM change WHERE made_at > clock_timestamp() - interval '15 seconds'
                ORDER BY made_at DESC LIMIT $1
                """, .int(Self.searchedChanges)),
            Statement("SELECT access_base + (SELECT coalesce(sum(version), 0)::bigint FROM app) FROM store"))
        let found = try results[0].map(leavingOut: damaged, "a change of the user", id: 1) { row throws(StoreError) in
            ChangeKey(owner: try row.owner(), revision: try row.revision())
        }
        let access = try results[1].first { row throws(StoreError) in try row.key() } ?? 0
        return externalChanges.invalidations(
            of: Set(found), isComplete: results[0].count < Self.searchedChanges, access: access)
    }
}
