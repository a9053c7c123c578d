/// The time before which the client sends nothing by itself: an exponential delay with jitter after failures, and the
/// time that the service asked the client to wait (`Retry-After`).
struct Backoff {
    private var failures = 0
    private var retryAt: Double?
    /// The service's own wish, which also calls of a person obey.
    private(set) var serviceRetryAt: Double?
    /// The number of the last request that was sent before the service expressed this wish.
    private var lastRequest = 0

    private static let maximumDelay = 300.0
    private static let maximumServiceDelay = 86_400.0

    /// Notes a failure. `lastRequest` is the number of the last request that was sent.
    mutating func fail(
        at now: ClockReading, retryAfter: Double? = nil, lastRequest: Int = 0, random: inout any RandomNumberGenerator
    ) {
        failures = min(failures + 1, 16)
        let delay = min(Self.maximumDelay, Double(1 << failures) / 2)
        retryAt = now.uptime + delay * Double.random(in: 0.5...1, using: &random)
        if let retryAfter, retryAfter.isFinite, retryAfter > 0 {
            serviceRetryAt = max(serviceRetryAt ?? 0, now.uptime + min(retryAfter, Self.maximumServiceDelay))
            self.lastRequest = lastRequest
        }
    }

    /// Notes an answer of the service to a request. An answer to a request from before the service's wish does not end
    /// the wish: the client sends several requests at the same time.
    mutating func succeed(_ request: Int) {
        (failures, retryAt) = (0, nil)
        if request > lastRequest { serviceRetryAt = nil }
    }

    /// Tries again without a delay, unless the service asked for one.
    mutating func clearFailures() { retryAt = nil }

    /// Returns whether the client may send something by itself.
    func allowsWork(at now: ClockReading) -> Bool { (wake(at: now) ?? now.uptime) <= now.uptime }

    /// Returns whether the client may send a request that a person waits for.
    func allowsIntents(at now: ClockReading) -> Bool { (serviceRetryAt ?? now.uptime) <= now.uptime }

    /// Returns the uptime at which the client may send again.
    func wake(at now: ClockReading) -> Double? { [retryAt, serviceRetryAt].compactMap(\.self).max() }

    mutating func wait(until uptime: Double) { serviceRetryAt = uptime }
}
