extension Subcommand {
    static let completions = Subcommand(
        name: "completions", summary: "print a script with which a shell completes the command line",
        operands: ["SHELL"], operandWords: shells,
        discussion: """
            The script completes commands, options, words such as those of --log, files and directories. The packages
            install it. Elsewhere, write it to the folder from which the shell loads completions.
            """,
        examples: [
            (
                "completions bash > ~/.local/share/bash-completion/completions/placekeeper",
                "installs it for bash with the package bash-completion"
            ),
            ("completions zsh > ~/.zfunc/_placekeeper", "installs it for zsh, if fpath has ~/.zfunc"),
            ("completions fish > ~/.config/fish/completions/placekeeper.fish", "installs it for fish"),
        ]
    ) { arguments throws(CommandFailure) in
        let table = CompletionTable(Command.groups)
        let shell = arguments.operands[0]
        switch shell {
        case "bash": try Output.print(table.bash)
        case "zsh": try Output.print(table.zsh)
        case "fish": try Output.print(table.fish)
        default:
            let advice =
                nearest(to: shell, among: shells).map { "did you mean \($0)?" }
                ?? "give \(shells.alternatives)"
            throw CommandFailure(.usage, "there is no script for \(quoted(shell)); \(advice)")
        }
        return .success
    }

    private static let shells = ["bash", "zsh", "fish"]
}
