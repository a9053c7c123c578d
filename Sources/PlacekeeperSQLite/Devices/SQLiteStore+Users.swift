package import PlacekeeperCore
package import PlacekeeperService

extension SQLiteStore {
    package func users(
        of app: AppID, after last: UserID?, limit: Int
    ) async throws(StoreError) -> [UserOverview] {
        try readers.read { connection throws(StoreError) in
            let select = try connection.statement(.usersOfApp, app)
            // User ids are random, so nobody has id 0, and the page after id 0 is the first page.
            select.bind(last ?? UserID(high: 0, low: 0), at: 2)
            // No limit in the query: skipped rows must not shorten the page.
            return try select.rows(atMost: limit, leavingOut: damaged, named: { "the user \($0.idText(0))" }) {
                row throws(StoreError) in
                let createdAt = try row.time(4)
                return UserOverview(
                    user: try row.id(0), isSignedIn: try row.flag(3),
                    createdAt: createdAt.milliseconds == 0 ? nil : createdAt, archiveCount: try row.count(5),
                    bytes: try row.count(6), deviceCount: try row.count(1), lastSeenAt: try row.optionalTime(2))
            }
        }
    }

    package func userID(ofSubject digest: Digest, in app: AppID) async throws(StoreError) -> UserID? {
        try readers.read { connection throws(StoreError) in try connection.userID(ofSubject: digest, in: app) }
    }

    package func sealedSubject(of owner: UserKey) async throws(StoreError) -> [UInt8]? {
        try readers.read { connection throws(StoreError) in
            let select = try connection.statement(.subjectOfUser, owner)
            guard try select.step(), !select.isNull(0) else { return nil }
            return select.bytes(0)
        }
    }
}

extension Connection {
    func userID(ofSubject digest: Digest, in app: AppID) throws(StoreError) -> UserID? {
        let select = try statement(.userWithSubject, app, digest)
        return try select.step() ? try select.id(0) : nil
    }
}

extension Query {
    fileprivate static let subjectOfUser = Query("SELECT subject FROM user WHERE app = ?1 AND uuid = ?2")
    // The condition matches the partial index, so SQLite uses it.
    fileprivate static let userWithSubject = Query(
        "SELECT uuid FROM user WHERE app = ?1 AND subject_digest = ?2 AND subject_digest IS NOT NULL")
    fileprivate static let usersOfApp = Query(
        """
        SELECT uuid, (SELECT count(*) FROM device WHERE user = user.id),
            (SELECT max(last_seen_at) FROM device WHERE user = user.id), subject_digest IS NOT NULL, created_at,
            archives, bytes
        FROM user WHERE app = ?1 AND uuid > ?2 ORDER BY uuid
        """)
}
