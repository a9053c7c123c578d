/// The texts that `--help` prints.
enum HelpText {
    static func program(_ subcommands: [Subcommand]) -> String {
        """
        placekeeper restores a person's place in an app, on the same device or on another device.

        Usage: placekeeper COMMAND [ARGUMENT …] [--OPTION VALUE …]

        Commands:
        \(list(subcommands))

        For the options and examples of a command: placekeeper COMMAND --help
        A setting comes from the first of these places that has it: its flag, its environment variable
        (PLACEKEEPER_DATA for --data), the file that --config or PLACEKEEPER_CONFIG names, its default.
        Exit codes: 0 success · 1 the answer is no · 2 wrong usage · 69 unavailable · 78 wrong configuration

        """
    }

    /// Returns the help on the commands whose names begin with a word, such as `app`.
    static func group(_ word: String, of subcommands: [Subcommand]) -> String {
        """
        Usage: placekeeper \(word) COMMAND [ARGUMENT …] [--OPTION VALUE …]

        Commands:
        \(list(subcommands.filter { $0.name.hasPrefix(word + " ") }))

        For the options and examples of a command: placekeeper \(word) COMMAND --help

        """
    }

    private static func list(_ subcommands: [Subcommand]) -> String {
        columns(subcommands.map { (usage(of: $0), $0.summary) })
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

    private static func usage(of subcommand: Subcommand) -> String {
        ([subcommand.name] + subcommand.operands).joined(separator: " ")
    }

    private static func explanation(of option: Option) -> String {
        var notes: [String] = option.isRequired ? ["required"] : []
        if let initial = option.initial { notes.append("default \(initial)") }
        if option.isSetting { notes.append(option.variable) }
        return option.help + (notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))")
    }

    private static func columns(_ rows: [(String, String)]) -> String {
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { "  " + $0.0 + String(repeating: " ", count: width + 3 - $0.0.count) + $0.1 }
            .joined(separator: "\n")
    }
}
