package import PlacekeeperCore
package import PlacekeeperService

extension InterceptingStore {
    package func create(
        _ administrator: Administrator, _ password: PasswordHash, isFirst: Bool, recording entry: AuditEntry
    ) async throws(StoreError) -> Bool {
        try will(.write)
        return try await base.create(administrator, password, isFirst: isFirst, recording: entry)
    }

    package func administrators(after name: String?, limit: Int) async throws(StoreError) -> [Administrator] {
        try will(.read)
        return try await base.administrators(after: name, limit: limit)
    }

    package func administrator(_ selector: AdministratorSelector) async throws(StoreError) -> StoredAdministrator? {
        try will(.read)
        return try await base.administrator(selector)
    }

    package func replaceSecondFactor(
        _ old: SecondFactor?, with new: SecondFactor?, of administrator: AdministratorID
    ) async throws(StoreError) -> Bool {
        try will(.write)
        return try await base.replaceSecondFactor(old, with: new, of: administrator)
    }

    package func sessions(
        of administrator: AdministratorID?, limit: Int
    ) async throws(StoreError) -> [(session: AdminSession, name: String)] {
        try will(.read)
        return try await base.sessions(of: administrator, limit: limit)
    }

    package func change(
        _ administrator: AdministratorID, role: Role?, password: PasswordHash?, keeping session: Digest?
    ) async throws(StoreError) -> AdministratorChange {
        try will(.write)
        return try await base.change(administrator, role: role, password: password, keeping: session)
    }

    package func remove(_ administrator: AdministratorID) async throws(StoreError) -> AdministratorChange {
        try will(.write)
        return try await base.remove(administrator)
    }

    package func start(
        _ session: AdminSession, ifPasswordIs password: PasswordHash
    ) async throws(StoreError) -> Bool {
        try will(.write)
        return try await base.start(session, ifPasswordIs: password)
    }

    package func session(
        _ id: Digest
    ) async throws(StoreError) -> (session: AdminSession, administrator: Administrator)? {
        try will(.read)
        return try await base.session(id)
    }

    package func endSession(_ id: Digest) async throws(StoreError) {
        try will(.write)
        try await base.endSession(id)
    }

    package func create(_ token: APIToken, digest: Digest) async throws(StoreError) -> Bool {
        try will(.write)
        return try await base.create(token, digest: digest)
    }

    package func tokens(after id: APITokenID?, limit: Int) async throws(StoreError) -> [APIToken] {
        try will(.read)
        return try await base.tokens(after: id, limit: limit)
    }

    package func apiToken(_ digest: Digest) async throws(StoreError) -> APIToken? {
        try will(.read)
        return try await base.apiToken(digest)
    }

    package func removeToken(_ id: APITokenID) async throws(StoreError) -> Bool {
        try will(.write)
        return try await base.removeToken(id)
    }

    package func recordUse(of credential: AdminPrincipal.Credential, at time: Timestamp) async throws(StoreError) {
        try will(.write)
        try await base.recordUse(of: credential, at: time)
    }
}
