package import PlacekeeperCore

/// Registers and authenticates devices, and links them.
package struct Devices: UseCases {
    let service: RestorationService

    /// Returns whether a bearer token is formatted like a device token. Other texts can't belong to a device.
    package static func couldAuthenticate(token: ArraySlice<UInt8>) -> Bool { Token.couldBeDevice(token) }

    /// Returns the device of a bearer token and its app, or nil if the token is unknown, expired or revoked,
    /// or if the device was not used for the app's `tokenLifetime`.
    ///
    /// If the cache has no current entry, reads the device and the app from the store. Calls `admit` first, so that
    /// these reads can be limited.
    package func authenticate(
        token: ArraySlice<UInt8>, admit: () throws(ServiceError) -> Void = {}
    ) async throws(ServiceError) -> Authentication? {
        guard Token.couldBeDevice(token) else { return nil }
        let digest = digest(of: token)
        if let known = knownAuthentication(of: digest) { return known }
        return try await authentication(of: digest, admit: admit)
    }

    /// Returns the principal of a device token if both the principal and the user's version are in memory.
    package func knownAuthentication(of token: ArraySlice<UInt8>) -> Authentication? {
        guard !store.isShared, Token.couldBeDevice(token) else { return nil }
        return knownAuthentication(of: digest(of: token))
    }

    /// A cached principal. Before it is used, a shared store must confirm that it is current.
    package struct CachedPrincipal: Sendable {
        fileprivate let entry: PrincipalCache.Entry
        package var principal: Principal { entry.principal }
    }

    /// Returns the cached principal of a device token, if the store is shared.
    package func cachedPrincipal(of token: ArraySlice<UInt8>) -> CachedPrincipal? {
        guard store.isShared, Token.couldBeDevice(token) else { return nil }
        return principals.entry(for: digest(of: token), at: clock.now()).map(CachedPrincipal.init)
    }

    /// Returns the app of a device token as it was last read. Nil if it isn't in memory.
    package func rememberedApp(of token: ArraySlice<UInt8>) -> App? {
        guard Token.couldBeDevice(token) else { return nil }
        return principals.rememberedEntry(for: digest(of: token))?.principal.app
    }

    /// Asks the shared store for the user's version. One query may serve several requests. Calls the closure once, on
    /// any thread. Passes nil if the principal must be read from the store.
    package func askAuthentication(
        of cached: CachedPrincipal, _ receive: @escaping @Sendable (Result<Authentication?, ServiceError>) -> Void
    ) {
        store.askUserVersion(of: cached.principal.owner) { answer in
            receive(
                answer.mapError { ServiceError($0) }.map { userVersion in
                    userVersion.access == cached.entry.access ? Authentication(cached.principal, userVersion) : nil
                })
        }
    }

    private func digest(of token: ArraySlice<UInt8>) -> Digest { token.withUnsafeBytes { hashing.sha256($0) } }

    private func knownAuthentication(of digest: Digest) -> Authentication? {
        guard let entry = principals.entry(for: digest, at: clock.now()),
            let userVersion = store.knownUserVersion(of: entry.principal.owner),
            userVersion.access == entry.access
        else { return nil }
        return Authentication(entry.principal, userVersion)
    }

    /// Reads a token's principal from the store, or only the user's version if the principal is cached.
    private func authentication(
        of digest: Digest, admit: () throws(ServiceError) -> Void
    ) async throws(ServiceError) -> Authentication? {
        let now = clock.now()
        if let entry = principals.entry(for: digest, at: now) {
            let userVersion = try await service.ask { store async throws(StoreError) in
                try await store.userVersion(of: entry.principal.owner)
            }
            if userVersion.access == entry.access { return Authentication(entry.principal, userVersion) }
        }
        try admit()
        let found = try await service.ask { store async throws(StoreError) -> (App, Fresh<Credential>)? in
            guard let credential = try await store.credential(of: digest),
                credential.value.expiresAt.map({ now < $0 }) ?? true,
                let app = try await store.app(.id(credential.value.device.owner.app)), !app.isBeingDeleted
            else { return nil }
            return (app, credential)
        }
        guard let (app, credential) = found else {
            principals.remove(digest)
            return nil
        }
        let device = credential.value.device
        guard !(try await hasExpired(device, in: app, at: now)) else { return nil }
        let principal = Principal(app: app, device: device, access: credential.value.access)
        let end = [credential.value.expiresAt, app.settings.tokenLifetime.map { _ in now + Self.lifetimeChecks }]
        principals.insert(
            .init(
                principal: principal, access: credential.userVersion.access, expiresAt: end.compactMap(\.self).min()),
            for: digest, at: clock.now())
        return Authentication(principal, credential.userVersion)
    }

    /// Returns the time for operations whose order within a user's data matters: uploads, forgotten scenes, items,
    /// decisions and reported outcomes (`UserClocks`). Expiration times and the times of devices, tokens, codes and
    /// logs come from the system clock instead.
    package func time(of owner: UserKey) async throws(ServiceError) -> Timestamp {
        if let time = userClocks.time(of: owner, clock) { return time }
        let latest = try await service.ask { store async throws(StoreError) in try await store.latestTime(of: owner) }
        return userClocks.time(of: owner, after: latest, clock)
    }

    package func devices(for principal: Principal) async throws(ServiceError) -> [Device] {
        try await service.ask { store async throws(StoreError) in try await store.devices(of: principal.owner) }
    }

    /// Returns an app's users, sorted by identifier, after `last`. For operators.
    package func users(
        of app: AppID, after last: UserID?, limit: Int
    ) async throws(ServiceError) -> [UserOverview] {
        try await service.ask { store async throws(StoreError) in
            try await store.users(of: app, after: last, limit: limit)
        }
    }

    package func revoke(_ device: DeviceID, for principal: Principal) async throws(ServiceError) {
        try await revoke(device, of: principal.owner)
    }

    /// Permanently revokes a device's token. The device's archives are kept.
    package func revoke(_ device: DeviceID, of owner: UserKey) async throws(ServiceError) {
        let now = clock.now()
        let isKnown = try await service.write { store async throws(StoreError) in
            try await store.revoke(device, of: owner, at: now)
        }
        guard isKnown else { throw ServiceError(.deviceNotFound, "There is no such device.") }
    }

    /// Returns how much data the user stores.
    package func usage(of principal: Principal) async throws(ServiceError) -> Usage {
        try await service.ask { store async throws(StoreError) in try await store.usage(of: principal.owner) }
    }

    package func list(of owner: UserKey) async throws(ServiceError) -> [Device] {
        try await service.ask { store async throws(StoreError) in try await store.devices(of: owner) }
    }

    /// Returns a device of an app, or nil if the device doesn't exist or was revoked.
    package func device(_ id: DeviceID, in app: AppID) async throws(ServiceError) -> Device? {
        try await service.ask { store async throws(StoreError) in try await store.device(id, in: app) }
    }
}
