import PlacekeeperCore

extension Administration {
    /// Returns whether a text is formatted like a credential of the admin API. Other texts need no lookup.
    package static func couldAdminister(session: ArraySlice<UInt8>) -> Bool { Token.couldBeSession(session) }
    package static func couldAdminister(token: ArraySlice<UInt8>) -> Bool { Token.couldBeAPIToken(token) }

    /// Returns the principal of a session's secret, or nil if the session is unknown, ended or expired.
    ///
    /// - Parameter isUse: whether the request counts as use of the session and so extends it.
    package func adminPrincipal(
        session secret: ArraySlice<UInt8>, isUse: Bool = true
    ) async throws(ServiceError) -> AdminPrincipal? {
        guard Token.couldBeSession(secret) else { return nil }
        let id = secret.withUnsafeBytes { hashing.sha256($0) }
        let found = try await service.ask { store async throws(StoreError) in try await store.session(id) }
        guard let (found, administrator) = found else { return nil }
        var session = found
        let now = clock.now()
        guard session.isValid(at: now) else { return nil }
        if isUse, session.lastUsedAt + AdminSession.precision <= now {
            await recordUse(of: .session(session), at: now)
            session.lastUsedAt = now
        }
        return AdminPrincipal(
            id: administrator.id, name: administrator.name, role: administrator.role, credential: .session(session),
            hasSecondFactor: administrator.hasSecondFactor)
    }

    /// Returns the principal of an API token, or nil if the token is unknown, expired or revoked.
    package func adminPrincipal(
        token: ArraySlice<UInt8>, isUse: Bool = true
    ) async throws(ServiceError) -> AdminPrincipal? {
        guard Token.couldBeAPIToken(token) else { return nil }
        let digest = token.withUnsafeBytes { hashing.sha256($0) }
        let now = clock.now()
        let found = try await service.ask { store async throws(StoreError) in try await store.apiToken(digest) }
        guard let token = found, token.expiresAt.map({ now < $0 }) ?? true else { return nil }
        if isUse, token.lastUsedAt.map({ $0 + AdminSession.precision <= now }) ?? true {
            await recordUse(of: .token(token.id), at: now)
        }
        return AdminPrincipal(id: token.creator, name: token.label, role: token.role, credential: .token(token.id))
    }

    /// Stores the time of last use. If the write fails, the request continues, because reads must work even when the
    /// disk is full.
    private func recordUse(of credential: AdminPrincipal.Credential, at now: Timestamp) async {
        do { try await store.recordUse(of: credential, at: now) } catch {}
    }
}

extension Administration {
    /// Returns a session's CSRF token, which is a hash of the session's secret. A script on another site can't read the
    /// cookie, so it can't compute the token.
    package func csrfToken(ofSession secret: ArraySlice<UInt8>) -> String {
        Token.base64url(hashing.sha256(Array("placekeeper csrf ".utf8) + secret).bytes)
    }
}
