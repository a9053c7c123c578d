/// A command of the program: its arguments, its help text, and the function that runs it.
struct Subcommand: Sendable {
    /// The name: one to three words, such as `app create`.
    var name: String
    /// The summary: one line.
    var summary: String
    /// The names of the operands. An operand in brackets is optional, and may be given several times if it ends with `…`.
    var operands: [String] = []
    /// The words of which an operand must be one. Empty if other operands are allowed.
    var operandWords: [String] = []
    var options: [Option] = []
    /// A paragraph or two with details.
    var discussion: String?
    /// Complete command lines without the program's name, each with a description of its effect.
    var examples: [(line: String, effect: String)] = []
    /// Whether the command has the settings of the service that is installed on this machine, if no file is named.
    var usesInstalledService = true
    /// Whether the command runs although the configuration file has faults. It reports them itself.
    var toleratesFaults = false
    var run: @Sendable (Arguments) async throws(CommandFailure) -> Exit

    /// The options in `options`, `--help`, and `--config` if one of `options` is a setting.
    var allOptions: [Option] {
        options + (options.contains(where: \.isSetting) ? [.config] : []) + [.help]
    }
}
