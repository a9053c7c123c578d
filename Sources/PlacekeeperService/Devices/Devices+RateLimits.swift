package import PlacekeeperCore

extension Devices {
    /// Limits requests by device, then by user, then by app. A request refused by one limit doesn't count toward the
    /// next, so a device over its limit can't use up its user's quota, and a user over the limit can't use up the app's
    /// quota.
    ///
    /// - Returns: The verdicts of the quotas that are low. Usually empty.
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
            throw ServiceError(
                exceeding: Quota.Excess(name, quota, wait: verdict.wait),
                "Too many requests by this \(name). Try again later.")
        }
        if verdict.isLow { low.append(LowQuota(name: name, verdict: verdict)) }
    }

    /// Limits how fast an app's new anonymous users register, so that they can't fill the disk.
    func consumeNewUser(of app: App) throws(ServiceError) {
        let quota = app.settings.rateLimits.registrations
        let verdict = service.newUsers.attempt(app.id.low, quota, at: clock.uptime())
        guard !verdict.isAllowed else { return }
        throw ServiceError(
            exceeding: Quota.Excess("app-registrations", quota, wait: verdict.wait),
            "Too many users of this app were registered. Try again later, or register with a link code.")
    }
}

/// A quota with less than half remaining.
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
