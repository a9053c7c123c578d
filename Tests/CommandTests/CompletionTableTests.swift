import Testing

@testable import placekeeper

/// `.ci/completions` runs the scripts in the shells.
@Suite struct CompletionTableTests {
    static let table = CompletionTable(Command.groups)

    @Test func offersTheNextWordOfEveryName() throws {
        for subcommand in Command.parser.subcommands {
            let words = subcommand.name.split(separator: " ").map(String.init)
            for (index, word) in words.enumerated() {
                let start = words[..<index].joined(separator: " ")
                let branch = try #require(Self.table.branches.first { $0.start == start })
                #expect(branch.words.count { $0.word == word } == 1, "\(subcommand.name)")
            }
        }
        let admin = try #require(Self.table.branches.first { $0.start == "admin" }).words
        #expect(admin.map(\.word) == ["create", "list", "reset", "remove", "token"])
    }

    @Test func offersFilesDirectoriesAndWords() {
        #expect(CompletionTable.offer(for: Option.data) == .directory)
        #expect(CompletionTable.offer(for: Option.config) == .file)
        #expect(CompletionTable.offer(for: Option.log) == .words(["all", "errors"]))
        #expect(CompletionTable.offer(for: Option.listen) == .nothing)
        #expect(CompletionTable.offer(for: .inspect) == .file)
        #expect(CompletionTable.offer(for: .userImport) == .file)
        #expect(CompletionTable.offer(for: .completions) == .words(["bash", "zsh", "fish"]))
        #expect(CompletionTable.offer(for: .appCreate) == .nothing)
    }

    @Test(arguments: [\CompletionTable.bash, \.zsh, \.fish] as [any KeyPath<CompletionTable, String> & Sendable])
    func namesEveryOption(script: any KeyPath<CompletionTable, String> & Sendable) {
        let text = Self.table[keyPath: script]
        #expect(text == CompletionTable(Command.groups)[keyPath: script])
        for option in Set(Command.parser.subcommands.flatMap(\.allOptions)) {
            #expect(text.contains("--\(option.name)") || text.contains(" -l \(option.name) "), "\(option.name)")
        }
    }
}
