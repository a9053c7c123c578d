import PlacekeeperCore
import PlacekeeperService
import PlacekeeperTestSupport

extension AccountHistory {
    /// Makes a call, and compares the answer with the oracle's. If the answer is lost, the client learns nothing.
    ///
    /// - Parameter mayOverlap: whether another call may come between the authentication and this call.
    mutating func perform(_ call: Call, of index: Int, isLost: Bool, mayOverlap: Bool = true) async throws -> String? {
        if case .register(let joins) = call { return await register(joins, index, isLost: isLost) }
        guard let token = clients[index].token else {
            clients[index].pending = nil
            return nil
        }
        let known = oracle.device(of: token, at: clock.now())
        guard let principal = try await principal(of: token) else {
            // The client gives up the call, and registers in its next step.
            clients[index].token = nil
            clients[index].pending = nil
            return known == nil ? nil : "a valid token was refused"
        }
        guard principal.device.id == known, oracle.home(of: principal.device.id)?.user == principal.owner else {
            return "a token authenticated \(principal.device)"
        }
        if mayOverlap, call.mayWait, random.below(5) == 0, let complaint = try await overlap(principal.device.id) {
            return complaint
        }
        return await perform(call, of: index, principal, token, isLost: isLost)
    }

    /// Makes another call, mostly of another client. Often, this call revokes the device whose call is waiting.
    private mutating func overlap(_ waiting: DeviceID) async throws -> String? {
        let index = random.below(clients.count)
        let call = random.below(2) == 0 ? .revoke(waiting) : nextCall(of: index)
        steps.append("meanwhile \(clients[index].number): \(call)")
        clients[index].pending = nil
        return try await perform(call, of: index, isLost: false, mayOverlap: false)
    }

    private mutating func perform(
        _ call: Call, of index: Int, _ principal: Principal, _ token: String, isLost: Bool
    ) async -> String? {
        let (device, owner, now) = (principal.device.id, principal.owner, clock.now())
        switch call {
        case .register: return nil
        case .signIn(let subject):
            let answer = await answer { () async throws(ServiceError) in
                try await service.accounts.signIn(principal, with: "subject " + subject)
            }
            return oracle.signIn(device, of: owner, to: subject, answer)
        case .signOut(let registersAnew):
            let answer = await answer { () async throws(ServiceError) in
                try await service.accounts.signOut(principal, registersAnew: registersAnew)
            }
            if case .success(let replacement) = answer {
                if let replacement { tokens.append(replacement.token) }
                if !isLost { clients[index].token = replacement?.token }
            }
            return oracle.signOut(
                device, of: owner, registersAnew: registersAnew, answer.map { $0.map { ($0.device, $0.token) } })
        case .makeCode:
            let answer = await answer { () async throws(ServiceError) in
                try await service.devices.createLinkCode(for: principal)
            }
            guard case .success(let code) = answer else { return "no link code: \(answer)" }
            codes.append(code.code)
            oracle.makeCode(code.code, by: device, at: now)
            return nil
        case .link(let code):
            let answer = await answer { () async throws(ServiceError) in
                try await service.devices.link(principal, with: code)
            }
            return answer.isThrottled ? nil : oracle.link(device, of: owner, with: code, answer, at: now)
        case .revoke(let revoked):
            let answer = await answer { () async throws(ServiceError) in
                try await service.devices.revoke(revoked, for: principal)
            }
            return oracle.revoke(revoked, of: owner, answer)
        case .erase:
            let answer = await answer { () async throws(ServiceError) in try await service.accounts.erase(owner) }
            guard case .success(true) = answer else { return "not erased: \(answer)" }
            oracle.erase(owner)
            return nil
        case .upload(let archive): return await upload(archive, principal, isLost: isLost)
        case .delete(let archive): return await delete(archive, principal)
        case .replaceToken(let revokesPrevious):
            let answer = await answer { () async throws(ServiceError) in
                try await service.devices.replaceToken(
                    of: principal, access: .full, presented: ArraySlice(token.utf8), revokesPrevious: revokesPrevious)
            }
            guard case .success(let new) = answer else { return "no token: \(answer)" }
            tokens.append(new)
            oracle.replaceToken(
                of: device, by: new, presented: token, revokesPrevious: revokesPrevious, at: now)
            if !isLost { clients[index].token = new }
            return nil
        }
    }

