/// A command of the program: its arguments, its help text, and the function that runs it.
struct Subcommand: Sendable {
    /// The name, one to three words, such as `app create`.
    var name: String
    /// A one-line summary.
    var summary: String
    /// The names of the operands. Brackets mean optional, and a final `…` means repeatable.
    var operands: [String] = []
    /// The allowed operands. Empty if any operand is allowed.
    var operandWords: [String] = []
    var options: [Option] = []
    /// One or two paragraphs with details.
    var discussion: String?
    /// Complete command lines without the program's name, each with its effect.
    var examples: [(line: String, effect: String)] = []
    /// Whether the command reads the installed service's settings by default.
    var usesInstalledService = true
    /// Whether the command runs despite faults in the configuration file, and reports them itself.
    var toleratesFaults = false
    var run: @Sendable (Arguments) async throws(CommandFailure) -> Exit

    /// All options: `options`, `--help`, and `--config` if one of `options` is a setting.
    var allOptions: [Option] {
        options + (options.contains(where: \.isSetting) ? [.config] : []) + [.help]
    }
}

/// Commands with a common purpose, which `--help` groups together.
struct CommandGroup: Sendable {
    var title: String
    var subcommands: [Subcommand]

    init(_ title: String, _ subcommands: [Subcommand]) {
        self.title = title
        self.subcommands = subcommands
    }
}
