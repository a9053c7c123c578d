package import PlacekeeperCore

/// The part of a store for administrators, their sessions, and API tokens.
///
/// These methods cause no invalidations. Every admin API request reads its credential from the store, so removing a
/// credential takes effect immediately, even if another process removed it.
package protocol AdministratorStore: Sendable {
    /// Adds an administrator and an audit log entry in one transaction. Throws `.exists` if the name is taken. If
    /// `isFirst` is true and there already is an administrator, adds nothing and returns false.
    func create(
        _ administrator: Administrator, _ password: PasswordHash, isFirst: Bool, recording entry: AuditEntry
    ) async throws(StoreError) -> Bool
    /// Returns administrators after `name`, sorted by the bytes of their names.
    func administrators(after name: String?, limit: Int) async throws(StoreError) -> [Administrator]
    func administrator(_ selector: AdministratorSelector) async throws(StoreError) -> StoredAdministrator?
    /// Changes the second factor, unless it is no longer `old`. Returns whether it was changed.
    func replaceSecondFactor(
        _ old: SecondFactor?, with new: SecondFactor?, of administrator: AdministratorID
    ) async throws(StoreError) -> Bool
    /// Changes the role, the password or both. A new password ends the administrator's sessions, except `session`.
    func change(
        _ administrator: AdministratorID, role: Role?, password: PasswordHash?, keeping session: Digest?
    ) async throws(StoreError) -> AdministratorChange
    /// Removes an administrator with all sessions and API tokens that the administrator created.
    func remove(_ administrator: AdministratorID) async throws(StoreError) -> AdministratorChange

    /// Adds a session. Returns false if the administrator doesn't exist or has a different password.
    func start(_ session: AdminSession, ifPasswordIs password: PasswordHash) async throws(StoreError) -> Bool
    /// Returns a session and its administrator. The caller checks the expiration times.
    func session(_ id: Digest) async throws(StoreError) -> (session: AdminSession, administrator: Administrator)?
    /// Returns the sessions that were used last, of one administrator or of all, with the names of the administrators.
    func sessions(
        of administrator: AdministratorID?, limit: Int
    ) async throws(StoreError) -> [(session: AdminSession, name: String)]
    func endSession(_ id: Digest) async throws(StoreError)

    /// Adds an API token. Returns false if its creator doesn't exist.
    func create(_ token: APIToken, digest: Digest) async throws(StoreError) -> Bool
    /// Returns API tokens after `id`, sorted by identifier.
    func tokens(after id: APITokenID?, limit: Int) async throws(StoreError) -> [APIToken]
    /// Returns the API token with a digest. Its role is limited to its creator's role. The caller checks the expiration
    /// time.
    func apiToken(_ digest: Digest) async throws(StoreError) -> APIToken?
    /// Removes an API token. Returns false if there is no such token.
    func removeToken(_ id: APITokenID) async throws(StoreError) -> Bool

    /// Stores the time of last use of an API token, or of a session and its administrator. Ignores a time earlier than
    /// the stored one.
    func recordUse(of credential: AdminPrincipal.Credential, at time: Timestamp) async throws(StoreError)
}
