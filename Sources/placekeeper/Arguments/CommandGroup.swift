/// The commands with one purpose, which `--help` shows together.
struct CommandGroup: Sendable {
    var title: String
    var subcommands: [Subcommand]

    init(_ title: String, _ subcommands: [Subcommand]) {
        self.title = title
        self.subcommands = subcommands
    }
}
