import PlacekeeperCore

// Ends the tokens of devices that were not used for the time that an app sets (`App.Settings.tokenLifetime`).
extension Devices {
    /// How long a principal is cached if its app limits the lifetime of tokens. So a cached token that nobody uses ends
    /// too.
    private static let recheck = Duration.seconds(3600)

    /// Returns until when a principal may be cached. Nil means no limit.
    func cacheEnd(in app: App, at now: Timestamp) -> Timestamp? {
        app.settings.tokenLifetime == nil ? nil : now + Self.recheck
    }

    /// Returns false if the device's token has ended, and revokes the device: as with any revoked device, its user must
    /// sign in again. Otherwise records that the device is used, so that its token can't end in the middle of a use.
    func isInLifetime(_ device: Device, in app: App, at now: Timestamp) async -> Bool {
        guard let lifetime = app.settings.tokenLifetime?.duration else { return true }
        if device.isSignedIn, device.lastSeenAt + lifetime < now {
            // If the store cannot write, the next request tries again.
            try? await revoke(device.id, of: device.owner)
            return false
        }
        if device.lastSeenAt + Self.recheck < now {
            // An anonymous device may sign in with its next request. If the store cannot write, it cannot sign in either.
            try? await store.recordSeen([device.owner: [device.id: now]])
        }
        return true
    }
}
