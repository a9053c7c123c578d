package import PlacekeeperService

extension SQLiteStore {
    package func users(
        of app: AppID, after last: UserID?, limit: Int
    ) async throws(StoreError) -> [UserOverview] {
        try readers.read { connection throws(StoreError) in
            let select = try connection.statement(.usersOfApp)
            select.bind(app, at: 1)
            // User ids are random, so no user has the id 0, and the page after the id 0 is the first page.
            select.bind(last ?? UserID(high: 0, low: 0), at: 2)
            // The query has no limit, so that rows that are left out do not shorten the page.
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
}

extension Transaction {
    func createUser(_ key: UserKey, at time: Timestamp) throws(StoreError) -> UserRow {
        let insert = try connection.statement(.insertUser)
        insert.bind(key.app, at: 1)
        insert.bind(key.user, at: 2)
        insert.bind(time, at: 3)
        try insert.run()
        let row = connection.lastInsertedRow
        try count(Usage(users: 1), in: key.app)
        return UserRow(id: row, app: key.app, revision: Revision(rawValue: 0))
    }

    /// Makes a user the user of an account. The user counts as created no earlier than `time`: an earlier erasure of the
    /// account does not concern this user. Without a time, the user's time of creation stays. This time never falls:
    /// a backup has the user with the time from before, and an erasure must concern that user as well.
    func setSubject(of owner: UserKey, to account: Account, at time: Timestamp? = nil) throws(StoreError) {
        let update = try connection.statement(.setSubject)
        update.bind(owner.app, at: 1)
        update.bind(owner.user, at: 2)
        update.bind(account.sealedSubject(owner), at: 3)
        update.bind(account.digest, at: 4)
        update.bind(time?.milliseconds, at: 5)
        try update.run()
    }

    /// Deletes the link codes of a user that no device has used.
    func dropUnusedLinkCodes(of user: UserRow) throws(StoreError) {
        let delete = try connection.statement(.deleteUnusedLinkCodes)
        delete.bind(user.id, at: 1)
        try delete.run()
    }
}

extension Connection {
    func userID(ofSubject digest: Digest, in app: AppID) throws(StoreError) -> UserID? {
        let select = try statement(.userWithSubject)
        select.bind(app, at: 1)
        select.bind(digest, at: 2)
        return try select.step() ? try select.id(0) : nil
    }

    /// Returns whether the user has an account.
    func hasSubject(_ user: UserRow) throws(StoreError) -> Bool {
        let select = try statement(.hasSubject)
        select.bind(user.id, at: 1)
        return try select.step()
    }
}

extension Query {
    fileprivate static let insertUser = Query("INSERT INTO user (app, uuid, created_at) VALUES (?1, ?2, ?3)")
    fileprivate static let setSubject = Query(
        """
        UPDATE user SET subject = ?3, subject_digest = ?4, created_at = max(created_at, coalesce(?5, created_at))
        WHERE app = ?1 AND uuid = ?2
        """)
    fileprivate static let deleteUnusedLinkCodes = Query("DELETE FROM link_code WHERE user = ?1 AND used_by IS NULL")
    // The condition is the condition of the index, so that SQLite uses the index.
    fileprivate static let userWithSubject = Query(
        "SELECT uuid FROM user WHERE app = ?1 AND subject_digest = ?2 AND subject_digest IS NOT NULL")
    fileprivate static let hasSubject = Query("SELECT 1 FROM user WHERE id = ?1 AND subject_digest IS NOT NULL")
    fileprivate static let usersOfApp = Query(
        """
        SELECT uuid, (SELECT count(*) FROM device WHERE user = user.id),
            (SELECT max(last_seen_at) FROM device WHERE user = user.id), subject_digest IS NOT NULL, created_at,
            archives, bytes
        FROM user WHERE app = ?1 AND uuid > ?2 ORDER BY uuid
        """)
}
