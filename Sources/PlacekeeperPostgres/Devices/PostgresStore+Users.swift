package import PlacekeeperCore
package import PlacekeeperService

extension PostgresStore {
    package func users(
        of app: AppID, by order: UserOrder, after position: UserPosition?, limit: Int,
        matching conditions: UserConditions
    ) async throws(StoreError) -> [ListedUser] {
        let first = UserPosition(key: .max, user: order == .id ? .least : UserID(high: .max, low: .max))
        let key = order.column
        let columns = Self.listedColumns(key)
        return try await page(of: limit, "the user", from: position ?? first) { last, limit throws(StoreError) in
            guard order != .id else {
                return try await rows(
                    "\(columns) AND users.owner > $4 ORDER BY users.owner LIMIT $5", .id(app),
                    .int((conditions.idiom?.rawValue).map(Int64.init)), .text(conditions.version), .id(last.user),
                    .int(limit))
            }
            return try await rows(
                """
                \(columns) AND (\(key), users.owner) < ($6, $4) ORDER BY \(key) DESC, users.owner DESC LIMIT $5
                """, .id(app), .int((conditions.idiom?.rawValue).map(Int64.init)), .text(conditions.version),
                .id(last.user),
                .int(limit), .int(last.key))
        } next: { row throws(StoreError) in
            let user: UserID = try row.id()
            return UserPosition(key: try row.key(), user: user)
        } _: { row throws(StoreError) in
            try Self.listedUser(&row)
        }
    }

    package func users(
        _ ids: [UserID], of app: AppID, by order: UserOrder, matching conditions: UserConditions
    ) async throws(StoreError) -> [ListedUser] {
        try await rows(
            "\(Self.listedColumns(order.column)) AND users.owner = ANY($4)", .id(app),
            .int((conditions.idiom?.rawValue).map(Int64.init)), .text(conditions.version), .ids(ids)
        ).map(leavingOut: damaged, "the user", id: 0, Self.listedUser)
    }

    /// The columns of a listed user. The parameters 2 and 3 are the conditions. The last archive of a scene is its head.
    private static func listedColumns(_ key: String) -> String {
        """
        SELECT users.owner, \(key), subject_digest IS NOT NULL, created_at, archives, bytes,
            (SELECT count(*) FROM device WHERE device.app = users.app AND device.owner = users.owner),
            (SELECT max(last_seen_at) FROM device WHERE device.app = users.app AND device.owner = users.owner),
            ($2 IS NULL OR EXISTS (
                SELECT 1 FROM device WHERE device.app = users.app AND device.owner = users.owner AND idiom = $2))
            AND ($3 IS NULL OR EXISTS (
                SELECT 1 FROM scene WHERE scene.app = users.app AND scene.owner = users.owner AND $3 = (
                    SELECT bundle_version FROM archive
                    WHERE archive.app = users.app AND archive.owner = users.owner AND archive.scene = scene.name
                        AND deleted_at IS NULL
                    ORDER BY captured_at DESC, order_revision DESC, sequence DESC, revision DESC LIMIT 1)))
        FROM users WHERE users.app = $1
        """
    }

    private static func listedUser(_ row: inout Row) throws(StoreError) -> ListedUser {
        let user: UserID = try row.id()
        let position = UserPosition(key: try row.key(), user: user)
        let (isSignedIn, createdAt) = (try row.bool(), try row.time())
        let (archives, bytes, devices) = (try row.count(), try row.count(), try row.count())
        let overview = UserOverview(
            user: user, isSignedIn: isSignedIn, createdAt: createdAt.milliseconds == 0 ? nil : createdAt,
            archiveCount: archives, bytes: bytes, deviceCount: devices, lastSeenAt: try row.optionalTime())
        return ListedUser(overview: overview, position: position, matches: try row.bool())
    }

    package func userID(ofSubject digest: Digest, in app: AppID) async throws(StoreError) -> UserID? {
        try await rows("SELECT owner FROM users WHERE app = $1 AND subject_digest = $2", .id(app), .digest(digest))
            .first { row throws(StoreError) in try row.id() }
    }

    package func sealedSubject(of owner: UserKey) async throws(StoreError) -> [UInt8]? {
        try await rows("SELECT subject FROM users WHERE app = $1 AND owner = $2", .id(owner.app), .id(owner.user))
            .first { row throws(StoreError) in try row.optionalBytes() } ?? nil
    }

    package func facts(of owner: UserKey) async throws(StoreError) -> UserFacts? {
        try await rows(
            "SELECT app, owner, subject_digest, created_at FROM users WHERE app = $1 AND owner = $2", .id(owner.app),
            .id(owner.user)
        ).first(Self.facts)
    }

    package func facts(after last: UserKey?, limit: Int) async throws(StoreError) -> [UserFacts] {
        let first = UserKey(app: .least, user: .least)
        return try await page(of: limit, "the user", id: 1, from: last ?? first) { last, limit throws(StoreError) in
            try await rows(
                """
                SELECT app, owner, subject_digest, created_at FROM users
                WHERE (app, owner) > ($1, $2) ORDER BY app, owner LIMIT $3
                """, .id(last.app), .id(last.user), .int(limit))
        } next: { row throws(StoreError) in
            try row.owner()
        } _: { row throws(StoreError) in
            try Self.facts(&row)
        }
    }

    private static func facts(_ row: inout Row) throws(StoreError) -> UserFacts {
        let owner = try row.owner()
        return UserFacts(owner: owner, subjectDigest: try row.optionalDigest(), createdAt: try row.time())
    }

    package func usage(of owner: UserKey) async throws(StoreError) -> Usage {
        try await rows(
            """
            SELECT coalesce((SELECT bytes FROM users WHERE app = $1 AND owner = $2), 0),
                coalesce((SELECT archives FROM users WHERE app = $1 AND owner = $2), 0),
                (SELECT count(*) FROM device WHERE app = $1 AND owner = $2), 0::bigint
            """, .id(owner.app), .id(owner.user)
        ).first { row throws(StoreError) in try row.usage() } ?? Usage()
    }

    package func usage(of app: AppID) async throws(StoreError) -> Usage {
        try await rows(Self.appUsage, .id(app)).first { row throws(StoreError) in try row.usage() } ?? Usage()
    }
}

extension PostgresStore {
    static let appUsage = """
        SELECT coalesce(sum(bytes), 0)::bigint, coalesce(sum(archives), 0)::bigint, coalesce(sum(devices), 0)::bigint,
            coalesce(sum(users), 0)::bigint
        FROM app_usage WHERE app = $1
        """
    static let isSignedIn = """
        EXISTS (SELECT 1 FROM users WHERE users.app = device.app AND users.owner = device.owner
            AND users.subject_digest IS NOT NULL)
        """
}

extension Row {
    /// Reads an app's usage. A wrong count must not block the app's users.
    mutating func usage() throws(StoreError) -> Usage {
        Usage(
            bytes: Int(try clampedNumber(.count)), archives: Int(try clampedNumber(.count)),
            devices: Int(try clampedNumber(.count)), users: Int(try clampedNumber(.count)))
    }
}

extension UserOrder {
    /// The column of `users` that decides the order, before the identifier.
    fileprivate var column: String {
        switch self {
        case .seen: "seen_at"
        case .bytes: "seen_bytes"
        case .id: "0::bigint"
        }
    }
}
