import PlacekeeperConcurrency
package import PlacekeeperCore
import PlacekeeperService

/// What was last found about the users and apps that this process follows.
struct FollowedVersions: Sendable {
    /// The versions of the followed users.
    var users: [UserKey: UserVersion] = [:]
    /// The cursor in the log of all changes. Nil while no app is followed.
    var cursor: String?
}

extension PostgresStore {
    /// The maximum number of users in one query.
    private static let usersAtOnce = 10_000

    /// Returns the followed users whose versions are others than at the last call, and the followed apps if any change
    /// was made since. A user or an app that wasn't followed then is included. Other users cost nothing, however many
    /// changes they make.
    package func externalInvalidations(following owners: [UserKey]) async throws(StoreError) -> Invalidations {
        let apps = owners.filter { $0 == .everyone(of: $0.app) }
        let users = owners.filter { $0 != .everyone(of: $0.app) }
        var found = FollowedVersions()
        for start in stride(from: 0, to: users.count, by: Self.usersAtOnce) {
            let part = users[start..<min(start + Self.usersAtOnce, users.count)]
            let versions = try await rows(
                Self.userVersionRows, .ids(part.map(\.app)), .ids(part.map(\.user))
            ).map { row throws(StoreError) in UserVersion(version: try row.key(), access: try row.key()) }
            found.users.merge(zip(part, versions)) { $1 }
        }
        var hasChanges = false
        if !apps.isEmpty { (hasChanges, found.cursor) = try await changes(since: followed.withLock(\.cursor)) }
        let known = followed.withLock { followed in
            defer { followed = found }
            return followed
        }
        var invalidations = Invalidations()
        invalidations.news = users.filter { known.users[$0] != found.users[$0] } + (hasChanges ? apps : [])
        return invalidations
    }

    /// Returns whether anybody made a change since a cursor, and the cursor of now.
    private func changes(since cursor: String?) async throws(StoreError) -> (Bool, String?) {
        guard let cursor else {
            return (true, try await rows(ChangeCursor.current).first { row throws(StoreError) in try row.text() })
        }
        let found = try await rows(
            """
            SELECT EXISTS (SELECT 1 FROM change WHERE \(ChangeCursor.isLater)), pg_current_snapshot()::text
            """, .text(cursor)
        ).first { row throws(StoreError) in (try row.bool(), try row.text()) }
        return (found?.0 ?? true, found?.1)
    }
}
