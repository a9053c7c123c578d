package import PlacekeeperCore

extension Devices {
    /// Creates a link code of eight characters. Returns it with its expiration time.
    package func createLinkCode(for principal: Principal) async throws(ServiceError) -> (
        code: String, expiresAt: Timestamp
    ) {
        let now = clock.now()
        let maker = principal.device.id.description
        if let wait = service.newCodes.wait(maker, at: clock.uptime()) { throw throttled(wait) }
        service.newCodes.consume(maker, at: clock.uptime())
        return try await createLinkCode(for: principal.owner, by: principal.device.id, at: now)
    }

    /// Creates a link code for an operator.
    func createLinkCode(
        for owner: UserKey, by maker: DeviceID? = nil, at now: Timestamp
    ) async throws(ServiceError) -> (code: String, expiresAt: Timestamp) {
        let text = LinkCode.text(from: random)
        guard let digest = LinkCode.digest(of: text, app: owner.app, hashing: hashing) else {
            // The code consists of eight characters that `digest` accepts.
            preconditionFailure("a code that was just made cannot be read")
        }
        let code = LinkCode(digest: digest, owner: owner, expiresAt: now + LinkCode.lifetime, maker: maker)
        try await service.ask { store async throws(StoreError) in try await store.create(code) }
        return (text, code.expiresAt)
    }

    /// Moves the device and its archives to the user of a link code.
    package func link(_ principal: Principal, with code: String) async throws(ServiceError) -> Device {
        let now = clock.now()
        let device = principal.device.id
        try await recordUse(of: principal.device, in: principal.app)
        let unusedSince = try await service.upkeep.unusedSince(in: principal.app, at: now)
        return try await spending(code, app: principal.app, by: device.description) {
            store, code async throws(StoreError) in
            try await store.move(
                device, of: principal.owner, linkCode: code, at: now,
                retention: principal.app.settings.retainedArchives,
                quotas: principal.app.settings.quotas, unusedSince: unusedSince)
        }
    }

    /// Calls `attempt` with the digest of a link code, unless the code is malformed or the source has no attempts left.
    ///
    /// A wrong code costs the source an attempt (`wrongCodes`). So does a code whose user has no room for the device,
    /// because checking for room may take long. A successful code costs nothing. In addition, the server limits the
    /// failed attempts of each client network across all routes (`Server.wrongLinks`).
    func spending(
        _ code: String, app: App, by source: String,
        _ attempt: (any Store, Digest) async throws(StoreError) -> Committed<JoinResult>
    ) async throws(ServiceError) -> Device {
        if let wait = service.wrongCodes.wait(source, at: clock.uptime()) { throw throttled(wait) }
        guard let digest = LinkCode.digest(of: code, app: app.id, hashing: hashing) else {
            service.wrongCodes.consume(source, at: clock.uptime())
            throw JoinResult.codeInvalid.error
        }
        let joining = try await service.write { store async throws(StoreError) in try await attempt(store, digest) }
        if let device = joining.device { return device }
        switch joining {
        case .codeInvalid, .tooManyDevices, .tooManyScenes, .quotaExceeded:
            service.wrongCodes.consume(source, at: clock.uptime())
        default: break
        }
        throw joining.error(in: app, withCode: true)
    }

    private func throttled(_ wait: Duration) -> ServiceError {
        ServiceError(.throttled, "Too many attempts. Try again later.", retryAfter: wait)
    }
}
