package import PlacekeeperCore
package import PlacekeeperService

extension PostgresStore {
    package func start(
        _ session: AdminSession, ifPasswordIs password: PasswordHash
    ) async throws(StoreError) -> Bool {
        // If the password has changed in the meantime, neither statement finds a row. A password change ends all
        // sessions. It either waits for this transaction or comes before it, because both write the same row.
        let results = try await write([
            Statement(
                """
                UPDATE administrator SET last_seen_at = greatest(last_seen_at, $4)
                WHERE uuid = $1 AND salt = $2 AND key = $3 RETURNING uuid
                """, .id(session.administrator), .bytes(password.salt), .bytes(password.key), .time(session.lastUsedAt)),
            Statement(
                """
                INSERT INTO admin_session (digest, administrator, created_at, last_used_at)
                SELECT $4, $1, $5, $6 FROM administrator WHERE uuid = $1 AND salt = $2 AND key = $3
                """, .id(session.administrator), .bytes(password.salt), .bytes(password.key), .digest(session.id),
                .time(session.createdAt), .time(session.lastUsedAt)),
        ])
        return results.first.map { $0.count > 0 } ?? false
    }

    package func session(
        _ id: Digest
    ) async throws(StoreError) -> (session: AdminSession, administrator: Administrator)? {
        try await rows(
            """
            SELECT admin_session.created_at, last_used_at, uuid, name, role, administrator.created_at, last_seen_at,
                second_factor
            FROM admin_session JOIN administrator ON administrator.uuid = admin_session.administrator
            WHERE admin_session.digest = $1
            """, .digest(id)
        ).first { row throws(StoreError) in
            let (createdAt, lastUsedAt) = (try row.time(), try row.time())
            let administrator = try Self.administrator(&row)
            let session = AdminSession(
                id: id, administrator: administrator.id, createdAt: createdAt, lastUsedAt: lastUsedAt)
            return (session, administrator)
        }
    }

    package func sessions(
        of administrator: AdministratorID?, limit: Int
    ) async throws(StoreError) -> [(session: AdminSession, name: String)] {
        try await rows(
            """
            SELECT digest, uuid, name, admin_session.created_at, last_used_at
            FROM admin_session JOIN administrator ON administrator.uuid = admin_session.administrator
            WHERE $1 IS NULL OR uuid = $1 ORDER BY last_used_at DESC, digest LIMIT $2
            """, .id(administrator), .int(limit)
        ).map { row throws(StoreError) in
            let (digest, id): (Digest, AdministratorID) = (try row.digest(), try row.id())
            let name = try row.text()
            let session = AdminSession(
                id: digest, administrator: id, createdAt: try row.time(), lastUsedAt: try row.time())
            return (session, name)
        }
    }

    package func endSession(_ id: Digest) async throws(StoreError) {
        try await write([Statement("DELETE FROM admin_session WHERE digest = $1", .digest(id))])
    }

    package func create(_ token: APIToken, digest: Digest) async throws(StoreError) -> Bool {
        let creator = token.creator
        return try await changeAdministrators { known throws(StoreError) in
            if let creator, !known.contains(where: { $0.id == creator }) { return (false, []) }
            return (
                true,
                [
                    Statement(
                        """
                        INSERT INTO api_token (uuid, digest, label, role, creator, created_at, expires_at, last_used_at)
                        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
                        """, .id(token.id), .digest(digest), .anyText(token.label), .text(token.role.rawValue),
                        .id(creator), .time(token.createdAt), .time(token.expiresAt), .time(token.lastUsedAt))
                ]
            )
        }
    }

    private static let tokenColumns = """
        SELECT api_token.uuid, label, api_token.role, creator, api_token.created_at, expires_at, last_used_at,
            administrator.role
        FROM api_token LEFT JOIN administrator ON administrator.uuid = api_token.creator
        """

    package func tokens(after id: APITokenID?, limit: Int) async throws(StoreError) -> [APIToken] {
        try await page(of: limit, "the API token", from: id ?? .least) { id, limit throws(StoreError) in
            try await rows(
                "\(Self.tokenColumns) WHERE api_token.uuid > $1 ORDER BY api_token.uuid LIMIT $2", .id(id), .int(limit))
        } next: { row throws(StoreError) in
            try row.id()
        } _: { row throws(StoreError) in
            try Self.token(&row)
        }
    }

    package func apiToken(_ digest: Digest) async throws(StoreError) -> APIToken? {
        try await rows("\(Self.tokenColumns) WHERE api_token.digest = $1", .digest(digest)).first(Self.token)
    }

    private static func token(_ row: inout Row) throws(StoreError) -> APIToken {
        let (id, label): (APITokenID, String) = (try row.id(), try row.text())
        let role: Role = try row.word()
        var token = APIToken(
            id: id, label: label, role: role, creator: try row.optionalID(), createdAt: try row.time(),
            expiresAt: try row.optionalTime(), lastUsedAt: try row.optionalTime())
        if let text = try row.optionalText() {
            guard let limit = Role(rawValue: text) else { throw .corrupt("An administrator has an unknown role.") }
            token.role = min(token.role, limit)
        }
        return token
    }

    package func removeToken(_ id: APITokenID) async throws(StoreError) -> Bool {
        let results = try await write([Statement("DELETE FROM api_token WHERE uuid = $1 RETURNING uuid", .id(id))])
        return results.first.map { $0.count > 0 } ?? false
    }

    package func recordUse(of credential: AdminPrincipal.Credential, at time: Timestamp) async throws(StoreError) {
        switch credential {
        case .session(let session):
            try await write([
                Statement(
                    "UPDATE admin_session SET last_used_at = greatest(last_used_at, $2) WHERE digest = $1",
                    .digest(session.id), .time(time)),
                Statement(
                    """
                    UPDATE administrator SET last_seen_at = greatest(last_seen_at, $2)
                    WHERE uuid = (SELECT administrator FROM admin_session WHERE digest = $1)
                    """, .digest(session.id), .time(time)),
            ])
        case .token(let id):
            try await write([
                Statement(
                    "UPDATE api_token SET last_used_at = greatest(last_used_at, $2) WHERE uuid = $1", .id(id),
                    .time(time))
            ])
        }
    }
}
