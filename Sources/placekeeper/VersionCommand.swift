import SQLiteStore

/// What was built.
enum Version {
    /// docs/versioning.md says what a change of it promises.
    static let number = "0.1.0"
}

extension Subcommand {
    static let version = Subcommand(
        name: "version", summary: "print the version, and that of the linked SQLite",
        options: [.json],
        examples: [("version", "prints both versions"), ("version --json", "prints them as an object")]
    ) { arguments throws(CommandFailure) in
        let sqlite = SQLiteStore.libraryVersion
        try Output.show(
            ["version": Version.number, "sqlite": sqlite], as: "placekeeper \(Version.number), SQLite \(sqlite)",
            for: arguments)
        return .success
    }
}
