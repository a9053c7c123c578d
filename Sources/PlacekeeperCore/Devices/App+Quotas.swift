extension App.Settings {
    /// The limits of the data that the service stores for an app and for each of its users. Nil means that there is no
    /// limit.
    package struct Quotas: Sendable, Hashable, Codable {
        package var userBytes: Int? = 256 << 20
        /// The limit for a user without an account, in addition to `userBytes`.
        package var anonymousBytes: Int? = 32 << 20
        package var userArchives: Int? = 20_000
        /// `Limits.devices` is the limit if this value is nil or greater.
        package var userDevices: Int? = Limits.devices
        /// The scenes of a user that hold archives. `Limits.scenes` is the limit if this value is nil or greater.
        package var userScenes: Int? = 256
        package var appBytes: Int? = 64 << 30
        package var appUsers: Int?
        package var appDevices: Int?

        package init() {}

        /// Quotas without limits.
        package static let none: Quotas = {
            var quotas = Quotas()
            (quotas.userBytes, quotas.anonymousBytes, quotas.userArchives) = (nil, nil, nil)
            (quotas.userDevices, quotas.userScenes, quotas.appBytes) = (nil, nil, nil)
            return quotas
        }()

        enum CodingKeys: CodingKey {
            case userBytes, anonymousBytes, userArchives, userDevices, userScenes, appBytes, appUsers, appDevices
        }
    }
}

extension App.Settings.Quotas {
    /// The maximum number of a user's devices.
    package var devices: Int { min(userDevices ?? Limits.devices, Limits.devices) }
    /// The maximum number of a user's scenes that hold archives.
    package var scenes: Int { min(userScenes ?? Limits.scenes, Limits.scenes) }
    /// The maximum number of a user's scenes of which the store keeps a record, including recently forgotten scenes.
    package var knownScenes: Int { max(Limits.knownScenes, 2 * scenes) }

    /// Returns the first quota that a write would exceed. A write that does not raise an amount does not exceed the
    /// quota of this amount, even if the amount is above the quota already. So a person can always delete data.
    ///
    /// - Parameters:
    ///   - growth: the change of the amounts by the write.
    ///   - stored: the amounts before the write.
    package func excess(adding growth: Usage, to stored: QuotaFacts) -> QuotaExcess? {
        let (user, app) = (stored.user, stored.app)
        return Self.excess(.anonymousBytes, stored.isSignedIn ? nil : anonymousBytes, user.bytes, growth.bytes)
            ?? Self.excess(.userBytes, userBytes, user.bytes, growth.bytes)
            ?? Self.excess(.userArchives, userArchives, user.archives, growth.archives)
            ?? Self.excess(.appBytes, appBytes, app.bytes, growth.bytes)
            ?? Self.excess(.appUsers, appUsers, app.users, growth.users)
            ?? Self.excess(.appDevices, appDevices, app.devices, growth.devices)
    }

    private static func excess(
        _ quota: QuotaExcess.Name, _ limit: Int?, _ used: Int, _ growth: Int
    ) -> QuotaExcess? {
        // Settings in the database may have any value, so a negative limit counts as 0.
        guard let limit = limit.map({ max($0, 0) }), growth > 0, used > limit - growth else { return nil }
        return QuotaExcess(quota, limit: limit, used: used)
    }
}
