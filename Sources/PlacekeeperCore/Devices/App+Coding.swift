// Stored settings may come from an older version. Missing members take their defaults, so documents stay readable when
// a setting is added.

extension App.Settings {
    package init(from decoder: any Decoder) throws {
        self.init()
        let members = try decoder.container(keyedBy: CodingKeys.self)
        try members.read(.policy, into: &policy)
        try members.read(.signIn, into: &signIn)
        try members.read(.registration, into: &registration)
        try members.read(.webOrigins, into: &webOrigins)
        try members.read(.restoration, into: &restoration)
        try members.read(.allowsScreenshots, into: &allowsScreenshots)
        try members.read(.showsContents, into: &showsContents)
        try members.read(.retainedArchives, into: &retainedArchives)
        try members.read(.rateLimits, into: &rateLimits)
        try members.read(.quotas, into: &quotas)
        try members.read(.tokenLifetime, into: &tokenLifetime)
        try members.read(.breaker, into: &breaker)
        try members.read(.stoppedRestores, into: &stoppedRestores)
        try members.read(.isBeingDeleted, into: &isBeingDeleted)
    }
}

extension App.Settings.Breaker {
    package init(from decoder: any Decoder) throws {
        self.init()
        let members = try decoder.container(keyedBy: CodingKeys.self)
        try members.read(.mode, into: &mode)
        try members.read(.failurePercent, into: &failurePercent)
        try members.read(.minimumUsers, into: &minimumUsers)
        try members.read(.windowHours, into: &windowHours)
    }
}

extension App.Settings.RateLimits {
    package init(from decoder: any Decoder) throws {
        self.init()
        let members = try decoder.container(keyedBy: CodingKeys.self)
        try members.read(.deviceBurst, into: &deviceBurst)
        try members.read(.devicePerSecond, into: &devicePerSecond)
        try members.read(.userBurst, into: &userBurst)
        try members.read(.userPerSecond, into: &userPerSecond)
        try members.read(.appBurst, into: &appBurst)
        try members.read(.appPerSecond, into: &appPerSecond)
        try members.read(.registrationBurst, into: &registrationBurst)
        try members.read(.registrationsPerDay, into: &registrationsPerDay)
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(deviceBurst, forKey: .deviceBurst)
        try members.encode(devicePerSecond, forKey: .devicePerSecond)
        try members.encode(userBurst, forKey: .userBurst)
        try members.encode(userPerSecond, forKey: .userPerSecond)
        try members.encode(appBurst, forKey: .appBurst)
        // If the app has no limit, encode null, as the command prints it.
        try members.encode(appPerSecond, forKey: .appPerSecond)
        try members.encode(registrationBurst, forKey: .registrationBurst)
        try members.encode(registrationsPerDay, forKey: .registrationsPerDay)
    }
}

extension App.Settings.Quotas {
    package init(from decoder: any Decoder) throws {
        self.init()
        let members = try decoder.container(keyedBy: CodingKeys.self)
        try members.read(.userBytes, into: &userBytes)
        try members.read(.anonymousBytes, into: &anonymousBytes)
        try members.read(.userArchives, into: &userArchives)
        try members.read(.userDevices, into: &userDevices)
        try members.read(.userScenes, into: &userScenes)
        try members.read(.appBytes, into: &appBytes)
        try members.read(.appUsers, into: &appUsers)
        try members.read(.appDevices, into: &appDevices)
    }

    /// Encodes a quota without a limit as null, because a missing member means the default.
    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(userBytes, forKey: .userBytes)
        try members.encode(anonymousBytes, forKey: .anonymousBytes)
        try members.encode(userArchives, forKey: .userArchives)
        try members.encode(userDevices, forKey: .userDevices)
        try members.encode(userScenes, forKey: .userScenes)
        try members.encode(appBytes, forKey: .appBytes)
        try members.encode(appUsers, forKey: .appUsers)
        try members.encode(appDevices, forKey: .appDevices)
    }
}

extension App.Settings.SignIn {
    package init(from decoder: any Decoder) throws {
        self.init()
        let members = try decoder.container(keyedBy: CodingKeys.self)
        try members.read(.issuer, into: &issuer)
        try members.read(.audience, into: &audience)
        try members.read(.keysFile, into: &keysFile)
        try members.read(.keys, into: &keys)
    }
}

extension CompatibilityPolicy {
    package init(from decoder: any Decoder) throws {
        self.init()
        let members = try decoder.container(keyedBy: CodingKeys.self)
        try members.read(.acceptedIdioms, into: &acceptedIdioms)
        try members.read(.allowsPlace, into: &allowsPlace)
        try members.read(.stateVersions, into: &stateVersions)
        try members.read(.allowsNewerBundleVersion, into: &allowsNewerBundleVersion)
        try members.read(.minimumBundleVersion, into: &minimumBundleVersion)
        try members.read(.allowsNewerSystemVersion, into: &allowsNewerSystemVersion)
        if members.contains(.maximumAgeDays) {
            maximumAge = try members.decode(Int?.self, forKey: .maximumAgeDays).map(TimeSpan.days)
        }
        try members.read(.maximumAge, into: &maximumAge)
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(acceptedIdioms, forKey: .acceptedIdioms)
        try members.encode(allowsPlace, forKey: .allowsPlace)
        try members.encode(stateVersions, forKey: .stateVersions)
        try members.encode(allowsNewerBundleVersion, forKey: .allowsNewerBundleVersion)
        try members.encode(minimumBundleVersion, forKey: .minimumBundleVersion)
        try members.encode(allowsNewerSystemVersion, forKey: .allowsNewerSystemVersion)
        // If there is no maximum age, encode null, because a missing member means the default.
        try members.encode(maximumAge, forKey: .maximumAge)
    }
}

extension KeyedDecodingContainer {
    /// Replaces the value if the member is present.
    fileprivate func read<Value: Decodable>(_ key: Key, into value: inout Value) throws {
        if contains(key) { value = try decode(Value.self, forKey: key) }
    }
}
