/// Decides when the client may send again: after an exponential delay with jitter that follows failures, and after the
/// wait that the service asked for (`Retry-After`).
struct Backoff {
    private var failures = 0
    private var retryAt: Double?
    /// The end of the wait that the service asked for. Even requests that a user waits for respect it.
    private(set) var serviceRetryAt: Double?
    /// The number of the last request sent before the service asked the client to wait.
    private var lastRequest = 0

    private static let maximumDelay = 300.0
    private static let maximumServiceDelay = 86_400.0

    /// Records a failure. `lastRequest` is the number of the last request that was sent.
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

    /// Records that the service answered a request. If the request was sent before the service's `Retry-After` arrived,
    /// the wait continues: several requests can be in flight.
    mutating func succeed(_ request: Int) {
        (failures, retryAt) = (0, nil)
        if request > lastRequest { serviceRetryAt = nil }
    }

    /// Allows an immediate retry, unless the service asked for a delay.
    mutating func clearFailures() { retryAt = nil }

    /// Returns whether the client may send something on its own.
    func allowsWork(at now: ClockReading) -> Bool { (wake(at: now) ?? now.uptime) <= now.uptime }

    /// Returns whether the client may send a request for which a user waits.
    func allowsIntents(at now: ClockReading) -> Bool { (serviceRetryAt ?? now.uptime) <= now.uptime }

    /// Returns the uptime at which the client may send again, or `nil` if it need not wait.
    func wake(at now: ClockReading) -> Double? { [retryAt, serviceRetryAt].compactMap(\.self).max() }

    mutating func wait(until uptime: Double) { serviceRetryAt = uptime }
}
