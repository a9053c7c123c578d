extension App.Settings {
    /// Rate limits for an app's requests and registrations. Each allows a number at once (the burst), then a rate.
    package struct RateLimits: Sendable, Hashable, Codable {
        package var deviceBurst = 600
        package var devicePerSecond = 20
        package var userBurst = 2000
        package var userPerSecond = 60
        package var appBurst = 10_000
        /// Nil for no limit on the requests of the whole app.
        package var appPerSecond: Int?
        /// Registrations of new anonymous users.
        package var registrationBurst = 10_000
        package var registrationsPerDay = 200_000

        package init() {}

        package var device: Quota { Quota(burst: deviceBurst, perSecond: devicePerSecond) }
        package var user: Quota { Quota(burst: userBurst, perSecond: userPerSecond) }
        package var app: Quota? { appPerSecond.map { Quota(burst: appBurst, perSecond: $0) } }
        package var registrations: Quota { Quota(burst: registrationBurst, perDay: registrationsPerDay) }

        enum CodingKeys: CodingKey {
            case deviceBurst, devicePerSecond, userBurst, userPerSecond, appBurst, appPerSecond, registrationBurst
            case registrationsPerDay
        }
    }
}
