package import PlacekeeperCore
package import PlacekeeperService

extension InMemoryStore {
    package func create(
        _ administrator: Administrator, _ password: PasswordHash, isFirst: Bool, recording entry: AuditEntry
    ) throws(StoreError) -> Bool {
        if isFirst, !administrators.isEmpty { return false }
        guard self.administrator(.name(administrator.name)) == nil else {
            throw StoreError(.exists, "An administrator with this name exists.")
        }
        administrators[administrator.id] = StoredAdministrator(administrator, password)
        append(entry)
        return true
    }

    package func administrators(after name: String?, limit: Int) -> [Administrator] {
        let all = administrators.values.map(\.administrator).sorted { $0.name.precedes($1.name) }
        return Array(all.filter { name?.precedes($0.name) ?? true }.prefix(limit))
    }

    package func administrator(_ selector: AdministratorSelector) -> StoredAdministrator? {
        switch selector {
        case .id(let id): administrators[id]
        case .name(let name): administrators.values.first { $0.administrator.name == name }
        }
    }

    package func change(
        _ administrator: AdministratorID, role: Role?, password: PasswordHash?, keeping session: Digest?
    ) -> AdministratorChange {
        guard administrators[administrator] != nil else { return .unknown }
        if let role {
            if role != .owner, isLastOwner(administrator) { return .lastOwner }
            administrators[administrator]?.administrator.role = role
        }
        if let password {
            administrators[administrator]?.password = password
            sessions = sessions.filter { $0.value.administrator != administrator || $0.key == session }
        }
        return .done
    }

    package func replaceSecondFactor(
        _ old: SecondFactor?, with new: SecondFactor?, of administrator: AdministratorID
    ) -> Bool {
        guard let found = administrators[administrator], found.secondFactor == old else { return false }
        administrators[administrator] = StoredAdministrator(
            found.administrator, found.password, secondFactor: new)
        return true
    }

    package func remove(_ administrator: AdministratorID) -> AdministratorChange {
        guard administrators[administrator] != nil else { return .unknown }
        if isLastOwner(administrator) { return .lastOwner }
        administrators[administrator] = nil
        sessions = sessions.filter { $0.value.administrator != administrator }
        apiTokens = apiTokens.filter { $0.value.token.creator != administrator }
        return .done
    }

    private func isLastOwner(_ id: AdministratorID) -> Bool {
        let owners = administrators.values.filter { $0.administrator.role == .owner }
        return owners.count == 1 && owners[0].administrator.id == id
    }

    // Sessions and API tokens

    package func start(_ session: AdminSession, ifPasswordIs password: PasswordHash) -> Bool {
        guard administrators[session.administrator]?.password == password else { return false }
        sessions[session.id] = session
        recordSeen(session.administrator, at: session.lastUsedAt)
        return true
    }

    package func session(_ id: Digest) -> (session: AdminSession, administrator: Administrator)? {
        guard let session = sessions[id], let found = administrators[session.administrator] else { return nil }
        return (session, found.administrator)
    }

    package func sessions(
        of administrator: AdministratorID?, limit: Int
    ) -> [(session: AdminSession, name: String)] {
        let found = sessions.values.filter { administrator == nil || $0.administrator == administrator }
        let sorted = found.sorted { left, right in
            left.lastUsedAt == right.lastUsedAt
                ? left.id.bytes.lexicographicallyPrecedes(right.id.bytes) : left.lastUsedAt > right.lastUsedAt
        }
        return sorted.prefix(limit)
            .compactMap { session in
                administrators[session.administrator].map { (session, $0.administrator.name) }
            }
    }

    package func endSession(_ id: Digest) { sessions[id] = nil }

    package func create(_ token: APIToken, digest: Digest) -> Bool {
        if let creator = token.creator, administrators[creator] == nil { return false }
        apiTokens[token.id] = (token, digest)
        return true
    }

    package func tokens(after id: APITokenID?, limit: Int) -> [APIToken] {
        let all = apiTokens.values.map(\.token).sorted { $0.id < $1.id }
        return all.filter { token in id.map { $0 < token.id } ?? true }.prefix(limit).map(limited)
    }

    package func apiToken(_ digest: Digest) -> APIToken? {
        apiTokens.values.first { $0.digest == digest }.map { limited($0.token) }
    }

    /// Returns the API token with its role limited to its creator's role.
    private func limited(_ token: APIToken) -> APIToken {
        var token = token
        if let creator = token.creator.flatMap({ administrators[$0] }) {
            token.role = min(token.role, creator.administrator.role)
        }
        return token
    }

    package func removeToken(_ id: APITokenID) -> Bool { apiTokens.removeValue(forKey: id) != nil }

    package func recordUse(of credential: AdminPrincipal.Credential, at time: Timestamp) {
        switch credential {
        case .session(let session):
            guard let known = sessions[session.id] else { return }
            sessions[session.id]?.lastUsedAt = max(known.lastUsedAt, time)
            recordSeen(known.administrator, at: time)
        case .token(let id):
            let last = apiTokens[id]?.token.lastUsedAt
            apiTokens[id]?.token.lastUsedAt = max(last ?? time, time)
        }
    }

    private func recordSeen(_ id: AdministratorID, at time: Timestamp) {
        let last = administrators[id]?.administrator.lastSeenAt
        administrators[id]?.administrator.lastSeenAt = max(last ?? time, time)
    }
}

extension String {
    fileprivate func precedes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}
