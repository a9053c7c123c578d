import PlacekeeperSQLite

/// The program's version.
enum Version {
    /// The version number. docs/versioning.md defines its parts.
    static let number = "0.1.0"
    /// The date of this version, as in CHANGELOG.md. It is printed on the manual pages.
    static let date = "2026-11-25"
}

extension Subcommand {
    static let version = Subcommand(
        name: "version", summary: "print the version of placekeeper and of the linked SQLite",
        options: [.json],
        examples: [("version", "prints both versions"), ("version --json", "prints both versions as an object")]
    ) { arguments throws(CommandFailure) in
        let sqlite = SQLiteStore.libraryVersion
        try Output.show(
            ["version": Version.number, "sqlite": sqlite], as: "placekeeper \(Version.number), SQLite \(sqlite)",
            for: arguments)
        return .success
    }
}
