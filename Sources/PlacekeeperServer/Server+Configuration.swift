extension Server {
    /// What an operator may set of the REST layer.
    package struct Configuration: Sendable {
        /// As `/version` tells it.
        package var version = "0"
        /// The store's library with its version, such as `SQLite 3.51.3`, as `/readyz` tells it.
        package var storeLibrary: String?
        /// Answers `GET /hello`, for benchmarks.
        package var answersHello = false
        /// Writes a line to the log for every request, not only for what failed.
        package var logsAccess = false
        /// Registrations from one address at once, and how long until there is one more. Loopback is exempt.
        package var registrationBurst = 100
        package var registrationInterval = Duration.seconds(1)
        /// The name of the field in which a proxy on this machine tells its clients' addresses, such as
        /// `X-Forwarded-For`; nil when there is no such proxy.
        package var clientAddressField: String?
        /// Bytes of a body of JSON.
        package var jsonLimit = 1 << 20
        /// How many arrays and objects of a body of JSON may be inside each other.
        package var jsonDepth = 64
        /// How many values a body of JSON may have: about twice as many as the largest delta.
        package var jsonValues = 200_000

        package init() {}
    }
}
