package import PlacekeeperCore
package import PlacekeeperService

extension PostgresStore {
    package func credential(of token: Digest) async throws(StoreError) -> Fresh<Credential>? {
        let mark = pool.primary.mark
        return try await rows(
            """
            SELECT \(Row.deviceColumns), users.subject_digest IS NOT NULL, token.access, token.expires_at,
                users.fresh_version, \(Self.accessVersion)
            FROM token JOIN device ON device.app = token.app AND device.owner = token.owner AND device.uuid = token.device
            JOIN users ON users.app = token.app AND users.owner = token.owner CROSS JOIN store
            LEFT JOIN app ON app.uuid = token.app
            WHERE token.digest = $1
            """, .digest(token)
        ).first { row throws(StoreError) in
            let device = try row.device()
            let credential = Credential(device: device, access: try row.access(), expiresAt: try row.optionalTime())
            return Fresh(
                credential, UserVersion(version: try row.key() &+ mark, access: try row.key() &+ mark))
        }
    }

    private static let accessVersion =
        "store.access_base + coalesce(app.version, 0) + coalesce(users.access_version, 0)"

    package func userVersion(of owner: UserKey) async throws(StoreError) -> UserVersion {
        try await probes.userVersion(of: owner)
    }

    package var isShared: Bool { true }

    package func askUserVersion(
        of owner: UserKey, _ receive: @escaping @Sendable (Result<UserVersion, StoreError>) -> Void
    ) {
        probes.ask(for: owner, receive)
    }

    /// The versions of users, in the order of the users. The lateral query with a limit makes this one lookup in the
    /// primary key for each user; with a plain join, the database might scan all users.
    static let userVersionRows = """
        SELECT coalesce(users.fresh_version, store.version_base), \(accessVersion)
        FROM store CROSS JOIN unnest($1, $2) WITH ORDINALITY AS asked (app, owner, place)
        LEFT JOIN LATERAL (
            SELECT fresh_version, access_version FROM users
            WHERE users.app = asked.app AND users.owner = asked.owner LIMIT 1) AS users ON true
        LEFT JOIN app ON app.uuid = asked.app ORDER BY place
        """

    /// Always `nil`, because other processes also write to the database.
    package func knownUserVersion(of owner: UserKey) -> UserVersion? { nil }

    package func devices(of owner: UserKey) async throws(StoreError) -> [Device] {
        try await rows(
            """
            SELECT \(Row.deviceColumns), \(Self.isSignedIn) FROM device WHERE app = $1 AND owner = $2
            ORDER BY created_at, uuid
            """, .id(owner.app), .id(owner.user)
        ).map { row throws(StoreError) in try row.device() }
    }

    package func device(_ id: DeviceID, in app: AppID) async throws(StoreError) -> Device? {
        try await rows(
            "SELECT \(Row.deviceColumns), \(Self.isSignedIn) FROM device WHERE uuid = $1 AND app = $2", .id(id),
            .id(app)
        ).first { row throws(StoreError) in try row.device() }
    }

    package func recordSeen(_ times: [UserKey: [DeviceID: Timestamp]]) async throws(StoreError) {
        // Few users at a time and always in the same order, so other writes wait only briefly and never deadlock.
        let owners = times.keys.sorted { ($0.app, $0.user) < ($1.app, $1.user) }
        for start in stride(from: 0, to: owners.count, by: 64) {
            var statements: [Statement] = []
            for owner in owners[start..<min(start + 64, owners.count)] {
                let seen = times[owner, default: [:]]
                let values = owner.values + [.ids(Array(seen.keys)), .ints(seen.values.map(\.milliseconds))]
                statements.append(Statement(Self.recordTime, values))
                statements.append(Statement(Self.recordUse, values))
            }
            try await write(statements)
        }
    }

    private static let recordTime = """
        UPDATE users SET version = version + 1, seen_bytes = bytes, (latest_time, seen_at) = (
            SELECT greatest(latest_time, max(seen.at)), greatest(seen_at, max(seen.at))
            FROM unnest($3, $4) AS seen (device, at) JOIN device ON device.uuid = seen.device
            WHERE device.app = $1 AND device.owner = $2)
        WHERE app = $1 AND owner = $2
        """
    private static let recordUse = """
        UPDATE device SET last_seen_at = greatest(last_seen_at, seen.at)
        FROM unnest($3, $4) AS seen (device, at)
        WHERE device.app = $1 AND device.owner = $2 AND device.uuid = seen.device
        """

    package func latestTime(of owner: UserKey) async throws(StoreError) -> Timestamp? {
        try await rows("SELECT latest_time FROM users WHERE app = $1 AND owner = $2", .id(owner.app), .id(owner.user))
            .first { row throws(StoreError) in try row.optionalTime() } ?? nil
    }

    /// Skips damaged times.
    package func latestTime() async throws(StoreError) -> Timestamp? {
        let range = StoredNumber.time.range
        return try await rows(
            "SELECT max(latest_time) FROM users WHERE latest_time BETWEEN $1 AND $2", .int(range.lowerBound),
            .int(range.upperBound)
        ).first { row throws(StoreError) in try row.optionalTime() } ?? nil
    }
}
