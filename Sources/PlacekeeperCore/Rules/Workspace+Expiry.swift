// The rules for sign-ins that have expired (docs/decisions/0099-a-sign-in-expires.md). `RuleStore` documents what each
// promises.
extension Workspace {
    package mutating func expire(
        _ id: DeviceID, of key: UserKey, unusedSince: Timestamp, at time: Timestamp
    ) throws(Interruption) -> Bool {
        guard let device = try device(id, of: key), device.hasExpired(since: unusedSince) else { return false }
        try require([.usage(key.app)])
        let (user, access) = (try known(key), try access(key))
        let tokens = access.tokens.filter { $0.value.device == id }
        guard !tokens.isEmpty else { return true }
        invalidations = .access(of: key)
        guard access.installations.values.contains(where: { $0.device == id }) else {
            try dropExpired([device], at: time)
            return true
        }
        touch(user)
        for digest in tokens.keys {
            user.access?.tokens[digest] = nil
            note(.dropToken(digest, of: user))
        }
        dropAllServedLast(by: id, of: user)
        note(.auditExpiry(of: user, at: time))
        return true
    }

    /// Returns whether an installation's device must sign in again: its sign-in has expired now or earlier. After that,
    /// only its installation is known, and it has no token.
    func hasExpired(_ device: Device, since time: Timestamp?) throws(Interruption) -> Bool {
        guard device.isSignedIn, !device.hasExpired(since: time) else { return device.isSignedIn }
        return try !hasToken(device)
    }

    /// Returns the devices to drop when a user gets one more device: the device that it replaces, and as many expired
    /// ones as the quota requires, the longest unused first. Nil if the user has no room.
    func devicesToDrop(
        for user: UserState, replacing replaced: Device? = nil, _ quotas: App.Settings.Quotas, since time: Timestamp?
    ) throws(Interruption) -> [Device]? {
        let dropped = replaced.map { [$0] } ?? []
        let excess = user.devices.count + (replaced?.owner == user.key ? 0 : 1) - quotas.devices
        guard excess > 0 else { return dropped }
        guard time != nil, user.exists else { return nil }
        try require([.user(user.key), .access(user.key)])
        let expired = try access(user.key).devices.values
            .filter { $0.hasExpired(since: time) && $0.id != replaced?.id }
            .sorted { ($0.lastSeenAt, $0.id) < ($1.lastSeenAt, $1.id) }
        return expired.count < excess ? nil : dropped + expired.prefix(excess)
    }

    /// Drops devices whose sign-in has expired. Unlike a revocation, this keeps the user's link codes: a device that was
    /// unused for so long made none of them.
    mutating func dropExpired(_ devices: [Device], at time: Timestamp) throws(Interruption) {
        for device in devices {
            let user = try known(device.owner)
            // If the device has no token, its expiry is in the audit log already.
            if try hasToken(device) { note(.auditExpiry(of: user, at: time)) }
            drop(device.id, of: user, at: time)
        }
    }

    private func hasToken(_ device: Device) throws(Interruption) -> Bool {
        try access(device.owner).tokens.values.contains { $0.device == device.id && $0.expiresAt == nil }
    }
}

extension Device {
    /// Returns whether a user with an account last used the device before a time. Anonymous devices never expire: they
    /// have no sign-in with which they could come back.
    fileprivate func hasExpired(since time: Timestamp?) -> Bool {
        isSignedIn && time.map { lastSeenAt < $0 } ?? false
    }
}
