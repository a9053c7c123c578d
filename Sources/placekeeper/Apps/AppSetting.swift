import RestorationService

/// A setting of an app under the name that the command line calls it by.
struct AppSetting: Sendable {
    var key: String
    /// What its value may be.
    var values: String
    var help: String
    var show: @Sendable (App.Settings) -> String
    /// False when the value is none of those.
    var change: @Sendable (String, inout App.Settings) -> Bool

    static let all: [AppSetting] =
        [
            choice("registration", \.registration, [.open, .linkOnly], "who may register a device"),
            choice("restoration", \.restoration, [.auto, .offer, .off], "what clients do with what they get"),
            flag("allowsSnapshots", \.allowsSnapshots, "whether pictures of screens are kept"),
            number(
                "retainedArchives", \.retainedArchives, Limits.retainedArchives,
                "archives kept for each scene and idiom"),
            flag("allowsPlace", \.policy.allowsPlace, "whether a place may go where the state may not"),
            choice(
                "stateVersions", \.policy.stateVersions, [.exact, .atMost, .any],
                "which state versions a device takes"),
            flag("allowsNewerBundleVersion", \.policy.allowsNewerBundleVersion, "from a newer version of the app"),
            optional(
                "minimumBundleVersion", \.policy.minimumBundleVersion, "VERSION", "from this version of the app on",
                read: { $0.isEmpty ? nil : $0 }, write: { $0 }),
            flag("allowsNewerSystemVersion", \.policy.allowsNewerSystemVersion, "from a newer major system version"),
            optional(
                "maximumAgeDays", \.policy.maximumAgeDays, "DAYS", "how old a state may be",
                read: { Int($0).flatMap { $0 > 0 ? $0 : nil } }, write: { "\($0)" }),
        ] + Idiom.allCases.filter { $0 != .unspecified }.map(accepted)

    /// Makes a change that is written as `key=value`.
    static func apply(_ change: String, to settings: inout App.Settings) throws(CommandFailure) {
        let parts = change.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { throw CommandFailure(.usage, "write --set KEY=VALUE, not \(quoted(change))") }
        guard let setting = all.first(where: { $0.key == parts[0] }) else {
            let advice =
                nearest(to: parts[0], among: all.map(\.key)).map { "did you mean \($0)?" }
                ?? "placekeeper app policy --help lists them"
            throw CommandFailure(.usage, "no setting is called \(quoted(parts[0])); \(advice)")
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
    private typealias Path<Value> = any WritableKeyPath<App.Settings, Value> & Sendable

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

    private static func optional<Value>(
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

    /// The idioms whose full state a target idiom accepts besides its own.
    private static func accepted(by target: Idiom) -> AppSetting {
        let name = target.name
        return AppSetting(
            key: "acceptedIdioms.\(name)", values: "IDIOM,…|none", help: "whose full state a \(name) may restore, too",
            show: { settings in
                let accepted = settings.policy.acceptedIdioms[name] ?? []
                return accepted.isEmpty ? "none" : accepted.joined(separator: ",")
            },
            change: { text, settings in
                let idioms = text.split(separator: ",", omittingEmptySubsequences: false)
                guard text == "none" || idioms.allSatisfy({ Idiom(name: $0) != nil }) else { return false }
                settings.policy.acceptedIdioms[name] = text == "none" ? nil : idioms.map(String.init)
                return true
            })
    }
}
