import PlacekeeperCore
import PlacekeeperService
import PlacekeeperSystem

extension Subcommand {
    static let userErase = Subcommand(
        name: "user erase", summary: "erase a user with all data, permanently",
        operands: ["APP", "[SUBJECT]"], options: [.data, .database, .databasePassword, .userInsteadOfSubject, .yes],
        discussion: """
            Deletes the devices with their tokens, the archives, screenshots, outcomes, registered items, decisions and
            changes. When the command ends, the data is deleted; a running service cleans its files within seconds. If an
            older backup is restored, the user is erased again; user import brings the user back from an export. On a
            terminal the command asks first. A service may run on the same directory. Exit code 1 means that there is no
            such user.
            """,
        examples: [
            ("user erase com.example.photos anna", "asks, and erases the user of the account anna"),
            ("user erase com.example.photos --user 7d4f… --yes", "erases an anonymous user without a question"),
        ]
    ) { arguments throws(CommandFailure) in
        try await Wiring.withDatabase(of: arguments) { opened throws(CommandFailure) in
            let (app, owner) = try await opened.selectedUser(arguments)
            if try !arguments.isOn(.yes) {
                guard isatty(STDIN_FILENO) == 1 else {
                    throw CommandFailure(.usage, "there is no terminal to confirm the erasure; give --yes")
                }
                Output.report("Erase the user \(owner.user) of \(app.bundleIdentifier) with all data? Type yes:")
                guard readLine() == "yes" else { throw CommandFailure(.failure, "the user was not erased") }
            }
            let existed = try await opened.ask { service async throws(ServiceError) in
                try await service.accounts.erase(owner, by: .command(Wiring.Opened.person))
            }
            guard existed else { throw CommandFailure(.failure, "the user was erased in the meantime") }
            try Output.print("erased the user \(owner.user)")
            return .success
        }
    }
}

extension Option {
    static let yes = Option("yes", help: "do not ask for confirmation")
}
