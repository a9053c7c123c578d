extension CompletionTable {
    /// The script for fish.
    var fish: String {
        var lines: [String] = []
        for branch in branches {
            for (word, summary) in branch.words {
                lines.append(
                    "complete -c placekeeper -n \"__placekeeper_after \(branch.start.inSingleQuotes)\" "
                        + "-a \(word) -d \(summary.inSingleQuotes)")
            }
        }
        for subcommand in subcommands {
            let start = "complete -c placekeeper -n \"__placekeeper_in \(subcommand.name.inSingleQuotes)\""
            for option in subcommand.allOptions {
                let offer = option.value == nil ? "" : " " + Self.fish(Self.offer(for: option))
                lines.append("\(start) -l \(option.name)\(offer) -d \(option.help.inSingleQuotes)")
            }
            let offer = Self.offer(for: subcommand)
            if offer != .nothing { lines.append("\(start) \(Self.fish(offer, isOperand: true))") }
        }
        return """
            # Completion of placekeeper for fish. Made by placekeeper completions fish.
            # The words after `placekeeper help` and `placekeeper man` are a name of a command, too.
            function __placekeeper_after
                set -l words (commandline -opc)
                set -e words[1]
                contains -- "$words[1]" help man; and set -e words[1]
                test "$words" = "$argv"
            end
            function __placekeeper_in
                set -l words (commandline -opc)
                set -e words[1]
                string match -q -- "$argv *" "$words "
            end
            complete -c placekeeper -f
            \(lines.joined(separator: "\n"))

            """
    }

    private static func fish(_ offer: Offer, isOperand: Bool = false) -> String {
        switch offer {
        case .nothing: "-x"
        case .file: isOperand ? "-F" : "-r -F"
        case .directory: "-x -a '(__fish_complete_directories (commandline -ct))'"
        case .words(let words): "\(isOperand ? "" : "-x ")-a \(words.joined(separator: " ").inSingleQuotes)"
        }
    }
}
