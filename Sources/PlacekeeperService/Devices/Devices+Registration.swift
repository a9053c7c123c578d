package import PlacekeeperCore

extension Devices {
    /// Registers a device for a new anonymous user, the user of a link code, or the user of an account. If the
    /// installation is known, its device gets a new token, so a client that missed the response can try again.
    package func register(_ registration: Registration) async throws(ServiceError) -> Registered {
        try Validation.deviceText(registration.name, member: "name")
        try Validation.deviceText(registration.model, member: "model")
        try Validation.deviceText(registration.systemVersion, member: "systemVersion")
        guard registration.idiom != .unspecified else {
            throw ServiceError(
                .idiomRequired, "Give the device's idiom, such as phone or pad: unspecified is not allowed.")
        }
        let installation = try registration.installation.map {
            pair throws(ServiceError) in try self.installation(pair, member: "installation")
        }
        let app = try await service.apps.app(.publishableKey(registration.publishableKey))
        var (device, token) = newDevice(of: app, registration)
        if app.settings.tokenLifetime != nil { device.lastSeenAt = service.upkeep.timeOfUse }
        var new = NewDevice(
            device, token: digest(of: token), installation: installation,
            retention: app.settings.retainedArchives)
        new.quotas = app.settings.quotas
        new.unusedSince = try await service.upkeep.unusedSince(in: app, at: device.createdAt)
        let joining: JoinResult
        switch registration.joins {
        case .newUser:
            joining = try await registerAnonymously(new, of: app, isExempt: registration.isExempt)
        case .linkCode(let code):
            let joined = try await spending(code, app: app, by: registration.source) {
                store, code async throws(StoreError) in
                new.joins = .linkCode(code)
                return try await store.register(new)
            }
            if joined.id != device.id { try await recordUse(of: joined, in: app) }
            return Registered(device: joined, token: token)
        case .account(let signInToken):
            let account = try await service.accounts.account(of: signInToken, in: app, at: device.createdAt)
            try await service.auditLog.record(.signedIn, by: .user, in: app.id, about: account.digest)
            new.joins = .account(account)
            joining = try await service.write { [new] store async throws(StoreError) in try await store.register(new) }
        case .copy(let original):
            new.joins = .copy(of: try self.installation(original, member: "copyOf"))
            joining = try await service.write { [new] store async throws(StoreError) in try await store.register(new) }
        }
        guard let joined = joining.device else { throw joining.error(in: app) }
        if joined.id == device.id {
            try await eraseIfRemoved(app, joined.owner)
        } else {
            try await recordUse(of: joined, in: app)
        }
        return Registered(device: joined, token: token)
    }

    /// Erases a user who was added while the app was removed: nothing else would.
    private func eraseIfRemoved(_ app: App, _ owner: UserKey) async throws(ServiceError) {
        let isRemoved = try await service.ask { store async throws(StoreError) in
            try await store.app(.id(app.id)) == nil
        }
        guard isRemoved else { return }
        _ = try await service.write { store async throws(StoreError) in try await store.erase(owner) }
        throw ServiceError(.appUnknown, "The app was deleted.")
    }

    /// Registers a device for a new anonymous user. If the installation is known, its device registers again: this
    /// needs no permission, creates no user and doesn't count toward the app's limit of new users.
    private func registerAnonymously(
        _ new: NewDevice, of app: App, isExempt: Bool
    ) async throws(ServiceError) -> JoinResult {
        if new.installation != nil {
            var known = new
            known.mayBeNew = false
            let joining = try await service.write { [known] store async throws(StoreError) in
                try await store.register(known)
            }
            guard joining == .installationUnknown else { return joining }
        }
        guard app.settings.registration == .open else { throw app.settings.registration.refusal }
        if !isExempt { try consumeNewUser(of: app) }
        return try await service.write { store async throws(StoreError) in try await store.register(new) }
    }

    /// Creates a new token for the device. The previous token with the same access remains valid for
    /// `Credential.grace`, unless `revokesPrevious` is true.
    ///
    /// - Parameter presented: the bearer token of the request.
    package func replaceToken(
        of principal: Principal, access: TokenAccess, presented: ArraySlice<UInt8>, revokesPrevious: Bool
    ) async throws(ServiceError) -> String {
        let token = Token.device(from: random)
        let new = NewToken(
            digest: digest(of: token), access: access, presented: presented.withUnsafeBytes { hashing.sha256($0) },
            revokesPrevious: revokesPrevious)
        let now = clock.now()
        let isKnown = try await service.write { store async throws(StoreError) in
            try await store.replaceToken(of: principal.device.id, of: principal.owner, by: new, at: now)
        }
        guard isKnown else { throw JoinResult.deviceGone.error }
        return token
    }

    /// Records a launch of the app. Throws `installationCopied` if the launch comes from another device with the same
    /// identity.
    package func begin(_ launch: CountedLaunch, for principal: Principal) async throws(ServiceError) {
        let joining = try await service.write { store async throws(StoreError) in
            try await store.begin(launch, of: principal.device.id, of: principal.owner)
        }
        guard joining.device != nil else { throw joining.error }
    }

