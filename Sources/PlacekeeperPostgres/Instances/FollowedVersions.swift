import PlacekeeperConcurrency
package import PlacekeeperCore
import PlacekeeperService

/// What the last check found about the users and apps that this process follows.
struct FollowedVersions: Sendable {
    /// The numbers that rise when a user's event streams have news. Absent if the user doesn't exist.
    struct User: Equatable, Sendable {
        var revision: Int64?
        var access: Int64?
        /// Raised by changes of the app's settings.
        var app: Int64?
    }

    var users: [UserKey: User] = [:]
    /// The cursor in the log of all changes. Nil while no app is followed.
    var cursor: String?
}

extension PostgresStore {
    /// The maximum number of users in one query.
    private static let usersAtOnce = 10_000

    /// Returns the followed users who have news since the last call, and the followed apps if any change was made since. A user or an app that wasn't followed then is included. Other users cost nothing, however many
    /// changes they make.
    package func externalInvalidations(following owners: [UserKey]) async throws(StoreError) -> Invalidations {
        let apps = owners.filter { $0 == .everyone(of: $0.app) }
        let users = owners.filter { $0 != .everyone(of: $0.app) }
        var found = FollowedVersions()
        for start in stride(from: 0, to: users.count, by: Self.usersAtOnce) {
            let part = users[start..<min(start + Self.usersAtOnce, users.count)]
            let versions = try await rows(
                Self.followedRows, .ids(part.map(\.app)), .ids(part.map(\.user))
            ).map { row throws(StoreError) in
                FollowedVersions.User(
                    revision: try row.optionalKey(), access: try row.optionalKey(), app: try row.optionalKey())
            }
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

    private static let followedRows = """
        SELECT users.revision, users.access_version, app.version
        FROM unnest($1, $2) WITH ORDINALITY AS asked (app, owner, place)
        LEFT JOIN LATERAL (
            SELECT revision, access_version FROM users
            WHERE users.app = asked.app AND users.owner = asked.owner LIMIT 1) AS users ON true
        LEFT JOIN app ON app.uuid = asked.app ORDER BY place
        """

    /// Records this process's own change of a followed user, who has been told of it.
    func noteOwnChange(of user: UserState) {
        followed.withLock { $0.users[user.key]?.revision = user.revision.rawValue }
    }

    /// Returns whether anybody made a change since a cursor, and the cursor of now.
    private func changes(since cursor: String?) async throws(StoreError) -> (Bool, String?) {
        guard let cursor else {
            return (true, try await rows(ChangeCursor.current).first { row throws(StoreError) in try row.text() })
        }
        let found = try await rows(
            """
            SELECT EXISTS (\(ChangeCursor.later)), pg_current_snapshot()::text
            """, .text(cursor), .int(1)
        ).first { row throws(StoreError) in (try row.bool(), try row.text()) }
        return (found?.0 ?? true, found?.1)
    }
}
