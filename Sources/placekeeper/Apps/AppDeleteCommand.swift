import PlacekeeperCore
import PlacekeeperService
import PlacekeeperSystem

extension Subcommand {
    static let appDelete = Subcommand(
        name: "app delete", summary: "delete an app with all its users and their data, permanently",
        operands: ["ID"], options: [.data, .database, .databasePassword, .confirm],
        discussion: """
            Give the bundle identifier again with --confirm. On a terminal the command asks for it. From the start, the
            app's tokens and its publishable key are unknown, so devices send nothing more. Then the users are deleted one
            by one. If the command is interrupted, run it again, or start the service: it goes on. The entries of the app's
            audit log expire. If an older backup is restored, the app is deleted again. A service may run on the same
            directory.
            """,
        examples: [
            ("app delete com.example.photos", "asks, and deletes the app"),
            ("app delete com.example.photos --confirm com.example.photos", "deletes the app without a question"),
        ]
    ) { arguments throws(CommandFailure) in
        try await Wiring.withDatabase(of: arguments) { opened throws(CommandFailure) in
            let app = try await opened.app(arguments.operands[0])
            let name = app.bundleIdentifier
            var confirmation = arguments.value(of: .confirm)
            if confirmation == nil {
                guard isatty(STDIN_FILENO) == 1 else {
                    throw CommandFailure(.usage, "there is no terminal to confirm the deletion; give --confirm \(name)")
                }
                Output.report("Delete the app \(name) with all users and their data? Type its bundle identifier:")
                confirmation = readLine()
            }
            guard let confirmation, isSame(confirmation, name) else {
                throw CommandFailure(.failure, "the app was not deleted: --confirm must be \(name)")
            }
            let progress = Progress()
            defer { progress.end() }
            try await opened.ask { service async throws(ServiceError) in
                if !app.isBeingDeleted { try await service.apps.delete(app, by: .person) }
                try await service.apps.continueDeletions { app, users in
                    progress.show("deleting \(app.bundleIdentifier): \(users) users left")
                }
            }
            progress.end()
            try Output.print("deleted the app \(name)")
            return .success
        }
    }
}

extension Option {
    static let confirm = Option("confirm", "ID", help: "the app's bundle identifier again, in place of a question")
}
