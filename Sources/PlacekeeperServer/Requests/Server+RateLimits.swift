import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService

extension Server {
    /// Limits a device's requests by device, user and app. Returns the quotas that are more than half used.
    func consumeRequest(_ request: Request, of principal: Principal) throws(ServiceError) -> [LowQuota] {
        client(of: request).isExempt ? [] : try service.devices.consumeRequest(of: principal)
    }

    /// Limits registrations from a client network.
    func consumeRegistration(of network: String) throws(ServiceError) {
        let verdict = registrations.attempt(network, at: service.clock.uptime())
        guard !verdict.isAllowed else { return }
        throw ServiceError(
            exceeding: Quota.Excess("registrations", verdict.quota, wait: verdict.wait),
            "Too many devices were registered from this address. Try again later.")
    }

    /// Returns the device that a request's token belongs to, with its app. Each unknown token costs the client network
    /// an attempt. A network without attempts left can use only recently used tokens, so guessing tokens can't load the
    /// store.
    func authenticate(_ request: Request) async throws -> Authentication? {
        guard let token = request.head.bearerToken else { return nil }
        if let known = service.devices.knownAuthentication(of: token) { return known }
        return try await authenticate(token, of: request)
    }

    private func authenticate(_ token: ArraySlice<UInt8>, of request: Request) async throws -> Authentication? {
        let authentication = try await service.devices.authenticate(token: token) { () throws(ServiceError) in
            let client = client(of: request)
            guard !client.isExempt, let wait = unknownTokens.wait(client.network, at: service.clock.uptime()) else {
                return
            }
            throw ServiceError(
                exceeding: Quota.Excess("unknown-tokens", unknownTokens.quota, wait: wait),
                "Too many requests with an unknown token from this address. Try again later.")
        }
        if authentication == nil, Devices.couldAuthenticate(token: token) {
            let client = client(of: request)
            if !client.isExempt { unknownTokens.consume(client.network, at: service.clock.uptime()) }
        }
        return authentication
    }
}

// Fields from the draft "RateLimit header fields for HTTP" (draft-ietf-httpapi-ratelimit-headers-10).
extension ResponseFields {
    /// Adds the fields for a quota that a request exceeded.
    mutating func add(_ excess: Quota.Excess) {
        add(.rateLimitPolicy, Self.policy(excess.name, excess.quota))
        add(.rateLimit, Self.state(excess.name, 0, excess.wait))
    }

    /// Adds the fields for quotas that are running low.
    mutating func add(_ quotas: [LowQuota]) {
        guard !quotas.isEmpty else { return }
        add(.rateLimitPolicy, quotas.map { Self.policy($0.name, $0.verdict.quota) }.joined(separator: ", "))
        let states = quotas.map { Self.state($0.name, $0.verdict.remaining, $0.verdict.wait) }
        add(.rateLimit, states.joined(separator: ", "))
    }

    private static func policy(_ name: String, _ quota: Quota) -> String {
        "\"\(name)\";q=\(quota.burst);w=\(seconds(quota.timeToRegainAll))"
    }

    private static func state(_ name: String, _ remaining: Int, _ wait: Duration) -> String {
        "\"\(name)\";r=\(remaining);t=\(seconds(wait))"
    }

    /// Returns whole seconds, rounded up, but at least 1.
    private static func seconds(_ duration: Duration) -> Int64 { max(1, (duration.wholeMilliseconds + 999) / 1000) }
}
