/// The texts that `--help` prints.
enum HelpText {
    /// What the program is for.
    static let purpose = "placekeeper restores a person's place in an app, on the same device or on another device."
    static let sources = """
        A setting comes from the first of these places that has it: its flag, its environment variable
        (PLACEKEEPER_DATA for --data), the file that --config or PLACEKEEPER_CONFIG names (or else
        \(ConfigurationFile.installed)), its default.
        """
    static let exitCodes: [(exit: Exit, meaning: String)] = [
        (.success, "success"), (.failure, "the answer is no"), (.usage, "wrong usage"),
        (.unavailable, "unavailable"), (.configuration, "wrong configuration"),
    ]

    static func program(_ groups: [CommandGroup]) -> String {
        let rows = groups.map { $0.subcommands.map { (usage(of: $0), $0.summary) } }
        let width = rows.joined().map(\.0.count).max() ?? 0
        let lists = zip(groups, rows).map { "\($0.title):\n\(columns($1, width: width))" }
        return """
            \(purpose)

            Usage: placekeeper COMMAND [ARGUMENT …] [--OPTION VALUE …]

            \(lists.joined(separator: "\n\n"))

            For the options and examples of a command: placekeeper COMMAND --help
            \(sources)
            Exit codes: \(exitCodes.map { "\($0.exit.rawValue) \($0.meaning)" }.joined(separator: " · "))

            """
    }

    /// Returns the help for the commands whose names start with a word, such as `app`.
    static func group(_ word: String, of subcommands: [Subcommand]) -> String {
        """
        Usage: placekeeper \(word) COMMAND [ARGUMENT …] [--OPTION VALUE …]

        Commands:
        \(columns(subcommands.filter { $0.name.hasPrefix(word + " ") }.map { (usage(of: $0), $0.summary) }))

        For the options and examples of a command: placekeeper \(word) COMMAND --help

        """
    }

    static func subcommand(_ subcommand: Subcommand) -> String {
        var paragraphs = ["Usage: placekeeper \(usage(of: subcommand)) [--OPTION …]", subcommand.summary]
        if let discussion = subcommand.discussion { paragraphs.append(discussion) }
        paragraphs.append(
            "Options:\n"
                + columns(subcommand.allOptions.map { ($0.spelling + ($0.repeats ? " …" : ""), explanation(of: $0)) }))
        if !subcommand.examples.isEmpty {
            let lines = subcommand.examples.map { "  placekeeper \($0.line)\n      \($0.effect)" }
            paragraphs.append("Examples:\n" + lines.joined(separator: "\n"))
        }
        return paragraphs.joined(separator: "\n\n") + "\n"
    }

    static func usage(of subcommand: Subcommand) -> String {
        ([subcommand.name] + subcommand.operands).joined(separator: " ")
    }

    /// Returns the help for an option with its words, its default and its environment variable.
    static func explanation(of option: Option) -> String {
        var notes: [String] = option.isRequired ? ["required"] : []
        if let initial = option.initial { notes.append("default \(initial)") }
        if option.isSetting { notes.append(option.variable) }
        let words = option.words.isEmpty ? "" : ": " + option.choices
        return option.help + words + (notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))")
    }

    private static func columns(_ rows: [(String, String)], width: Int? = nil) -> String {
        let width = width ?? rows.map(\.0.count).max() ?? 0
        return rows.map { "  " + $0.0 + String(repeating: " ", count: width + 3 - $0.0.count) + $0.1 }
            .joined(separator: "\n")
    }
}
