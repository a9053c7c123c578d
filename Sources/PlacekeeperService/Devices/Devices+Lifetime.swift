import PlacekeeperCore

// Ends the sign-in of devices that are not used (`App.Settings.tokenLifetime`).
extension Devices {
    /// How often the last use of a device is checked whose principal is cached.
    static let lifetimeChecks = Duration.seconds(3600)

    /// Returns whether the device's user must sign in again, and ends its tokens then. The store decides with the last use
    /// that it knows when it commits.
    func hasExpired(_ device: Device, in app: App, at now: Timestamp) async throws(ServiceError) -> Bool {
        guard device.isSignedIn, let lifetime = app.settings.tokenLifetime, device.lastSeenAt < now - lifetime.duration,
            !principals.isSeen(device.id), let unusedSince = try await service.upkeep.unusedSince(in: app, at: now)
        else { return false }
        // If the store can't write, the device gets the same answer, and its next request tries again.
        let hasExpired = try? await service.write { store async throws(StoreError) in
            try await store.expire(device.id, of: device.owner, unusedSince: unusedSince, at: now)
        }
        return hasExpired ?? true
    }

    /// Stores that a device is used now, because a sign-in must not expire by what the device did before it.
    func recordUse(of device: Device, in app: App) async throws(ServiceError) {
        guard app.settings.tokenLifetime != nil else { return }
        let times = [device.owner: [device.id: service.upkeep.timeOfUse]]
        try await service.ask { store async throws(StoreError) in try await store.recordSeen(times) }
    }
}
