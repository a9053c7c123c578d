import PlacekeeperCore
import PlacekeeperService

/// An app setting that the command line can show and change.
struct AppSetting: Sendable {
    var key: String
    /// The allowed values, for help and errors.
    var values: String
    var help: String
    var show: @Sendable (App.Settings) -> String
    /// Changes the setting. Returns false if the value is not allowed.
    var change: @Sendable (String, inout App.Settings) -> Bool

    static let all: [AppSetting] =
        [
            choice("registration", \.registration, [.open, .linkOnly, .token], "how a device may register"),
            text("issuer", \.signIn.issuer, "required issuer (iss) of sign-in tokens"),
            text("audience", \.signIn.audience, "required audience (aud) of sign-in tokens"),
            list(
                "webOrigins", "ORIGIN", "origins of the web pages that may use the service",
                read: { $0.webOrigins }, write: { $0.webOrigins = $1 },
                // The service says what is wrong with an origin.
                isValid: { !$0.isEmpty }),
            choice("breaker", \.breaker.mode, [.off, .alert, .stop], "what the service does if restores fail"),
            choice("restoration", \.restoration, [.auto, .offer, .off], "how clients use the archive"),
            flag("allowsScreenshots", \.allowsScreenshots, "whether screenshots are kept"),
            flag("showsContents", \.showsContents, "whether administrators see the contents of archives"),
            number(
                "retainedArchives", \.retainedArchives, Limits.retainedArchives,
                "number of archives kept for each scene and idiom"),
            flag("allowsPlace", \.policy.allowsPlace, "whether a device may get only the place"),
            choice(
                "stateVersions", \.policy.stateVersions, [.exact, .atMost, .any],
                "accepted state versions"),
            flag(
                "allowsNewerBundleVersion", \.policy.allowsNewerBundleVersion,
                "whether to accept the full state of a newer app version"),
            optional(
                "minimumBundleVersion", \.policy.minimumBundleVersion, "VERSION", "oldest accepted version of the app",
                read: { $0.isEmpty ? nil : $0 }, write: { $0 }),
            flag(
                "allowsNewerSystemVersion", \.policy.allowsNewerSystemVersion,
                "whether to accept the full state of a newer major system version"),
            optional(
                "maximumAge", \.policy.maximumAge, "30m|12h|7d|…", "maximum age of a state",
                read: { TimeSpan($0).flatMap { $0.count > 0 && $0.duration <= Limits.maximumAge ? $0 : nil } },
                write: { "\($0)" }),
            optional(
                "tokenLifetime", \.tokenLifetime, "7d|30d|3650d|…", "time without use after which a sign-in expires",
                read: { TimeSpan($0).flatMap { Limits.tokenLifetime.contains($0.duration) ? $0 : nil } },
                write: { "\($0)" }),
            number(
                "deviceBurst", \.rateLimits.deviceBurst, Limits.requestBurst, "requests that a device may send at once"),
            number(
                "devicePerSecond", \.rateLimits.devicePerSecond, Limits.requestsPerSecond,
                "requests per second of a device after the burst"),
            number("userBurst", \.rateLimits.userBurst, Limits.requestBurst, "requests that a user may send at once"),
            number(
                "userPerSecond", \.rateLimits.userPerSecond, Limits.requestsPerSecond,
                "requests per second of a user after the burst"),
            number("appBurst", \.rateLimits.appBurst, Limits.requestBurst, "requests that the app may send at once"),
            optional(
                "appPerSecond", \.rateLimits.appPerSecond, "NUMBER", "requests per second of the app after the burst",
                read: { Int($0).flatMap { Limits.requestsPerSecond.contains($0) ? $0 : nil } }, write: { "\($0)" }),
            number(
                "registrationBurst", \.rateLimits.registrationBurst, Limits.requestBurst,
                "new users that may register at once"),
            number(
                "registrationsPerDay", \.rateLimits.registrationsPerDay, Limits.registrationsPerDay,
                "new users per day after the burst"),
            bytes("userBytes", \.quotas.userBytes, "bytes of a user's archives, screenshots and items"),
            bytes("anonymousBytes", \.quotas.anonymousBytes, "the same for a user without an account"),
            count("userArchives", \.quotas.userArchives, Limits.quotaCount, "archives of a user"),
            count("userDevices", \.quotas.userDevices, 1...Limits.devices, "devices of a user"),
            count("userScenes", \.quotas.userScenes, 1...Limits.scenes, "scenes of a user that hold archives"),
            bytes("appBytes", \.quotas.appBytes, "bytes of all users of the app"),
            count("appUsers", \.quotas.appUsers, Limits.quotaCount, "users of the app"),
            count("appDevices", \.quotas.appDevices, Limits.quotaCount, "devices of the app"),
        ] + Idiom.allCases.filter { $0 != .unspecified }.map(accepted)

