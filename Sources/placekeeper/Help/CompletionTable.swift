/// Shell completions, generated from the table of commands.
struct CompletionTable: Sendable {
    /// Candidates for an operand or an option's value.
    enum Offer: Sendable, Hashable {
        case nothing, file, directory
        case words([String])
    }

    /// The words that can follow the start of command names, such as `create` and `list` after `app`.
    struct Branch: Sendable {
        /// Empty for the start of the line.
        var start: String
        var words: [(word: String, summary: String)]
    }

    let subcommands: [Subcommand]
    let branches: [Branch]

    init(_ groups: [CommandGroup]) {
        subcommands = groups.flatMap(\.subcommands)
        var branches = [Branch(start: "", words: [])]
        for subcommand in subcommands {
            var start = ""
            for word in subcommand.name.split(separator: " ").map(String.init) {
                if !branches.contains(where: { $0.start == start }) { branches.append(Branch(start: start, words: [])) }
                let name = start.isEmpty ? word : start + " " + word
                if let index = branches.firstIndex(where: { $0.start == start }),
                    !branches[index].words.contains(where: { $0.word == word })
                {
                    let summary = name == subcommand.name ? subcommand.summary : "commands of \(name)"
                    branches[index].words.append((word, summary))
                }
                start = name
            }
        }
        branches[0].words.append(("help", "show the help on a command"))
        self.branches = branches
    }

    /// The command names, and every group of them, such as `app`.
    var starts: [String] {
        var starts = branches.dropFirst().map(\.start)
        for name in subcommands.map(\.name) where !starts.contains(name) { starts.append(name) }
        return starts
    }

    static func offer(for option: Option) -> Offer { offer(placeholder: option.value ?? "", option.words) }

    /// Returns the completion for a command's operands.
    static func offer(for subcommand: Subcommand) -> Offer {
        let offers = subcommand.operands.map { operand in
            offer(placeholder: operand.filter { $0 != "[" && $0 != "]" }, subcommand.operandWords)
        }
        return offers.first { $0 != .nothing } ?? .nothing
    }

    private static func offer(placeholder: String, _ words: [String]) -> Offer {
        switch placeholder {
        case _ where !words.isEmpty: .words(words)
        case "DIR": .directory
        case "FILE", "PATH", "A", "B": .file
        default: .nothing
        }
    }
}
