import PlacekeeperSystem
import PlacekeeperFiles
import PlacekeeperSQLite

extension Subcommand {
    static let man = Subcommand(
        name: "man", summary: "print a page of the manual, or write all pages to a directory",
        operands: ["[COMMAND …]"], options: [.manualDirectory],
        discussion: """
            The pages have the same contents as --help, in the language of man(1). Without COMMAND, the page of the whole
            program is printed. placekeeper.conf in place of COMMAND prints the page about the configuration file. With
            --output, a page for each command, placekeeper.1 and placekeeper.conf.5 are written. Pages of an earlier
            version are replaced. The same version always writes the same bytes.
            """,
        examples: [
            ("man app create | man -l -", "shows the page of a command"),
            ("man placekeeper.conf", "prints the page about the configuration file"),
            ("man --output DIR", "writes all pages into a directory"),
        ]
    ) { arguments throws(CommandFailure) in
        guard let directory = arguments.value(of: .manualDirectory) else {
            try Output.print(try page(of: arguments.operands).text)
            return .success
        }
        guard arguments.operands.isEmpty else {
            throw CommandFailure(.usage, "--output writes the pages of all commands; leave COMMAND out")
        }
        try Files.makeDirectory(directory, mode: 0o755)
        let pages = ManualPage.all(of: Command.groups)
        do throws(PathFault) {
            for page in pages { try write(page, in: directory) }
        } catch {
            throw CommandFailure(writing: error)
        }
        try Output.print("wrote \(pages.count) pages to \(quoted(directory))")
        try Output.next("man -l \(shellQuoted(directory + "/" + pages[0].fileName))", for: arguments)
        return .success
    }

    private static func page(of words: [String]) throws(CommandFailure) -> ManualPage {
        if words.isEmpty { return ManualPage.program(Command.groups) }
        let subcommands = Command.parser.subcommands
        if words.count == 1, isSame(words[0], "placekeeper.conf") { return ManualPage.file(subcommands) }
        guard let subcommand = subcommands.first(where: { isSame($0.name, words.joined(separator: " ")) }) else {
            throw Command.parser.unknownCommand(words)
        }
        return ManualPage.command(subcommand, among: subcommands)
    }

    /// Writes a page that everyone may read. Replaces a page of an earlier version, but no other file.
    private static func write(_ page: ManualPage, in directory: String) throws(PathFault) {
        let target = try WritePath(
            directory + "/" + page.fileName, replacing: pages,
            outside: SQLiteStore.dataDirectories(besides: nil))
        let file = try PartialFile(for: target, leftover: pages)
        do throws(PathFault) {
            let bytes = Array(page.text.utf8)
            let count = PlacekeeperSystem.write(file.descriptor, bytes, bytes.count)
            guard count == bytes.count, fchmod(file.descriptor, 0o644) == 0 else {
                throw PathFault(target.path, failed: "write", count < 0 ? errno : ENOSPC)
            }
            try file.install()
        } catch {
            file.discard()
            throw error
        }
    }

    private static let pages = WritePath.Replaceable("a page that placekeeper man has written") {
        $0.starts(with: ".\\\" Made by placekeeper man.".utf8)
    }
}

extension Option {
    static let manualDirectory = Option(
        "output", "DIR", help: "write all pages to this directory, which is created if it does not exist")
}