    /// Applies a change in the form `key=value`.
    static func apply(_ change: String, to settings: inout App.Settings) throws(CommandFailure) {
        let parts = change.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { throw CommandFailure(.usage, "write --set KEY=VALUE, not \(quoted(change))") }
        guard let setting = all.first(where: { isSame($0.key, parts[0]) }) else {
            let advice =
                nearest(to: parts[0], among: all.map(\.key)).map { "did you mean \($0)?" }
                ?? "placekeeper app policy --help lists the settings"
            throw CommandFailure(.usage, "there is no setting \(quoted(parts[0])); \(advice)")
        }
        guard setting.change(parts[1], &settings) else {
            throw CommandFailure(.usage, "\(setting.key) cannot be \(quoted(parts[1])); set it to \(setting.values)")
        }
    }

    static var help: String {
        let width = all.map { $0.key.count + $0.values.count }.max() ?? 0
        return all.map { setting in
            let start = "\(setting.key)=\(setting.values)"
            return "  " + start + String(repeating: " ", count: width + 3 - start.count) + setting.help
        }.joined(separator: "\n")
    }
}

extension AppSetting {
    typealias Path<Value> = any WritableKeyPath<App.Settings, Value> & Sendable

    private static func choice<Value: RawRepresentable<String> & Sendable>(
        _ key: String, _ path: Path<Value>, _ values: [Value], _ help: String
    ) -> AppSetting {
        AppSetting(
            key: key, values: values.map(\.rawValue).joined(separator: "|"), help: help,
            show: { $0[keyPath: path].rawValue },
            change: { text, settings in
                guard let value = Value(rawValue: text) else { return false }
                settings[keyPath: path] = value
                return true
            })
    }

    private static func flag(
        _ key: String, _ path: Path<Bool>, _ help: String
    ) -> AppSetting {
        AppSetting(
            key: key, values: "true|false", help: help, show: { "\($0[keyPath: path])" },
            change: { text, settings in
                guard let value = Bool(text) else { return false }
                settings[keyPath: path] = value
                return true
            })
    }

    private static func number(
        _ key: String, _ path: Path<Int>, _ range: ClosedRange<Int>, _ help: String
    ) -> AppSetting {
        AppSetting(
            key: key, values: "\(range.lowerBound)…\(range.upperBound)", help: help, show: { "\($0[keyPath: path])" },
            change: { text, settings in
                guard let value = Int(text), range.contains(value) else { return false }
                settings[keyPath: path] = value
                return true
            })
    }

    static func optional<Value>(
        _ key: String, _ path: Path<Value?>, _ name: String, _ help: String,
        read: @escaping @Sendable (String) -> Value?, write: @escaping @Sendable (Value) -> String
    ) -> AppSetting {
        AppSetting(
            key: key, values: "\(name)|none", help: help,
            show: { $0[keyPath: path].map(write) ?? "none" },
            change: { text, settings in
                let value = read(text)
                guard text == "none" || value != nil else { return false }
                settings[keyPath: path] = text == "none" ? nil : value
                return true
            })
    }

    private static func text(_ key: String, _ path: Path<String?>, _ help: String) -> AppSetting {
        optional(key, path, "TEXT", help, read: { $0.isEmpty ? nil : $0 }, write: { $0 })
    }

    /// Returns the setting that lists the other idioms whose full state a device of the target idiom may restore.
    private static func accepted(by target: Idiom) -> AppSetting {
        let name = target.name
        return list(
            "acceptedIdioms.\(name)", "IDIOM", "other idioms whose full state a \(name) restores",
            read: { $0.policy.acceptedIdioms[name] ?? [] },
            write: { $0.policy.acceptedIdioms[name] = $1.isEmpty ? nil : $1 }, isValid: { Idiom(name: $0) != nil })
    }

    /// A list of texts, separated by commas.
    private static func list(
        _ key: String, _ name: String, _ help: String, read: @escaping @Sendable (App.Settings) -> [String],
        write: @escaping @Sendable (inout App.Settings, [String]) -> Void,
        isValid: @escaping @Sendable (String) -> Bool
    ) -> AppSetting {
        AppSetting(
            key: key, values: "\(name),…|none", help: help,
            show: { read($0).isEmpty ? "none" : read($0).joined(separator: ",") },
            change: { text, settings in
                let texts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
                guard text == "none" || texts.allSatisfy(isValid) else { return false }
                write(&settings, text == "none" ? [] : texts)
                return true
            })
    }
}
