import PlacekeeperCore
import PlacekeeperService
import PlacekeeperSockets
import PlacekeeperSystem

extension Subcommand {
    static let dev = Subcommand(
        name: "dev", summary: "run the service while you develop an app, and print what its devices do",
        operands: ["[ID]"], options: [.listen, .lan, .url, .data, .database, .databasePassword, .json, .endWithInput],
        discussion: """
            ID is the app's bundle identifier, \(demoApp) by default. An app that does not exist is added. The command
            runs the service as serve does, and prints the address, the publishable key, and the lines of Swift with which
            the app connects. Then it prints, in plain words, what the app's devices save, get and fail to restore. When
            a device registers as a new user, the command prints a link code with which a second device joins this user.
            With --lan, phones in the same network reach the service, and the address and the link codes are also printed
            as QR codes. The lines contain titles of places, so use serve for other people's devices.
            """,
        examples: [
            ("dev com.example.photos", "listens on 127.0.0.1:8080, and prints the app's events"),
            ("dev com.example.photos --lan", "also serves phones in the same network"),
            ("dev com.example.photos --json", "prints each event as a line of JSON"),
            (
                "dev --listen 0.0.0.0:8080 --url http://localhost:8080",
                "prints the address at which a container's port is published"
            ),
        ],
        usesInstalledService: false
    ) { arguments throws(CommandFailure) in
        try await RunningService.run(arguments, endsWithTerminal: true) { running throws(CommandFailure) in
            let opened = running.opened
            let app = try await opened.appOrNew(arguments.operands.first ?? demoApp)
            try await opened.record(.eventsFollowed, in: app.id)
            // Follow the events before the first request arrives.
            let events = try await opened.ask { service async throws(ServiceError) in
                try await DevEvents(of: app, in: service)
            }
            let page = DevPage(app, at: running.address, url: running.url)
            let isJSON = try arguments.isOn(.json)
            if isJSON {
                try Output.write(Output.encoded(page.report(at: opened.service.clock.now())) + [0x0A])
            } else {
                try Output.print(page.text)
            }
            // A paused terminal must not block the service, so the events are buffered.
            let output = BufferedLog { try? Output.write($0) }
            return {
                var events = events
                await events.follow {
                    output.add(isJSON ? $0.line : page.line(of: $0, $1))
                } failed: {
                    Output.report("placekeeper: cannot print some events: \(clause($0.message))")
                }
                await output.finish()
            }
        }
    }

    private static let demoApp = "com.example.demo"
}

extension Option {
    static let lan = Option("lan", help: "listen on the whole network, at the port of --listen")
    static let endWithInput = Option(
        "end-with-input", help: "shut down when standard input ends, for a program that starts this command")
}

extension Wiring.Opened {
    /// Returns the app with a bundle identifier. Adds the app if there is none.
    fileprivate func appOrNew(_ identifier: String) async throws(CommandFailure) -> App {
        try await ask { service async throws(ServiceError) in
            if let app = try await service.apps.apps().first(where: { $0.bundleIdentifier == identifier }) {
                return app
            }
            return try await service.apps.createApp(identifier, by: .command(Self.person))
        }
    }
}

extension DevEvent {
    fileprivate var line: String { (try? String(decoding: Output.encoded(self), as: UTF8.self)) ?? "{}" }
}
