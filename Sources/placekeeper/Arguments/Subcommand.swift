/// A command of the program: what it takes, what its help says, and what it does.
struct Subcommand: Sendable {
    /// One or two words, such as `app create`.
    var name: String
    /// One line.
    var summary: String
    /// Names of the operands. One in brackets may be left out.
    var operands: [String] = []
    var options: [Option] = []
    /// More than the summary says: a paragraph or two.
    var discussion: String?
    /// Command lines that work as they stand, without the program's name, each with what it does.
    var examples: [(line: String, effect: String)] = []
    var run: @Sendable (Arguments) async throws(CommandFailure) -> Exit

    /// The options that may be given, with those that every command has.
    var allOptions: [Option] {
        options + (options.contains(where: \.isSetting) ? [.config] : []) + [.help]
    }
}
