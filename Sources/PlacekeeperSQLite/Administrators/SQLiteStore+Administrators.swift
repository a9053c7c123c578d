package import PlacekeeperCore
package import PlacekeeperService

extension SQLiteStore {
    package func create(
        _ administrator: Administrator, _ password: PasswordHash, isFirst: Bool, recording entry: AuditEntry
    ) async throws(StoreError) -> Bool {
        try await writeKeepingScenes { connection throws(StoreError) in
            if isFirst, try connection.statement(.anyAdministrator).step() { return false }
            if try connection.administrator(.name(administrator.name)) != nil {
                throw StoreError(.exists, "An administrator with this name exists.")
            }
            let insert = try connection.statement(
                .insertAdministrator, administrator.id, administrator.name, administrator.role.rawValue, password.salt,
                password.key, administrator.createdAt)
            try insert.run()
            try connection.insert(entry)
            return true
        }
    }

    package func administrators(after name: String?, limit: Int) async throws(StoreError) -> [Administrator] {
        try readers.read { connection throws(StoreError) in
            let select = try connection.statement(.administrators)
            // Every name sorts after the empty string.
            select.bind(name ?? "", at: 1)
            return try select.rows(atMost: limit, leavingOut: damaged, named: { "the administrator \($0.idText(0))" }) {
                row throws(StoreError) in try row.administrator()
            }
        }
    }

    package func administrator(_ selector: AdministratorSelector) async throws(StoreError) -> StoredAdministrator? {
        try readers.read { connection throws(StoreError) in try connection.administrator(selector)?.stored }
    }

    package func replaceSecondFactor(
        _ old: SecondFactor?, with new: SecondFactor?, of administrator: AdministratorID
    ) async throws(StoreError) -> Bool {
        try await writeKeepingScenes { connection throws(StoreError) in
            guard let found = try connection.administrator(.id(administrator)), found.stored.secondFactor == old
            else { return false }
            try connection.run(.setSecondFactor, found.row, new?.bytes)
            return true
        }
    }

    package func change(
        _ administrator: AdministratorID, role: Role?, password: PasswordHash?, keeping session: Digest?
    ) async throws(StoreError) -> AdministratorChange {
        try await writeKeepingScenes { connection throws(StoreError) in
            guard let found = try connection.administrator(.id(administrator)) else { return .unknown }
            if let role {
                if role != .owner, try connection.isLastOwner(found.stored.administrator) { return .lastOwner }
                try connection.run(.setRole, found.row, role.rawValue)
            }
            if let password {
                try connection.run(.setPassword, found.row, password.salt, password.key)
                try connection.run(.endOtherSessions, found.row, OrNoBytes(session))
            }
            return .done
        }
    }

    package func remove(_ administrator: AdministratorID) async throws(StoreError) -> AdministratorChange {
        try await writeKeepingScenes { connection throws(StoreError) in
            guard let found = try connection.administrator(.id(administrator)) else { return .unknown }
            if try connection.isLastOwner(found.stored.administrator) { return .lastOwner }
            for query in [Query.deleteSessionsOfAdministrator, .deleteTokensOfAdministrator, .deleteAdministrator] {
                try connection.run(query, found.row)
            }
            return .done
        }
    }

    /// Performs a write that doesn't invalidate cached scenes.
    func writeKeepingScenes<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        try await writer.write { transaction throws(StoreError) in
            try body(transaction.connection)
        }
    }
}

extension Connection {
    struct FoundAdministrator {
        var row: Int64
        var stored: StoredAdministrator
    }

    func administrator(_ selector: AdministratorSelector) throws(StoreError) -> FoundAdministrator? {
        let select: Statement
        switch selector {
        case .id(let id):
            select = try statement(.administratorByID)
            select.bind(id, at: 1)
        case .name(let name):
            select = try statement(.administratorByName)
            select.bind(name, at: 1)
        }
        guard try select.step() else { return nil }
        return FoundAdministrator(
            row: try select.key(6),
            stored: StoredAdministrator(
                try select.administrator(), PasswordHash(salt: select.bytes(7), key: select.bytes(8)),
                secondFactor: try select.secondFactor(5)))
    }

    fileprivate func isLastOwner(_ administrator: Administrator) throws(StoreError) -> Bool {
        guard administrator.role == .owner else { return false }
        let select = try statement(.anotherOwner, administrator.id, Role.owner.rawValue)
        return try !select.step()
    }
}

extension Statement {
    /// Reads the columns `Query.administratorColumns`, starting at `first`.
    func administrator(from first: Int32 = 0) throws(StoreError) -> Administrator {
        Administrator(
            id: try id(first), name: text(first + 1), role: try role(first + 2), createdAt: try time(first + 3),
            lastSeenAt: try optionalTime(first + 4), hasSecondFactor: !isNull(first + 5))
    }

    fileprivate func secondFactor(_ column: Int32) throws(StoreError) -> SecondFactor? {
        if isNull(column) { return nil }
        guard let factor = SecondFactor(bytes: bytes(column)) else { throw .corrupt("A second factor is unreadable.") }
        return factor
    }

    func role(_ column: Int32) throws(StoreError) -> Role {
        guard let role = Role(rawValue: text(column)) else { throw .corrupt("A role is unknown.") }
        return role
    }
}

extension Query {
    static let administratorColumns = """
        administrator.uuid, administrator.name, administrator.role, administrator.created_at,
        administrator.last_seen_at, administrator.second_factor
        """
    private static let stored = "SELECT \(administratorColumns), id, password_salt, password_key FROM administrator "
    fileprivate static let administratorByID = Query(stored + "WHERE uuid = ?1")
    fileprivate static let administratorByName = Query(stored + "WHERE name = ?1")
    fileprivate static let administrators = Query(
        "SELECT \(administratorColumns) FROM administrator WHERE name > ?1 ORDER BY name")
    fileprivate static let anyAdministrator = Query("SELECT 1 FROM administrator LIMIT 1")
    fileprivate static let anotherOwner = Query("SELECT 1 FROM administrator WHERE role = ?2 AND uuid <> ?1 LIMIT 1")
    fileprivate static let insertAdministrator = Query(
        """
        INSERT INTO administrator (uuid, name, role, password_salt, password_key, created_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6)
        """)
    fileprivate static let setRole = Query("UPDATE administrator SET role = ?2 WHERE id = ?1")
    fileprivate static let setSecondFactor = Query("UPDATE administrator SET second_factor = ?2 WHERE id = ?1")
    fileprivate static let setPassword = Query(
        "UPDATE administrator SET password_salt = ?2, password_key = ?3 WHERE id = ?1")
    fileprivate static let endOtherSessions = Query(
        "DELETE FROM admin_session WHERE administrator = ?1 AND digest <> ?2")
    fileprivate static let deleteSessionsOfAdministrator = Query("DELETE FROM admin_session WHERE administrator = ?1")
    fileprivate static let deleteTokensOfAdministrator = Query(
        "DELETE FROM api_token WHERE administrator = ?1 AND administrator IS NOT NULL")
    fileprivate static let deleteAdministrator = Query("DELETE FROM administrator WHERE id = ?1")
}
