/// A command of the program: its arguments, its help text, and the function that runs it.
struct Subcommand: Sendable {
    /// The name: one to three words, such as `app create`.
    var name: String
    /// The summary: one line.
    var summary: String
    /// The names of the operands. An operand in brackets is optional, and may be given several times if it ends with `…`.
    var operands: [String] = []
    /// The allowed operands. Empty if any operand is allowed.
    var operandWords: [String] = []
    var options: [Option] = []
    /// A paragraph or two with details.
    var discussion: String?
    /// Complete command lines without the program's name, each with a description of its effect.
    var examples: [(line: String, effect: String)] = []
    /// Whether the command reads the installed service's settings by default.
    var usesInstalledService = true
    /// Whether the command runs despite faults in the configuration file, and reports them itself.
    var toleratesFaults = false
    var run: @Sendable (Arguments) async throws(CommandFailure) -> Exit

    /// The options in `options`, `--help`, and `--config` if one of `options` is a setting.
    var allOptions: [Option] {
        options + (options.contains(where: \.isSetting) ? [.config] : []) + [.help]
    }
}

/// The commands with one purpose, which `--help` shows together.
struct CommandGroup: Sendable {
    var title: String
    var subcommands: [Subcommand]

    init(_ title: String, _ subcommands: [Subcommand]) {
        self.title = title
        self.subcommands = subcommands
    }
}
