package import PlacekeeperCore
import PlacekeeperMatching

extension Accounts {
    /// Signs the device in to the account of a sign-in token. An anonymous user's places move to the account
    /// (`Store.signIn`).
    package func signIn(_ principal: Principal, with token: String) async throws(ServiceError) -> Device {
        let now = clock.now()
        let account = try await account(of: token, in: principal.app, at: now)
        // Signing in to the same account again changes nothing, so it isn't recorded.
        let facts = try await service.ask { store async throws(StoreError) in try await store.facts(of: principal.owner)
        }
        if facts?.subjectDigest != account.digest {
            try await service.auditLog.record(.signedIn, by: .user, in: principal.app.id, about: account.digest)
        }
        try await service.devices.recordUse(of: principal.device, in: principal.app)
        let unusedSince = try await service.upkeep.unusedSince(in: principal.app, at: now)
        let joining = try await service.write { store async throws(StoreError) in
            try await store.signIn(
                principal.device.id, of: principal.owner, to: account, at: now,
                retention: principal.app.settings.retainedArchives, quotas: principal.app.settings.quotas,
                unusedSince: unusedSince)
        }
        guard let device = joining.device else { throw joining.error(in: principal.app) }
        return device
    }

    /// Signs the device out and invalidates its tokens. The account keeps its data.
    ///
    /// - Parameter registersAnew: whether the device registers again for a new anonymous user.
    /// - Returns: the new device, or nil if `registersAnew` is false.
    package func signOut(_ principal: Principal, registersAnew: Bool) async throws(ServiceError) -> Registered? {
        var registered: Registered?
        var replacement: NewDevice?
        if registersAnew {
            guard principal.app.settings.registration == .open else {
                throw principal.app.settings.registration.refusal
            }
            // Only a signed-in device can sign out. A refused call must not count toward the limit of new users.
            if principal.device.isSignedIn { try service.devices.consumeNewUser(of: principal.app) }
            let old = principal.device
            let (device, token) = service.devices.newDevice(
                of: principal.app,
                Registration(
                    publishableKey: principal.app.publishableKey, idiom: old.idiom, model: old.model, name: old.name,
                    systemVersion: old.systemVersion))
            registered = Registered(device: device, token: token)
            replacement = NewDevice(device, token: service.devices.digest(of: token))
        }
        // Only a signed-in device can sign out. A refused call isn't recorded.
        if principal.device.isSignedIn {
            try await service.auditLog.record(.signedOut, by: .user, in: principal.app.id, about: principal.owner)
        }
        let now = clock.now()
        let result = try await service.write { [replacement] store async throws(StoreError) in
            try await store.signOut(principal.device.id, of: principal.owner, replacement: replacement, at: now)
        }
        switch result {
        case .signedOut: return registered
        case .deviceGone: throw JoinResult.deviceGone.error
        case .notSignedIn:
            throw ServiceError(
                .notSignedIn, "The device is not signed in to an account. To end its token, revoke the device.")
        }
    }

    /// Returns the account of a sign-in token. Throws `signInTokenInvalid` for every invalid token, without the reason.
    func account(of token: String, in app: App, at now: Timestamp) async throws(ServiceError) -> Account {
        guard let subject = await service.signIn.subject(of: Array(token.utf8), for: app, at: now) else {
            throw ServiceError(.signInTokenInvalid, "The sign-in token is not valid for this app.")
        }
        let digest = accountHashing.digest(of: subject, in: app.id)
        let verdict = service.signIns.attempt(digest.words.0, at: clock.uptime())
        guard verdict.isAllowed else {
            throw ServiceError(
                .throttled, "Too many sign-ins to this account. Try again later.", retryAfter: verdict.wait)
        }
        let erasedAt = try await service.ask { _ async throws(StoreError) in
            try await service.erasures.latest(of: [digest])
        }
        return Account(
            digest: digest, newUser: UserID.random(random), erasedAt: erasedAt
        ) { [sealing] owner in sealing.seal(subject.bytes, for: owner) }
    }

    /// Returns a subject's user, or nil if the account has no user yet.
    package func user(of subject: Subject, in app: AppID) async throws(ServiceError) -> UserKey? {
        let digest = accountHashing.digest(of: subject, in: app)
        let user = try await service.ask { store async throws(StoreError) in
            try await store.userID(ofSubject: digest, in: app)
        }
        return user.map { UserKey(app: app, user: $0) }
    }

    /// Returns a user's subject, or nil if the user is anonymous or doesn't exist.
    package func subject(of owner: UserKey) async throws(ServiceError) -> Subject? {
        try await service.ask { store async throws(StoreError) in
            guard let sealed = try await store.sealedSubject(of: owner) else { return nil }
            return Subject(String(decoding: try sealing.open(sealed, for: owner), as: UTF8.self))
        }
    }

    /// Returns the subject of a user in a list. Leaves out a damaged one, because it must not end the list.
    package func listedSubject(of owner: UserKey) async throws(ServiceError) -> Subject? {
        try await service.ask { store async throws(StoreError) in
            guard let sealed = try await store.sealedSubject(of: owner) else { return nil }
            let subject: Subject?? = try service.damaged.leaveOut("the subject of the user \(owner.user)") {
                () throws(StoreError) in
                Subject(String(decoding: try sealing.open(sealed, for: owner), as: UTF8.self))
            }
            return subject ?? nil
        }
    }
}
