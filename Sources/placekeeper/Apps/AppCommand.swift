import PlacekeeperCore
import PlacekeeperService

extension Subcommand {
    static let appCreate = Subcommand(
        name: "app create", summary: "add an app and print its publishable key",
        operands: ["ID"], options: [.data, .database, .databasePassword, .json],
        discussion: """
            ID is the app's bundle identifier. The app sends the key when it registers a device. The command writes to
            the database. A service that runs on the same directory accepts devices of the app at once. By default a
            device needs only the key to register: see app policy.
            """,
        examples: [
            ("app create com.example.photos --data /var/lib/placekeeper", "adds the app and prints its key"),
            ("app create com.example.photos --json", "prints an object with its publishableKey"),
        ]
    ) { arguments throws(CommandFailure) in
        try await Wiring.withDatabase(of: arguments, mayCreate: true) { opened throws(CommandFailure) in
            let app = try await opened.ask { service async throws(ServiceError) in
                try await service.apps.createApp(arguments.operands[0], by: .command(Wiring.Opened.person))
            }
            try Output.show(
                AppReport(app), as: "\(app.bundleIdentifier)  \(app.publishableKey)",
                next: (arguments.serviceAnswers ? "" : "placekeeper serve\(arguments.sharedFlags); ")
                    + "in the app: Placekeeper(URL(string: \"\(arguments.serviceURL)\")!, key: \"\(app.publishableKey)\")",
                for: arguments)
            return .success
        }
    }

    static let appList = Subcommand(
        name: "app list", summary: "list the apps with their publishable keys",
        options: [.data, .database, .databasePassword, .json],
        examples: [("app list --data /var/lib/placekeeper", "prints a line for each app")]
    ) { arguments throws(CommandFailure) in
        try await Wiring.withDatabase(of: arguments) { opened throws(CommandFailure) in
            let apps = try await opened.ask { service async throws(ServiceError) in try await service.apps.apps() }
            let reports = apps.map(AppReport.init)
            let rows = reports.map { [$0.bundleIdentifier, $0.publishableKey, $0.createdAt] }
            try Output.show(
                reports, as: Table(header: ["APP", "PUBLISHABLE KEY", "CREATED"], rows: rows).text, for: arguments)
            return .success
        }
    }

    static let appPolicy = Subcommand(
        name: "app policy", summary: "show an app's policy and settings, or change them",
        operands: ["ID"], options: [.data, .database, .databasePassword, .set, .json],
        discussion: """
            Settings (--set KEY=VALUE), with a SIZE as 512MiB, 500MB or a number of bytes:
            \(AppSetting.help)
            A service that runs on the same directory applies the change within a second.
            """,
        examples: [
            ("app policy com.example.photos", "shows the app's policy and settings"),
            ("app policy com.example.photos --set maximumAge=7d", "refuses archives that are older than a week"),
            ("app policy com.example.photos --set acceptedIdioms.pad=phone", "lets a pad restore a phone's full state"),
            ("app policy com.example.photos --set restoration=off", "tells clients to restore nothing"),
        ]
    ) { arguments throws(CommandFailure) in
        try await Wiring.withDatabase(of: arguments) { opened throws(CommandFailure) in
            let before = try await opened.app(arguments.operands[0])
            var app = before
            for change in arguments.values(of: .set) { try AppSetting.apply(change, to: &app.settings) }
            let settings = app.settings
            if settings != before.settings {
                let lines = AppSetting.all.compactMap { setting -> String? in
                    let (old, new) = (setting.show(before.settings), setting.show(settings))
                    return old == new ? nil : "\(setting.key): \(old) to \(new)"
                }
                let isReplaced = try await opened.ask { service async throws(ServiceError) in
                    try await service.apps.replaceSettings(of: before, with: settings, changing: lines, by: .person)
                }
                guard isReplaced else {
                    throw CommandFailure(.failure, "the settings were changed at the same time; run the command again")
                }
            }
            let rows = AppSetting.all.map { [$0.key, $0.show(app.settings)] }
            try Output.show(
                AppReport(app), as: Table(header: ["SETTING", app.bundleIdentifier], rows: rows).text, for: arguments)
            return .success
        }
    }
}

extension Option {
    static let set = Option("set", "KEY=VALUE", help: "change a setting", repeats: true)
}

extension Wiring.Opened {
    /// Returns the app with a bundle identifier or a publishable key.
    func app(_ name: String) async throws(CommandFailure) -> App {
        let apps = try await ask { service async throws(ServiceError) in try await service.apps.apps() }
        if let app = apps.first(where: { isSame($0.bundleIdentifier, name) || isSame($0.publishableKey, name) }) {
            return app
        }
        let known = apps.map(\.bundleIdentifier)
        let advice =
            nearest(to: name, among: known).map { "did you mean \($0)?" }
            ?? (known.isEmpty ? "add it with app create" : "app list shows all apps")
        throw CommandFailure(.failure, "there is no app \(quoted(name)); \(advice)")
    }
}
