package import PlacekeeperCore

extension Devices {
    /// Limits the requests of a caller by device, by user and by app, in this order. A request that one limit refuses
    /// is not counted by the limits that follow. So a device without attempts cannot use up the attempts of its user,
    /// and a user without attempts cannot use up the attempts of the app.
    ///
    /// - Returns: The verdicts of the quotas that are low. Empty for most requests.
    package func consumeRequest(of principal: Principal) throws(ServiceError) -> [LowQuota] {
        let limits = principal.app.settings.rateLimits
        let uptime = clock.uptime()
        var low: [LowQuota] = []
        try consume("device", principal.device.id.low, limits.device, at: uptime, &low)
        try consume("user", principal.owner.user.low, limits.user, at: uptime, &low)
        if let quota = limits.app { try consume("app", principal.app.id.low, quota, at: uptime, &low) }
        return low
    }

    private func consume(
        _ name: String, _ key: UInt64, _ quota: Quota, at uptime: Duration, _ low: inout [LowQuota]
    ) throws(ServiceError) {
        let verdict = service.requests.attempt(key, quota, at: uptime)
        guard verdict.isAllowed else {
            throw ServiceError(exceeding: Quota.Excess(name, quota, wait: verdict.wait), "Too many requests.")
        }
        if verdict.isLow { low.append(LowQuota(name: name, verdict: verdict)) }
    }

    /// Limits the registrations of new anonymous users of an app, so that they cannot fill the disk.
    func consumeNewUser(of app: App) throws(ServiceError) {
        let quota = app.settings.rateLimits.registrations
        let verdict = service.newUsers.attempt(app.id.low, quota, at: clock.uptime())
        guard !verdict.isAllowed else { return }
        throw ServiceError(
            exceeding: Quota.Excess("app-registrations", quota, wait: verdict.wait),
            "Too many users of this app were registered. Try again later, or register with a link code.")
    }
}

/// A quota of which less than half is left.
package struct LowQuota: Sendable {
    package var name: String
    package var verdict: Quota.Verdict
}

extension ServiceError {
    package init(exceeding excess: Quota.Excess, _ message: String) {
        self.init(.throttled, message, retryAfter: excess.wait)
        self.excess = excess
    }
}
