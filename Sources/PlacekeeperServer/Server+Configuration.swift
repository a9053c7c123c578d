extension Server {
    /// The settings of the REST layer.
    package struct Configuration: Sendable {
        /// The version that `/version` returns.
        package var version = "0"
        /// The store's library with its version, such as `SQLite 3.51.3`, for `/readyz`.
        package var storeLibrary: String?
        /// The maximum number of bytes of the store, for `/admin/api/about`. Nil if there is no limit.
        package var maximumBytes: Int?
        /// Returns the lines about faults that do not make the service unusable, for `/readyz`. Anyone may read them.
        package var warnings: @Sendable () -> [String] = { [] }
        /// Whether to answer `GET /metrics`.
        package var answersMetrics = false
        /// Whether to log every request instead of only the service's own errors.
        package var logsAccess = false
        /// The number of registrations that one client network may make at once, without waiting. Loopback addresses
        /// are exempt.
        package var registrationBurst = 100
        /// The time after which a client network regains one registration.
        package var registrationInterval = Duration.seconds(10)
        /// The proxies whose fields the server believes.
        package var trustedProxies = IPNetwork.loopback
        /// The name of the field in which a trusted proxy sends its clients' addresses, such as `X-Forwarded-For`. Nil
        /// if no such proxy runs.
        package var clientAddressField: String?
        /// The name of the field in which a trusted proxy sends the scheme that its client used, such as
        /// `X-Forwarded-Proto`. Nil if no such proxy runs.
        package var clientSchemeField: String?
        /// The size limit in bytes of the cache of responses with the latest archive.
        package var latestBytes = 32 << 20
        /// The maximum depth of nested arrays and objects in a JSON body.
        package var jsonDepth = 64
        /// The maximum number of values in a JSON body: about twice the number of values in the largest delta.
        package var jsonValues = 200_000

        /// Waits between two reads of one stream of an app's events.
        package var pauseOfAppEvents: @Sendable () async -> Void = { try? await Task.sleep(for: .milliseconds(250)) }

        package init() {}
    }
}
