package import RestorationService

extension SQLiteStore {
    package func users(
        of app: AppID, after last: UserID?, limit: Int
    ) async throws(StoreError) -> [UserOverview] {
        try readers.read { connection throws(StoreError) in
            let select = try connection.statement(.usersOfApp)
            select.bind(app, at: 1)
            // User ids are random, so no user has the id 0, and the page after the id 0 is the first page.
            select.bind(last ?? UserID(high: 0, low: 0), at: 2)
            select.bind(limit, at: 3)
            var users: [UserOverview] = []
            while try select.step() {
                users.append(
                    UserOverview(
                        user: try select.id(0), deviceCount: Int(select.integer(1)),
                        lastSeenAt: select.optionalInteger(2).map(Timestamp.init(milliseconds:))))
            }
            return users
        }
    }
}

extension Query {
    fileprivate static let usersOfApp = Query(
        """
        SELECT uuid, (SELECT count(*) FROM device WHERE user = user.id),
            (SELECT max(last_seen_at) FROM device WHERE user = user.id)
        FROM user WHERE app = ?1 AND uuid > ?2 ORDER BY uuid LIMIT ?3
        """)
}
