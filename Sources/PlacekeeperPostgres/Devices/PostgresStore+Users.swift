package import PlacekeeperCore
package import PlacekeeperService

extension PostgresStore {
    package func users(of app: AppID, after last: UserID?, limit: Int) async throws(StoreError) -> [UserOverview] {
        try await page(of: limit, "the user", from: last ?? .least) { last, limit throws(StoreError) in
            try await rows(
                """
                SELECT users.owner, subject_digest IS NOT NULL, created_at, archives, bytes,
                    (SELECT count(*) FROM device WHERE device.app = users.app AND device.owner = users.owner),
                    (SELECT max(last_seen_at) FROM device WHERE device.app = users.app AND device.owner = users.owner)
                FROM users WHERE users.app = $1 AND users.owner > $2 ORDER BY users.owner LIMIT $3
                """, .id(app), .id(last), .int(limit))
        } next: { row throws(StoreError) in
            try row.id()
        } _: { row throws(StoreError) in
            let (user, isSignedIn, createdAt): (UserID, Bool, Timestamp) = (
                try row.id(), try row.bool(), try row.time()
            )
            let (archives, bytes, devices) = (try row.count(), try row.count(), try row.count())
            return UserOverview(
                user: user, isSignedIn: isSignedIn, createdAt: createdAt.milliseconds == 0 ? nil : createdAt,
                archiveCount: archives, bytes: bytes, deviceCount: devices, lastSeenAt: try row.optionalTime())
        }
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
        try await rows(
            """
            SELECT app, owner, subject_digest, created_at FROM users
            WHERE (app, owner) > ($1, $2) ORDER BY app, owner LIMIT $3
            """, .id(last?.app ?? .least), .id(last?.user ?? .least), .int(limit)
        ).map(leavingOut: damaged, "the user", id: 1, Self.facts)
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
