import PlacekeeperConcurrency
import PlacekeeperCore
import PlacekeeperMatching

/// A new administrator session and the secret for its cookie.
package struct StartedSession: Sendable {
    package var secret: String
    package var principal: AdminPrincipal
}

/// The client that sends a name and password.
package struct LogInSource: Sendable, Hashable {
    /// The client's network.
    package var network: String
    /// Whether the network is exempt from the limit on attempts. Attempts per name are always limited.
    package var isExempt: Bool

    package init(network: String, isExempt: Bool) {
        self.network = network
        self.isExempt = isExempt
    }
}

extension Administration {
    /// Starts a session. Every attempt counts toward the limits of the client's network and of the name. Each attempt
    /// takes as long as hashing a password, even if the name doesn't exist.
    ///
    /// - Parameter code: a code of the second factor, if the administrator has one.
    package func logIn(
        name: String, password: String, code: String? = nil, from source: LogInSource
    ) async throws(ServiceError) -> StartedSession {
        // No administrator's name or password is longer, in any Unicode form, so don't process longer input.
        let name = name.utf8.count <= Limits.administratorName ? name : ""
        let password = password.utf8.count <= 4 * Limits.password.upperBound ? password : ""
        try consumeLogIn(name, from: source)
        let found = try await service.ask { store async throws(StoreError) in try await store.administrator(.name(name))
        }
        let isRight = try await isRight(password, found?.password, source.network)
        guard let found, isRight else {
            noteFailure(of: found?.administrator.name)
            throw ServiceError(.logInRefused, "The name or the password is wrong.")
        }
        try await useSecondFactor(of: found, code: code)
        try await service.auditLog.record(.loggedIn, by: .administrator(found.administrator.name), in: nil)
        let session = try await startSession(of: found.administrator, with: found.password)
        service.logIns.add(.succeeded)
        return session
    }

    /// Ends the session that makes this request.
    package func logOut(_ principal: AdminPrincipal) async throws(ServiceError) {
        let session = try session(of: principal)
        try await service.auditLog.record(.loggedOut, by: principal.auditor, in: nil)
        try await service.ask { store async throws(StoreError) in try await store.endSession(session.id) }
    }

    /// Ends the session with this secret, if it exists. Used when a log-in replaces a browser's session.
    package func endSession(_ secret: ArraySlice<UInt8>) async throws(ServiceError) {
        guard Token.couldBeSession(secret) else { return }
        let id = secret.withUnsafeBytes { hashing.sha256($0) }
        try await service.ask { store async throws(StoreError) in try await store.endSession(id) }
    }

    /// Changes the administrator's own password, which requires the current one. The administrator's other sessions
    /// end.
    package func changePassword(
        of principal: AdminPrincipal, from password: String, to new: String, source: LogInSource
    ) async throws(ServiceError) {
        let session = try session(of: principal)
        try Validation.password(new, member: "newPassword")
        _ = try await proved(principal, password, source)
        let hash = try await hash(new, source.network)
        try await service.auditLog.record(.passwordChanged, by: principal.auditor, in: nil)
        let change = try await service.ask { store async throws(StoreError) in
            try await store.change(session.administrator, role: nil, password: hash, keeping: session.id)
        }
        try check(change)
    }

    /// Returns the administrator of a session, whose password the request must have.
    func proved(
        _ principal: AdminPrincipal, _ password: String, _ source: LogInSource
    ) async throws(ServiceError) -> StoredAdministrator {
        let session = try session(of: principal)
        try consumeLogIn(principal.name, from: source)
        let found = try await service.ask { store async throws(StoreError) in
            try await store.administrator(.id(session.administrator))
        }
        guard let found, try await isRight(password, found.password, source.network) else {
            noteFailure(of: principal.name)
            throw Validation.invalid("password", "The password is wrong.")
        }
        return found
    }

    /// Returns the sessions in which an administrator could send a request: their own ones, or those of all
    /// administrators for an owner.
    package func sessions(
        for principal: AdminPrincipal
    ) async throws(ServiceError) -> [(session: AdminSession, name: String)] {
        let own = try session(of: principal).administrator
        let of = principal.role == .owner ? nil : own
        let found = try await service.ask { store async throws(StoreError) in
            try await store.sessions(of: of, limit: Limits.page)
        }
        let now = clock.now()
        return found.filter { $0.session.isValid(at: now) }
    }

