extension App.Settings {
    /// Settings of the circuit breaker, which notices releases whose restores fail (`RestoreBreaker`).
    package struct Breaker: Sendable, Hashable, Codable {
        package enum Mode: String, Sendable, Codable {
            case off
            /// The breaker alerts the operators.
            case alert
            /// The breaker also stops the failing restores: for an hour, or for a day on probation.
            case stop
        }

        package var mode = Mode.alert
        /// The share of users with failed restores at which the breaker acts, in percent.
        package var failurePercent = 10
        /// The breaker acts only if at least this many established users sent reports
        /// (`RestoreReport.isOfEstablishedUser`).
        package var minimumUsers = 10
        /// The age up to which reports count, in hours.
        package var windowHours = 24

        package init() {}

        /// How far back reports count. A damaged database may hold any number of hours, so it is clamped.
        package var window: Duration { .seconds(min(max(windowHours, 1), 720) * 3600) }

        enum CodingKeys: CodingKey {
            case mode, failurePercent, minimumUsers, windowHours
        }
    }
}