    private mutating func upload(_ id: ArchiveID, _ principal: Principal, isLost: Bool) async -> String? {
        guard let archive = made[id] else { return nil }
        let answer = await answer { () async throws(ServiceError) in
            try await service.archives.store(Upload(id: id, scene: archive.scene, bytes: archive.bytes), for: principal)
        }
        let isStored =
            switch answer {
            case .success(.created), .success(.identical): true
            default: false
            }
        if isStored, !isLost { made[id]?.isAcknowledged = true }
        let isExpected = oracle.upload(id, by: principal.device.id, of: principal.owner)
        return isStored == isExpected ? nil : "upload of \(id.low), expected \(isExpected): \(answer)"
    }

    private mutating func delete(_ id: ArchiveID, _ principal: Principal) async -> String? {
        let answer = await answer { () async throws(ServiceError) in
            try await service.archives.delete(id, in: made[id]?.scene ?? "main", principal: principal)
        }
        let isExpected = oracle.home(of: principal.device.id)?.archives.contains(id) == true
        oracle.delete(id, of: principal.owner)
        if case .success = answer { return isExpected ? nil : "deleted an archive of another user" }
        return isExpected ? "not deleted: \(answer)" : nil
    }

    // Registration

    private mutating func register(_ joins: AccountOracle.Joins, _ index: Int, isLost: Bool) async -> String? {
        let client = clients[index]
        let answer = await register(joins, client, secret: "client")
        if answer.isThrottled { return nil }
        if case .success(let registered) = answer {
            tokens.append(registered.token)
            if !isLost { clients[index].token = registered.token }
        }
        return oracle.register(client.hasInstallation ? client.number : nil, joins, answer, at: clock.now())
    }

    /// Registers a copy of a client's installation with another secret.
    mutating func clone(_ index: Int) async -> String? {
        let client = clients[index]
        guard client.hasInstallation, oracle.device(ofInstallation: client.number) != nil else { return nil }
        steps.append("\(client.number) cloned: register")
        let answer = await register(.newUser, client, secret: "clone")
        return oracle.register(client.number, isClone: true, .newUser, answer, at: clock.now())
    }

    private func register(
        _ joins: AccountOracle.Joins, _ client: AccountClient, secret: String
    ) async -> AccountOracle.Answer<(device: Device, token: String)> {
        var registration = Registration(
            publishableKey: app.publishableKey, idiom: .phone, name: client.hasInstallation ? client.name : nil,
            source: client.name)
        if client.hasInstallation {
            registration.installation = (
                InstallationID(high: 0xC, low: UInt64(client.number)),
                secret + String(repeating: "\(client.number)", count: 43 - secret.utf8.count)
            )
        }
        switch joins {
        case .newUser: break
        case .code(let code): registration.joins = .linkCode(code)
        case .account(let subject): registration.joins = .account(token: "subject " + subject)
        }
        return await answer { () async throws(ServiceError) in try await service.devices.register(registration) }
            .map { ($0.device, $0.token) }
    }

    func principal(of token: String) async throws -> Principal? {
        try await service.devices.authenticate(token: ArraySlice(token.utf8))?.principal
    }

    private func answer<Value>(_ call: () async throws(ServiceError) -> Value) async -> AccountOracle.Answer<Value> {
        do throws(ServiceError) { return .success(try await call()) } catch { return .failure(error) }
    }
}

extension AccountHistory.Call {
    /// Whether the oracle can foretell the answer even if another call came between the authentication and this call.
    fileprivate var mayWait: Bool {
        switch self {
        case .upload, .signIn, .signOut, .link: true
        default: false
        }
    }
}

extension Result where Failure == ServiceError {
    /// Whether the service refused to look at a link code after too many wrong codes.
    fileprivate var isThrottled: Bool { if case .failure(let error) = self { error.code == .throttled } else { false } }
}
