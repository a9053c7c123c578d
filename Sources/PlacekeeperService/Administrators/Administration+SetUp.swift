import PlacekeeperConcurrency
import PlacekeeperCore

// Creates the first administrator in a browser, with a link that the service prints at startup.
extension Administration {
    /// Returns whether the service has no administrator yet.
    package func needsSetUp() async throws(ServiceError) -> Bool {
        try await administrators(after: nil, limit: 1).isEmpty
    }

    /// Allows setup and returns the secret for its link, or nil if there is already an administrator. Any earlier
    /// secret becomes invalid.
    package func beginSetUp() async throws(ServiceError) -> String? {
        guard try await needsSetUp() else { return nil }
        let secret = Token.base64url(random.bytes(32))
        service.setUpSecret.withLock { $0 = service.devices.digest(of: secret) }
        return secret
    }

    /// Creates the first administrator with the role `owner` and starts a session. The secret works only once.
    package func setUp(
        secret: String, name: String, password: String, network: String
    ) async throws(ServiceError) -> StartedSession {
        let digest = service.devices.digest(of: secret)
        guard service.setUpSecret.withLock({ $0 == digest }), try await needsSetUp() else { throw setUpRefused }
        try Validation.administratorName(name)
        try Validation.password(password)
        let administrator = newAdministrator(name, .owner)
        let hash = try await hash(password, network)
        let entry = creationEntry(of: administrator, by: .administrator(name))
        // Even if two requests use the secret, the store creates only one administrator.
        guard
            try await service.ask({ store async throws(StoreError) in
                try await store.create(administrator, hash, isFirst: true, recording: entry)
            })
        else { throw setUpRefused }
        service.setUpSecret.withLock { $0 = nil }
        return try await startSession(of: administrator, with: hash)
    }

    var setUpRefused: ServiceError {
        ServiceError(
            .setUpRefused,
            """
            The link was used, is old, or is incomplete. If you have a password, log in; otherwise ask an owner for a new \
            invitation. If there is no administrator, restart the service for a new link.
            """)
    }
}
