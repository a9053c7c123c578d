import PlacekeeperConcurrency
package import PlacekeeperCore

/// A link with which an administrator sets a password.
package struct Invitation: Sendable {
    /// The administrator and the secret, for the link.
    package var text: String
    package var expiresAt: Timestamp
}

extension Administration {
    /// How long an invitation is valid.
    package static let invitationLifetime = Duration.seconds(3 * 86_400)

    /// Makes an administrator set a new password with a link. Until then, the administrator can't log in, and the
    /// sessions end. An earlier link becomes invalid.
    package func invite(_ id: AdministratorID, by actor: Auditor) async throws(ServiceError) -> Invitation {
        let administrator = try await administrator(.id(id))
        let (invitation, hash) = makeInvitation(of: id)
        try await service.auditLog.record(.administratorInvited, by: actor, in: nil, detail: administrator.name)
        try check(
            try await service.ask { store async throws(StoreError) in
                try await store.change(id, role: nil, password: hash, keeping: nil)
            })
        return invitation
    }

    /// Adds an administrator who sets a password with the returned invitation.
    package func inviteAdministrator(
        _ name: String, _ role: Role, by actor: Auditor
    ) async throws(ServiceError) -> (administrator: Administrator, invitation: Invitation) {
        try Validation.administratorName(name)
        let administrator = newAdministrator(name, role)
        let (invitation, hash) = makeInvitation(of: administrator.id)
        try await add(administrator, hash, by: actor)
        return (administrator, invitation)
    }

    private func makeInvitation(of id: AdministratorID) -> (Invitation, PasswordHash) {
        let secret = Token.base64url(random.bytes(32))
        let expiresAt = clock.now() + Self.invitationLifetime
        let hash = PasswordHash(
            salt: (0..<8).map { UInt8(truncatingIfNeeded: expiresAt.milliseconds >> (56 - 8 * $0)) },
            key: service.devices.digest(of: secret).bytes)
        return (Invitation(text: "\(id).\(secret)", expiresAt: expiresAt), hash)
    }

    /// Sets the password of an invited administrator, and starts a session. An invitation works once.
    ///
    /// - Parameter code: a code of the second factor, if the administrator has one.
    package func acceptInvitation(
        _ text: String, password: String, code: String?, from source: LogInSource
    ) async throws(ServiceError) -> StartedSession {
        let parts = text.utf8.count <= 256 ? text.split(separator: ".", omittingEmptySubsequences: false) : []
        guard parts.count == 2, let id = AdministratorID(String(parts[0])) else { throw setUpRefused }
        try consumeLogIn(id.description, from: source)
        let found = try await service.ask { store async throws(StoreError) in try await store.administrator(.id(id)) }
        let digest = service.devices.digest(of: String(parts[1]))
        guard let found, let expiresAt = found.password.invitationExpiresAt, clock.now() < expiresAt,
            Digest(bytes: found.password.key) == digest
        else { throw setUpRefused }
        try Validation.password(password)
        let hash = try await hash(password, source.network)
        try await useSecondFactor(of: found, code: code)
        try await service.auditLog.record(
            .passwordChanged, by: .administrator(found.administrator.name), in: nil)
        try check(
            try await service.ask { store async throws(StoreError) in
                try await store.change(id, role: nil, password: hash, keeping: nil)
            })
        return try await startSession(of: found.administrator, with: hash)
    }
}

extension PasswordHash {
    /// When an invitation expires. Nil for a password.
    package var invitationExpiresAt: Timestamp? {
        guard salt.count == 8 else { return nil }
        return Timestamp(milliseconds: Int64(bitPattern: salt.reduce(0) { $0 << 8 | UInt64($1) }))
    }
}
