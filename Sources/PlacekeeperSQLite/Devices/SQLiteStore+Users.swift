package import PlacekeeperCore
package import PlacekeeperService

extension SQLiteStore {
    package func users(
        of app: AppID, by order: UserOrder, after position: UserPosition?, limit: Int,
        matching conditions: UserConditions
    ) async throws(StoreError) -> [ListedUser] {
        try readers.read { connection throws(StoreError) in
            let select = try connection.statement(.users[order, default: .usersByID], app)
            // User ids are random, so nobody has id 0, and the page after id 0 is the first page.
            let first = UserPosition(
                key: .max, user: order == .id ? UserID(high: 0, low: 0) : UserID(high: .max, low: .max))
            select.bind((position ?? first).user, at: 2)
            select.bind(conditions)
            if order != .id { select.bind((position ?? first).key, at: 5) }
            // No limit in the query: skipped rows must not shorten the page.
            return try select.rows(atMost: limit, leavingOut: damaged, named: { "the user \($0.idText(0))" }) {
                row throws(StoreError) in try row.listedUser(by: order)
            }
        }
    }

    package func users(
        _ ids: [UserID], of app: AppID, by order: UserOrder, matching conditions: UserConditions
    ) async throws(StoreError) -> [ListedUser] {
        var users: [ListedUser] = []
        for id in ids {
            let found = try readers.read { connection throws(StoreError) in
                let select = try connection.statement(.listedUser, app, id)
                select.bind(conditions)
                return try select.rows(leavingOut: damaged, named: { "the user \($0.idText(0))" }) {
                    row throws(StoreError) in try row.listedUser(by: order)
                }
            }
            users += found
        }
        return users
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
    /// The parameters 3 and 4 are the conditions. The last archive of a scene is its head.
    private static let usersOfApp = """
        SELECT uuid, (SELECT count(*) FROM device WHERE user = user.id),
            (SELECT max(last_seen_at) FROM device WHERE user = user.id), subject_digest IS NOT NULL, created_at,
            archives, bytes, seen_at, seen_bytes,
            (?3 IS NULL OR EXISTS (SELECT 1 FROM device WHERE device.user = user.id AND idiom = ?3))
            AND (?4 IS NULL OR EXISTS (
                SELECT 1 FROM scene WHERE scene.user = user.id AND ?4 = (
                    SELECT bundle_version FROM archive WHERE archive.scene = scene.id
                    ORDER BY captured_at DESC, order_revision DESC, sequence DESC, revision DESC LIMIT 1)))
        """
    fileprivate static let listedUser = Query("\(usersOfApp) FROM user WHERE app = ?1 AND uuid = ?2")
    fileprivate static let usersByID = Query("\(usersOfApp) FROM user WHERE app = ?1 AND uuid > ?2 ORDER BY uuid")
    fileprivate static let users: [UserOrder: Query] = [
        .id: usersByID, .seen: sorted(by: "seen_at", .seen), .bytes: sorted(by: "seen_bytes", .bytes),
    ]

    private static func sorted(by key: String, _ order: UserOrder) -> Query {
        Query(
            """
            \(usersOfApp) FROM user INDEXED BY user_by_\(order.rawValue)
            WHERE app = ?1 AND (\(key), uuid) < (?5, ?2) ORDER BY \(key) DESC, uuid DESC
            """)
    }
}

extension Statement {
    fileprivate func bind(_ conditions: UserConditions) {
        bind(conditions.idiom?.rawValue, at: 3)
        bind(conditions.version, at: 4)
    }

    fileprivate func listedUser(by order: UserOrder) throws(StoreError) -> ListedUser {
        let createdAt = try time(4)
        let overview = UserOverview(
            user: try id(0), isSignedIn: try flag(3), createdAt: createdAt.milliseconds == 0 ? nil : createdAt,
            archiveCount: try count(5), bytes: try count(6), deviceCount: try count(1), lastSeenAt: try optionalTime(2))
        let key =
            switch order {
            case .seen: clampedNumber(7, .any)
            case .bytes: clampedNumber(8, .any)
            case .id: Int64(0)
            }
        return ListedUser(
            overview: overview, position: UserPosition(key: key, user: overview.user), matches: try flag(9))
    }
}
