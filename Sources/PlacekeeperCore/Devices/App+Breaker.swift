extension App.Settings {
    /// The settings of the breaker, which notices a release whose restores fail (`RestoreBreaker`).
    package struct Breaker: Sendable, Hashable, Codable {
        package enum Mode: String, Sendable, Codable {
            case off
            /// The breaker tells the operators.
            case alert
            /// In addition, the breaker stops the failing restores for an hour, or on probation for a day.
            case stop
        }

        package var mode = Mode.alert
        /// The least share of users with a failed restore at which the breaker acts.
        package var failurePercent = 10
        /// The least number of established users (`RestoreReport.isOfEstablishedUser`) at which the breaker acts.
        package var minimumUsers = 10
        /// The age of the oldest reports that the breaker counts.
        package var windowHours = 24

        package init() {}

        /// The time before now whose reports count. A damaged database may have any number of hours.
        package var window: Duration { .seconds(min(max(windowHours, 1), 720) * 3600) }

        enum CodingKeys: CodingKey {
            case mode, failurePercent, minimumUsers, windowHours
        }
    }
}