    /// Changes the device's idiom, name, model or system version. Returns the changed device.
    package func describe(_ principal: Principal, as description: DeviceDescription) async throws(ServiceError)
        -> Device
    {
        try Validation.deviceText(description.name ?? nil, member: "name")
        try Validation.deviceText(description.model ?? nil, member: "model")
        try Validation.deviceText(description.systemVersion ?? nil, member: "systemVersion")
        guard description.idiom != .unspecified else {
            throw ServiceError(
                .idiomRequired, "Give the device's idiom, such as phone or pad: unspecified is not allowed.")
        }
        var device = principal.device
        device.idiom = description.idiom ?? device.idiom
        device.name = description.name ?? device.name
        device.model = description.model ?? device.model
        device.systemVersion = description.systemVersion ?? device.systemVersion
        let isKnown = try await service.write { [device] store async throws(StoreError) in
            try await store.describe(device)
        }
        guard isKnown else { throw JoinResult.deviceGone.error }
        return device
    }

    /// Returns a device with a new id and a new user, and its token.
    func newDevice(of app: App, _ registration: Registration) -> (device: Device, token: String) {
        let now = clock.now()
        let device = Device(
            id: DeviceID.random(random), owner: UserKey(app: app.id, user: UserID.random(random)),
            idiom: registration.idiom, model: registration.model, name: registration.name,
            systemVersion: registration.systemVersion, createdAt: now, lastSeenAt: now, launch: registration.launch)
        return (device, Token.device(from: random))
    }

    func digest(of token: String) -> Digest { hashing.sha256(Array(token.utf8)) }

    private func installation(
        _ pair: (id: InstallationID, secret: String), member: ServiceError.MemberStep
    ) throws(ServiceError) -> Installation {
        let bytes = Array(pair.secret.utf8)
        guard Limits.installationSecret ~= bytes.count, bytes.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            throw ServiceError(
                .installationInvalid,
                """
                An installation's secret has \(Limits.installationSecret.lowerBound) to \
                \(Limits.installationSecret.upperBound) visible ASCII characters: give 32 random bytes as base64url.
                """, member: [member, "secret"])
        }
        return Installation(id: pair.id, secret: hashing.sha256(bytes))
    }
}

/// A change to a device's idiom, name, model and system version. Nil leaves a value unchanged, and a nested nil removes
/// it.
package struct DeviceDescription: Sendable {
    package var idiom: Idiom?
    package var name: String??
    package var model: String??
    package var systemVersion: String??

    package init(idiom: Idiom? = nil, name: String?? = nil, model: String?? = nil, systemVersion: String?? = nil) {
        self.idiom = idiom
        self.name = name
        self.model = model
        self.systemVersion = systemVersion
    }
}

extension App.Settings.Registration {
    /// The error for a new anonymous user if the app doesn't allow anonymous registration.
    var refusal: ServiceError {
        switch self {
        case .open, .linkOnly:
            ServiceError(
                .linkCodeRequired,
                "This app registers new devices only with a link code. Create one on a registered device.")
        case .token:
            ServiceError(.signInRequired, "This app registers new devices only with a sign-in token or a link code.")
        }
    }
}

extension JoinResult {
    /// The error for a device that couldn't join a user of an app.
    ///
    /// - Parameter hasCode: whether the device sent a link code. Revoking a device invalidates the user's link codes.
    func error(in app: App, withCode hasCode: Bool = false) -> ServiceError {
        if case .tooManyScenes = self { return .tooManyScenes(app.settings.quotas) }
        guard case .tooManyDevices = self else { return error }
        var error = error
        error.message += hasCode ? " Revoke an unused device, then make a new code." : " Revoke an unused device first."
        error.details = ["quota": "userDevices", "limit": "\(app.settings.quotas.devices)"]
        return error
    }

    /// The error for a device that couldn't join a user.
    var error: ServiceError {
        switch self {
        // Only `copyOf` causes `installationUnknown` here. Otherwise `registerAnonymously` registers a new device.
        case .joined, .installationUnknown, .deviceGone:
            ServiceError(.callerGone, "The device no longer belongs to this user.")
        case .codeInvalid:
            ServiceError(
                .linkCodeInvalid, "The link code is unknown, expired or used by another device. Create a new one.")
        case .tooManyDevices:
            ServiceError(.tooManyDevices, "The user has the maximum number of devices.")
        case .quotaExceeded(let excess): ServiceError(excess)
        case .tooManyScenes: ServiceError(.tooManyScenes, "The user would have too many scenes.")
        case .signInRequired:
            ServiceError(
                .signInRequired,
                "The device's sign-in has expired. Register with a sign-in token and the same installation.")
        case .signedIn: ServiceError(.signedIn, "The device is signed in to an account. Sign out first.")
        case .installationCopied:
            ServiceError(
                .installationCopied,
                """
                Another device uses the identity of this installation, for example because this device was restored from \
                its backup. Register with a new installation id and secret, and give this installation as copyOf.
                """)
        case .installationCloned:
            ServiceError(
                .installationCloned,
                """
                The installation is registered with another secret, for example because this device was restored \
                from another device's backup. Make a new installation id and secret, and register again.
                """)
        }
    }
}
