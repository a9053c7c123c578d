extension App.Settings {
    /// Limits on what the service stores for an app and for each of its users. Nil means no limit.
    package struct Quotas: Sendable, Hashable, Codable {
        package var userBytes: Int? = 256 << 20
        /// An additional limit for users without an account.
        package var anonymousBytes: Int? = 32 << 20
        package var userArchives: Int? = 20_000
        /// Capped at `Limits.devices`, which also applies if this is nil.
        package var userDevices: Int? = Limits.devices
        /// Scenes per user that hold archives. Capped at `Limits.scenes`, which also applies if this is nil.
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
    /// Maximum number of devices per user.
    package var devices: Int { min(userDevices ?? Limits.devices, Limits.devices) }
    /// Maximum number of scenes per user that hold archives.
    package var scenes: Int { min(userScenes ?? Limits.scenes, Limits.scenes) }
    /// Maximum number of scenes per user that the store keeps a record of, including recently forgotten ones.
    package var knownScenes: Int { max(Limits.knownScenes, 2 * scenes) }

    /// Returns the first quota that a write would exceed. Only amounts that the write raises are checked, so a user who
    /// is over a quota can still delete data.
    ///
    /// - Parameters:
    ///   - growth: how the write changes the amounts.
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

    /// Returns whether a user has at least nine tenths of what a quota allows. An upload is refused before it exceeds the
    /// quota, so few users have all of it.
    package func isNearlyUsed(by usage: Usage, isSignedIn: Bool) -> Bool {
        func isNearly(_ limit: Int?, _ used: Int) -> Bool { limit.map { used >= $0 - $0 / 10 } ?? false }
        return isNearly(userBytes, usage.bytes) || isNearly(userArchives, usage.archives)
            || (!isSignedIn && isNearly(anonymousBytes, usage.bytes))
    }

    private static func excess(
        _ quota: QuotaExcess.Name, _ limit: Int?, _ used: Int, _ growth: Int
    ) -> QuotaExcess? {
        // The database may hold any value, so a negative limit counts as 0.
        guard let limit = limit.map({ max($0, 0) }), growth > 0, used > limit - growth else { return nil }
        return QuotaExcess(quota, limit: limit, used: used)
    }
}
