package import PlacekeeperCore

/// The part of a store for administrators, their sessions, and API tokens.
///
/// No method has effects for caches or followers: every request of the admin API reads its credential from the store, so
/// a removed credential is invalid at once, also if another process removed it.
package protocol AdministratorStore: Sendable {
    /// Adds an administrator, and an entry to the audit log, in one transaction. Throws `.exists` if the name is taken. If
    /// `isFirst` is true, and there is an administrator already, adds nothing and returns false.
    func create(
        _ administrator: Administrator, _ password: PasswordHash, isFirst: Bool, recording entry: AuditEntry
    ) async throws(StoreError) -> Bool
    /// Returns administrators in the order of the bytes of their names, beginning after `name`.
    func administrators(after name: String?, limit: Int) async throws(StoreError) -> [Administrator]
    func administrator(
        _ selector: AdministratorSelector
    ) async throws(StoreError) -> (administrator: Administrator, password: PasswordHash)?
    /// Changes the role, or the password, or both. A new password ends the administrator's sessions, except `session`.
    func change(
        _ administrator: AdministratorID, role: Role?, password: PasswordHash?, keeping session: Digest?
    ) async throws(StoreError) -> AdministratorChange
    /// Removes an administrator, with all sessions, and with the API tokens that the administrator made.
    func remove(_ administrator: AdministratorID) async throws(StoreError) -> AdministratorChange

    /// Adds a session. Returns false if the administrator does not exist, or has another password.
    func start(_ session: AdminSession, ifPasswordIs password: PasswordHash) async throws(StoreError) -> Bool
    /// Returns a session with its administrator. The caller checks the times of expiry.
    func session(_ id: Digest) async throws(StoreError) -> (session: AdminSession, administrator: Administrator)?
    func endSession(_ id: Digest) async throws(StoreError)

    /// Adds an API token. Returns false if the token's creator does not exist.
    func create(_ token: APIToken, digest: Digest) async throws(StoreError) -> Bool
    /// Returns API tokens in the order of their identifiers, beginning after `id`.
    func tokens(after id: APITokenID?, limit: Int) async throws(StoreError) -> [APIToken]
    /// Returns the API token with a digest. The role is not greater than the role of the token's creator. The caller
    /// checks the time of expiry.
    func apiToken(_ digest: Digest) async throws(StoreError) -> APIToken?
    /// Removes an API token. Returns false if there is no such token.
    func removeToken(_ id: APITokenID) async throws(StoreError) -> Bool

    /// Stores the time of last use of a session and its administrator, or of an API token. A time that is earlier than
    /// the stored time is ignored.
    func recordUse(of credential: AdminPrincipal.Credential, at time: Timestamp) async throws(StoreError)
}
