import PlacekeeperConcurrency
import PlacekeeperCore

// The second factor of administrators (docs/decisions/0075-administrators.md).
extension Administration {
    /// Adds a second factor to the administrator's own log-in, or replaces it. Returns the recovery codes, which can't be
    /// retrieved again.
    ///
    /// - Parameters:
    ///   - secret: the key in base 32, which the administrator's authenticator app already knows.
    ///   - code: a code of this key, as proof that the app works.
    package func addSecondFactor(
        secret: String, code: String, to principal: AdminPrincipal, password: String, source: LogInSource
    ) async throws(ServiceError) -> [String] {
        let found = try await proved(principal, password, source)
        guard let key = Base32.decode(secret), key.count == SecondFactor.secretLength else {
            throw Validation.invalid("secret", "A key has \(SecondFactor.secretLength) bytes in base 32.")
        }
        let codes = SecondFactor.makeRecoveryCodes(from: random)
        let digests = codes.map { SecondFactor.digest(ofRecoveryCode: $0, hashing) }
        guard
            var factor = SecondFactor(secret: key, recoveryCodes: []).using(
                code, at: clock.now(), service.passwords, hashing)
        else { throw Validation.invalid("code", "The code is wrong. Check the clock of the device with the app.") }
        factor.recoveryCodes = digests
        try await service.auditLog.record(.secondFactorAdded, by: principal.auditor, in: nil)
        try await replace(found.secondFactor, with: factor, of: found.administrator.id)
        return codes
    }

    /// Removes the second factor of the administrator's own log-in.
    package func removeSecondFactor(
        of principal: AdminPrincipal, password: String, code: String, source: LogInSource
    ) async throws(ServiceError) {
        let found = try await proved(principal, password, source)
        guard let factor = found.secondFactor else { return }
        guard factor.using(code, at: clock.now(), service.passwords, hashing) != nil else {
            noteFailure(of: principal.name)
            throw Validation.invalid("code", "The code is wrong, or was used before.")
        }
        try await service.auditLog.record(.secondFactorRemoved, by: principal.auditor, in: nil)
        try await replace(factor, with: nil, of: found.administrator.id)
    }

    /// Removes the second factor of an administrator who lost it.
    package func removeSecondFactor(of id: AdministratorID, by actor: Auditor) async throws(ServiceError) {
        let found = try await stored(.id(id))
        guard let factor = found.secondFactor else { return }
        try await service.auditLog.record(
            .secondFactorRemoved, by: actor, in: nil, detail: found.administrator.name)
        try await replace(factor, with: nil, of: id)
    }

    /// Checks the code of a log-in with the right password, and stores that it was used.
    func useSecondFactor(of found: StoredAdministrator, code: String?) async throws(ServiceError) {
        guard let factor = found.secondFactor else { return }
        guard let code else {
            throw ServiceError(.secondFactorRequired, "Send a code of the authenticator app, or a recovery code.")
        }
        guard let next = factor.using(code, at: clock.now(), service.passwords, hashing) else {
            noteFailure(of: found.administrator.name)
            throw ServiceError(.logInRefused, "The code is wrong, or was used before.")
        }
        try await replace(factor, with: next, of: found.administrator.id)
    }

    /// Of two requests with the same code, only one succeeds.
    private func replace(
        _ old: SecondFactor?, with new: SecondFactor?, of id: AdministratorID
    ) async throws(ServiceError) {
        let isReplaced = try await service.ask { store async throws(StoreError) in
            try await store.replaceSecondFactor(old, with: new, of: id)
        }
        guard isReplaced else {
            throw ServiceError(.logInRefused, "The code was used, or the second factor changed, in the meantime.")
        }
    }
}
