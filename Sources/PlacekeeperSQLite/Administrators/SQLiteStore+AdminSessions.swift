package import PlacekeeperCore
package import PlacekeeperService

extension SQLiteStore {
    package func start(
        _ session: AdminSession, ifPasswordIs password: PasswordHash
    ) async throws(StoreError) -> Bool {
        try await writeKeepingScenes { connection throws(StoreError) in
            guard let found = try connection.administrator(.id(session.administrator)),
                found.stored.password == password
            else { return false }
            try connection.run(.insertSession, session.id, found.row, session.createdAt, session.lastUsedAt)
            try connection.recordSeen(session.id, at: session.lastUsedAt)
            return true
        }
    }

    package func session(
        _ id: Digest
    ) async throws(StoreError) -> (session: AdminSession, administrator: Administrator)? {
        try readers.read { connection throws(StoreError) in
            let select = try connection.statement(.session, id)
            guard try select.step() else { return nil }
            let administrator = try select.administrator(from: 2)
            let session = AdminSession(
                id: id, administrator: administrator.id, createdAt: try select.time(0), lastUsedAt: try select.time(1))
            return (session, administrator)
        }
    }

    package func sessions(
        of administrator: AdministratorID?, limit: Int
    ) async throws(StoreError) -> [(session: AdminSession, name: String)] {
        try readers.read { connection throws(StoreError) in
            let select = try connection.statement(.sessions, OrNoBytes(administrator), limit)
            var found: [(session: AdminSession, name: String)] = []
            while try select.step() {
                let session = AdminSession(
                    id: try select.digest(0), administrator: try select.id(1), createdAt: try select.time(3),
                    lastUsedAt: try select.time(4))
                found.append((session, select.text(2)))
            }
            return found
        }
    }

    package func endSession(_ id: Digest) async throws(StoreError) {
        try await writeKeepingScenes { connection throws(StoreError) in
            try connection.run(.deleteSession, id)
        }
    }

    package func create(_ token: APIToken, digest: Digest) async throws(StoreError) -> Bool {
        try await writeKeepingScenes { connection throws(StoreError) in
            var creator: Int64?
            if let id = token.creator {
                guard let found = try connection.administrator(.id(id)) else { return false }
                creator = found.row
            }
            try connection.run(
                .insertAPIToken, token.id, digest, token.label, token.role.rawValue, creator, token.createdAt,
                token.expiresAt)
            return true
        }
    }

    package func tokens(after id: APITokenID?, limit: Int) async throws(StoreError) -> [APIToken] {
        try readers.read { connection throws(StoreError) in
            let select = try connection.statement(.apiTokens)
            // Identifiers are random, so the page after id 0 is the first page.
            select.bind(id ?? APITokenID(high: 0, low: 0), at: 1)
            return try select.rows(atMost: limit, leavingOut: damaged, named: { "the API token \($0.idText(0))" }) {
                row throws(StoreError) in try row.apiToken()
            }
        }
    }

    package func apiToken(_ digest: Digest) async throws(StoreError) -> APIToken? {
        try readers.read { connection throws(StoreError) in
            let select = try connection.statement(.apiToken, digest)
            return try select.step() ? try select.apiToken() : nil
        }
    }

    package func removeToken(_ id: APITokenID) async throws(StoreError) -> Bool {
        try await writeKeepingScenes { connection throws(StoreError) in
            try connection.run(.deleteAPIToken, id)
            return connection.changedRows > 0
        }
    }

    package func recordUse(of credential: AdminPrincipal.Credential, at time: Timestamp) async throws(StoreError) {
        try await writeKeepingScenes { connection throws(StoreError) in
            let update: Statement
            switch credential {
            case .session(let session):
                try connection.recordSeen(session.id, at: time)
                update = try connection.statement(.recordUseOfSession)
                update.bind(session.id, at: 1)
            case .token(let id):
                update = try connection.statement(.recordUseOfAPIToken)
                update.bind(id, at: 1)
            }
            update.bind(time, at: 2)
            try update.run()
        }
    }
}

extension Connection {
    /// Stores when the administrator of a session was last seen.
    fileprivate func recordSeen(_ session: Digest, at time: Timestamp) throws(StoreError) {
        try run(.recordSeenAdministrator, session, time)
    }
}

extension Transaction {
    /// Deletes the expired sessions and API tokens.
    func dropExpiredAccess(at time: Timestamp) throws(StoreError) {
        try connection.run(.expiredSessions, time - AdminSession.lifetime, time - AdminSession.idleTime)
        try connection.run(.expiredAPITokens, time)
    }
}

extension Statement {
    /// Reads an API token, with its role limited to its creator's role.
    fileprivate func apiToken() throws(StoreError) -> APIToken {
        let role = try role(2)
        return APIToken(
            id: try id(0), label: text(1), role: isNull(7) ? role : min(role, try self.role(7)),
            creator: try optionalID(6), createdAt: try time(3), expiresAt: try optionalTime(4),
            lastUsedAt: try optionalTime(5))
    }
}

extension Query {
    fileprivate static let insertSession = Query(
        "INSERT INTO admin_session (digest, administrator, created_at, last_used_at) VALUES (?1, ?2, ?3, ?4)")
    fileprivate static let session = Query(
        """
        SELECT admin_session.created_at, admin_session.last_used_at, \(administratorColumns)
        FROM admin_session JOIN administrator ON administrator.id = admin_session.administrator
        WHERE admin_session.digest = ?1
        """)
    fileprivate static let sessions = Query(
        """
        SELECT digest, administrator.uuid, name, admin_session.created_at, last_used_at
        FROM admin_session JOIN administrator ON administrator.id = administrator
        WHERE ?1 = x'' OR administrator.uuid = ?1 ORDER BY last_used_at DESC, digest LIMIT ?2
        """)
    fileprivate static let deleteSession = Query("DELETE FROM admin_session WHERE digest = ?1")
    fileprivate static let expiredSessions = Query(
        "DELETE FROM admin_session WHERE created_at <= ?1 OR last_used_at <= ?2")
    fileprivate static let insertAPIToken = Query(
        """
        INSERT INTO api_token (uuid, digest, label, role, administrator, created_at, expires_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
        """)
    private static let tokens = """
        SELECT api_token.uuid, label, api_token.role, api_token.created_at, expires_at, last_used_at,
            administrator.uuid, administrator.role
        FROM api_token LEFT JOIN administrator ON administrator.id = api_token.administrator

        """
    fileprivate static let apiTokens = Query(tokens + "WHERE api_token.uuid > ?1 ORDER BY api_token.uuid")
    fileprivate static let apiToken = Query(tokens + "WHERE digest = ?1")
    fileprivate static let deleteAPIToken = Query("DELETE FROM api_token WHERE uuid = ?1")
    fileprivate static let expiredAPITokens = Query(
        "DELETE FROM api_token WHERE expires_at IS NOT NULL AND expires_at <= ?1")
    fileprivate static let recordUseOfSession = Query(
        "UPDATE admin_session SET last_used_at = max(last_used_at, ?2) WHERE digest = ?1")
    fileprivate static let recordUseOfAPIToken = Query(
        "UPDATE api_token SET last_used_at = max(coalesce(last_used_at, ?2), ?2) WHERE uuid = ?1")
    fileprivate static let recordSeenAdministrator = Query(
        """
        UPDATE administrator SET last_seen_at = max(coalesce(last_seen_at, ?2), ?2)
        WHERE id = (SELECT administrator FROM admin_session WHERE digest = ?1)
        """)
}
