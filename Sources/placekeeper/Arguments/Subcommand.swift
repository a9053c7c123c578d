/// A command of the program: its arguments, its help text, and the function that runs it.
struct Subcommand: Sendable {
    /// One or two words, such as `app create`.
    var name: String
    /// One line.
    var summary: String
    /// The names of the operands. An operand in brackets is optional.
    var operands: [String] = []
    var options: [Option] = []
    /// A paragraph or two with details.
    var discussion: String?
    /// Complete command lines without the program's name, each with a description of its effect.
    var examples: [(line: String, effect: String)] = []
    var run: @Sendable (Arguments) async throws(CommandFailure) -> Exit

    /// The command's options with the options that every command has.
    var allOptions: [Option] {
        options + (options.contains(where: \.isSetting) ? [.config] : []) + [.help]
    }
}