    /// Ends a session that `sessions(for:)` returns.
    ///
    /// - Parameter id: the session's identifier in answers.
    package func endSession(_ id: AdminSessionID, by principal: AdminPrincipal) async throws(ServiceError) {
        guard let found = try await sessions(for: principal).first(where: { $0.session.publicID == id }) else {
            throw ServiceError(.sessionNotFound, "There is no such session.")
        }
        try await service.auditLog.record(.sessionEnded, by: principal.auditor, in: nil, detail: found.name)
        try await service.ask { store async throws(StoreError) in try await store.endSession(found.session.id) }
    }

    /// Starts a session, unless the password was changed while the given password was being hashed.
    func startSession(
        of administrator: Administrator, with hash: PasswordHash
    ) async throws(ServiceError) -> StartedSession {
        let secret = Token.session(from: random)
        let now = clock.now()
        let session = AdminSession(
            id: service.devices.digest(of: secret), administrator: administrator.id, createdAt: now, lastUsedAt: now)
        let isStarted = try await service.ask { store async throws(StoreError) in
            try await store.start(session, ifPasswordIs: hash)
        }
        guard isStarted else {
            throw ServiceError(.logInRefused, "The name or the password is wrong.")
        }
        let principal = AdminPrincipal(
            id: administrator.id, name: administrator.name, role: administrator.role, credential: .session(session),
            hasSecondFactor: administrator.hasSecondFactor)
        return StartedSession(secret: secret, principal: principal)
    }

    func session(of principal: AdminPrincipal) throws(ServiceError) -> AdminSession {
        guard case .session(let session) = principal.credential else {
            throw ServiceError(.notLoggedIn, "An API token has no session and no password.")
        }
        return session
    }

    func consumeLogIn(_ name: String, from source: LogInSource) throws(ServiceError) {
        if !source.isExempt { try consumeLogIn("log-ins", source.network, service.logInsOfNetworks) }
        try consumeLogIn("log-ins-of-name", name, service.logInsOfNames)
    }

    private func consumeLogIn(_ quota: String, _ key: String, _ throttle: Throttle) throws(ServiceError) {
        let verdict = throttle.attempt(key, at: clock.uptime())
        guard !verdict.isAllowed else { return }
        noteFailure(of: nil, isOverLimit: true)
        throw ServiceError(
            exceeding: Quota.Excess(quota, verdict.quota, wait: verdict.wait),
            "Too many attempts to log in. Try again later.")
    }

    func noteFailure(of name: String?, isOverLimit: Bool = false) {
        let now = clock.now()
        service.logIns.add(isOverLimit ? .throttled : .refused)
        service.failedLogIns.withLock { $0.count(name, isOverLimit: isOverLimit, at: now) }
    }

    // Passwords

    /// Hashes a new password with a random salt.
    func hash(_ password: String, _ network: String) async throws(ServiceError) -> PasswordHash {
        let salt = random.bytes(16)
        return PasswordHash(salt: salt, key: try await key(of: password, salt: salt, network))
    }

    /// Returns whether a password is correct. If there is no stored password, still hashes the given one, and returns
    /// false.
    private func isRight(
        _ password: String, _ stored: PasswordHash?, _ network: String
    ) async throws(ServiceError) -> Bool {
        let salt = stored?.salt ?? [UInt8](repeating: 0, count: 16)
        let key = Digest(bytes: try await key(of: password, salt: salt, network))
        // Comparing digests takes constant time.
        return stored.flatMap { Digest(bytes: $0.key) }.map { $0 == key } ?? false
    }

    private func key(of password: String, salt: [UInt8], _ network: String) async throws(ServiceError) -> [UInt8] {
        // Users may type the same password in different Unicode forms.
        let bytes = password.withNormalizedUTF8 { Array($0) }
        let result: Result<[UInt8]?, Never>
        do {
            result = try await service.passwordQueue.run(for: network) { service.passwords.key(of: bytes, salt: salt) }
        } catch {
            throw ServiceError(
                .overloaded, "Too many passwords are being checked. Try again shortly.", retryAfter: .seconds(1))
        }
        guard case .success(let key?) = result else {
            throw ServiceError(
                .overloaded, "There is not enough memory to check a password. Try again shortly.",
                retryAfter: .seconds(5))
        }
        return key
    }
}
