/// What was built.
enum Version {
    /// docs/versioning.md says what a change of it promises.
    static let number = "0.1.0"
}

extension Subcommand {
    static let version = Subcommand(
        name: "version", summary: "print the version",
        options: [.json],
        examples: [("version", "prints the version"), ("version --json", "prints it as an object")]
    ) { arguments throws(CommandFailure) in
        try Output.show(["version": Version.number], as: "placekeeper " + Version.number, for: arguments)
        return .success
    }
}
