import PlacekeeperCore

// Manages administrators and API tokens. Each change is recorded in the audit log of the whole service.
extension Administration {
    package func administrators(after name: String?, limit: Int) async throws(ServiceError) -> [Administrator] {
        try await service.ask { store async throws(StoreError) in
            try await store.administrators(after: name, limit: limit)
        }
    }

    package func administrator(_ selector: AdministratorSelector) async throws(ServiceError) -> Administrator {
        try await stored(selector).administrator
    }

    func stored(_ selector: AdministratorSelector) async throws(ServiceError) -> StoredAdministrator {
        let found = try await service.ask { store async throws(StoreError) in try await store.administrator(selector) }
        guard let found else { throw administratorNotFound }
        return found
    }

    /// Adds an administrator.
    ///
    /// - Parameter source: the client's network, or another name for the source. In the password queue, sources take
    ///   turns.
    package func createAdministrator(
        _ name: String, _ role: Role, password: String, by actor: Auditor, source: String
    ) async throws(ServiceError) -> Administrator {
        try Validation.administratorName(name)
        try Validation.password(password)
        let administrator = newAdministrator(name, role)
        try await add(administrator, try await hash(password, source), by: actor)
        return administrator
    }

    func add(_ administrator: Administrator, _ hash: PasswordHash, by actor: Auditor) async throws(ServiceError) {
        let entry = creationEntry(of: administrator, by: actor)
        do {
            _ = try await store.create(administrator, hash, isFirst: false, recording: entry)
        } catch  where error.code == .exists {
            throw ServiceError(.administratorExists, "An administrator already has this name.")
        } catch {
            throw ServiceError(error)
        }
    }

    /// Changes the role, the password or both. A new password ends the administrator's sessions, except the one that
    /// makes this request.
    package func changeAdministrator(
        _ id: AdministratorID, role: Role? = nil, password: String? = nil, by actor: Auditor,
        keeping principal: AdminPrincipal? = nil, source: String
    ) async throws(ServiceError) -> Administrator {
        let administrator = try await administrator(.id(id))
        var hash: PasswordHash?
        if let password {
            try Validation.password(password)
            hash = try await self.hash(password, source)
        }
        var words = [administrator.name]
        if let role { words.append(role.rawValue) }
        if hash != nil { words.append("password") }
        if words.count > 1 {
            try await service.auditLog.record(
                .administratorChanged, by: actor, in: nil, detail: words.joined(separator: " "))
        }
        var kept: Digest?
        if case .session(let session) = principal?.credential { kept = session.id }
        let change = try await service.ask { [hash, kept] store async throws(StoreError) in
            try await store.change(id, role: role, password: hash, keeping: kept)
        }
        try check(change)
        return try await self.administrator(.id(id))
    }

    /// Removes an administrator and immediately revokes the administrator's sessions and API tokens.
    package func removeAdministrator(_ id: AdministratorID, by actor: Auditor) async throws(ServiceError) {
        let administrator = try await administrator(.id(id))
        try await service.auditLog.record(.administratorRemoved, by: actor, in: nil, detail: administrator.name)
        try check(try await service.ask { store async throws(StoreError) in try await store.remove(id) })
    }

    // API tokens

    package func tokens(after id: APITokenID?, limit: Int) async throws(ServiceError) -> [APIToken] {
        try await service.ask { store async throws(StoreError) in try await store.tokens(after: id, limit: limit) }
    }

    /// Adds an API token. Returns it with its text, which can't be retrieved again.
    ///
    /// - Parameters:
    ///   - days: the number of days until the token expires. Nil if it doesn't expire.
    ///   - creator: the administrator who creates the token. Nil if a command creates it.
    package func createToken(
        _ label: String, _ role: Role, days: Int?, creator: AdministratorID?, by actor: Auditor
    ) async throws(ServiceError) -> (token: APIToken, text: String) {
        try Validation.tokenLabel(label)
        let now = clock.now()
        let text = Token.api(from: random)
        let token = APIToken(
            id: APITokenID.random(random), label: label, role: role, creator: creator, createdAt: now,
            expiresAt: days.map { now + .seconds($0 * 86_400) })
        try await service.auditLog.record(
            .tokenCreated, by: actor, in: nil, detail: "\(label) \(role.rawValue) \(token.id)")
        let digest = service.devices.digest(of: text)
        guard try await service.ask({ store async throws(StoreError) in try await store.create(token, digest: digest) })
        else { throw administratorNotFound }
        return (token, text)
    }

    package func revokeToken(_ id: APITokenID, by actor: Auditor) async throws(ServiceError) {
        try await service.auditLog.record(.tokenRevoked, by: actor, in: nil, detail: id.description)
        guard try await service.ask({ store async throws(StoreError) in try await store.removeToken(id) }) else {
            throw ServiceError(.tokenNotFound, "There is no such API token.")
        }
    }

    func newAdministrator(_ name: String, _ role: Role) -> Administrator {
        Administrator(id: AdministratorID.random(random), name: name, role: role, createdAt: clock.now())
    }

    func creationEntry(of administrator: Administrator, by actor: Auditor) -> AuditEntry {
        AuditEntry(
            app: nil, at: clock.now(), actor: actor, action: .administratorCreated, subject: nil,
            detail: administrator.name + " " + administrator.role.rawValue)
    }

    func check(_ change: AdministratorChange) throws(ServiceError) {
        switch change {
        case .done: break
        case .unknown: throw administratorNotFound
        case .lastOwner:
            throw ServiceError(.lastOwner, "This is the last owner. Make another administrator an owner first.")
        }
    }

    private var administratorNotFound: ServiceError {
        ServiceError(.administratorNotFound, "There is no such administrator.")
    }
}
