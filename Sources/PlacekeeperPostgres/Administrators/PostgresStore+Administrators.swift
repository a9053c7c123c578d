package import PlacekeeperCore
package import PlacekeeperService

extension PostgresStore {
    private static let columns = "uuid, name, role, created_at, last_seen_at, second_factor, salt, key"
    /// Requires that no administrator has changed since the given number was read.
    private static let requireVersion = """
        UPDATE store SET administration = administration + 1 WHERE administration = $1 RETURNING administration
        """

    package func create(
        _ administrator: Administrator, _ password: PasswordHash, isFirst: Bool, recording entry: AuditEntry
    ) async throws(StoreError) -> Bool {
        let result = try await changeAdministrators { known throws(StoreError) in
            if isFirst, !known.isEmpty { return (false, []) }
            guard !known.contains(where: { $0.name.utf8.elementsEqual(administrator.name.utf8) }) else {
                throw StoreError(.exists, "An administrator with this name exists.")
            }
            return (
                true,
                [
                    Statement(
                        """
                        INSERT INTO administrator (uuid, name, role, created_at, last_seen_at, salt, key)
                        VALUES ($1, $2, $3, $4, $5, $6, $7)
                        """, .id(administrator.id), .anyText(administrator.name), .text(administrator.role.rawValue),
                        .time(administrator.createdAt), .time(administrator.lastSeenAt), .bytes(password.salt),
                        .bytes(password.key)), .inserting(entry),
                ]
            )
        }
        return result
    }

    package func administrators(after name: String?, limit: Int) async throws(StoreError) -> [Administrator] {
        try await rows(
            "SELECT \(Self.columns) FROM administrator WHERE name > $1 ORDER BY name LIMIT $2", .anyText(name ?? ""),
            .int(limit)
        ).map(Self.administrator)
    }

    package func administrator(_ selector: AdministratorSelector) async throws(StoreError) -> StoredAdministrator? {
        let found =
            switch selector {
            case .id(let id): try await rows("SELECT \(Self.columns) FROM administrator WHERE uuid = $1", .id(id))
            case .name(let name):
                try await rows("SELECT \(Self.columns) FROM administrator WHERE name = $1", .anyText(name))
            }
        return try found.first { row throws(StoreError) in
            var secondFactor: SecondFactor?
            let administrator = try Self.administrator(&row, &secondFactor)
            let password = PasswordHash(salt: try row.bytes(), key: try row.bytes())
            return StoredAdministrator(administrator, password, secondFactor: secondFactor)
        }
    }

    static func administrator(_ row: inout Row) throws(StoreError) -> Administrator {
        var secondFactor: SecondFactor?
        return try administrator(&row, &secondFactor)
    }

    private static func administrator(
        _ row: inout Row, _ secondFactor: inout SecondFactor?
    ) throws(StoreError) -> Administrator {
        let (id, name): (AdministratorID, String) = (try row.id(), try row.text())
        let role: Role = try row.word()
        let (createdAt, lastSeenAt) = (try row.time(), try row.optionalTime())
        if let bytes = try row.optionalBytes() {
            secondFactor = SecondFactor(bytes: bytes)
            if secondFactor == nil { throw .corrupt("A second factor is unreadable.") }
        }
        return Administrator(
            id: id, name: name, role: role, createdAt: createdAt, lastSeenAt: lastSeenAt,
            hasSecondFactor: secondFactor != nil)
    }

    package func replaceSecondFactor(
        _ old: SecondFactor?, with new: SecondFactor?, of administrator: AdministratorID
    ) async throws(StoreError) -> Bool {
        let results = try await write([
            Statement(
                """
                UPDATE administrator SET second_factor = $2
                WHERE uuid = $1 AND second_factor IS NOT DISTINCT FROM $3 RETURNING uuid
                """, .id(administrator), .bytes(new?.bytes), .bytes(old?.bytes))
        ])
        return results.first.map { $0.count > 0 } ?? false
    }

    package func change(
        _ administrator: AdministratorID, role: Role?, password: PasswordHash?, keeping session: Digest?
    ) async throws(StoreError) -> AdministratorChange {
        try await changeAdministrators { known throws(StoreError) in
            guard known.contains(where: { $0.id == administrator }) else { return (.unknown, []) }
            var statements: [Statement] = []
            if let role {
                if role != .owner, known.isLastOwner(administrator) { return (.lastOwner, []) }
                statements.append(
                    Statement(
                        "UPDATE administrator SET role = $2 WHERE uuid = $1", .id(administrator), .text(role.rawValue)))
            }
            if let password {
                statements.append(
                    Statement(
                        "UPDATE administrator SET salt = $2, key = $3 WHERE uuid = $1", .id(administrator),
                        .bytes(password.salt), .bytes(password.key)))
                statements.append(
                    Statement(
                        "DELETE FROM admin_session WHERE administrator = $1 AND ($2 IS NULL OR digest <> $2)",
                        .id(administrator), .digest(session)))
            }
            return (.done, statements)
        }
    }

    package func remove(_ administrator: AdministratorID) async throws(StoreError) -> AdministratorChange {
        try await changeAdministrators { known throws(StoreError) in
            guard known.contains(where: { $0.id == administrator }) else { return (.unknown, []) }
            if known.isLastOwner(administrator) { return (.lastOwner, []) }
            return (
                .done,
                [
                    Statement("DELETE FROM administrator WHERE uuid = $1", .id(administrator)),
                    Statement("DELETE FROM admin_session WHERE administrator = $1", .id(administrator)),
                    Statement("DELETE FROM api_token WHERE creator = $1", .id(administrator)),
                ]
            )
        }
    }

    /// Reads all administrators, and writes the statements that the closure returns, unless another change came first.
    func changeAdministrators<Value: Sendable>(
        _ decide: ([Administrator]) throws(StoreError) -> (Value, [Statement])
    ) async throws(StoreError) -> Value {
        try await retrying { attempt throws(Failure) in
            let version: Int64
            let decided: (Value, [Statement])
            let results = try await pool.read([
                Statement("SELECT administration FROM store"), Statement("SELECT \(Self.columns) FROM administrator"),
            ])
            do throws(StoreError) {
                version = try results[0].first { row throws(StoreError) in try row.key() } ?? 0
                decided = try decide(try results[1].map(Self.administrator))
            } catch {
                throw .store(error)
            }
            if !decided.1.isEmpty {
                try await commit(
                    [Statement(Self.requireVersion, .int(version)).requiring(1)] + decided.1, until: attempt.end)
            }
            return decided.0
        }
    }
}

extension [Administrator] {
    fileprivate func isLastOwner(_ id: AdministratorID) -> Bool {
        let owners = filter { $0.role == .owner }
        return owners.count == 1 && owners[0].id == id
    }
}
