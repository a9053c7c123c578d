import Testing

@testable import placekeeper

@Suite struct HelpTests {
    @Test(arguments: Command.parser.subcommands.map(\.name))
    func parsesTheExamplesOfEveryCommand(name: String) throws {
        let subcommand = try #require(Command.parser.subcommands.first { $0.name == name })
        #expect(!subcommand.examples.isEmpty)
        for (line, effect) in subcommand.examples {
            #expect(!effect.isEmpty)
            // The shell removes a redirection and a pipe, so the words after them are not arguments of the command.
            let words = line.split(separator: " ").map(String.init).prefix { $0 != ">" && $0 != "|" }
            guard case .run(let parsed, _) = try Command.parser.parse(Array(words)) else {
                Issue.record("\(line) asks for help")
                continue
            }
            #expect(parsed.name == name)
        }
    }

    @Test func marksRequiredOptionsInTheHelp() {
        let lines = HelpText.subcommand(.identityDecisions).split(separator: "\n")
        for name in ["--user ID", "--data-source NAME"] {
            #expect(lines.contains { $0.contains(name) && $0.hasSuffix("(required)") })
        }
    }

    @Test func listsEveryCommandInTheProgramsHelpUnderTheTitleOfItsGroup() {
        let text = HelpText.program(Command.groups)
        for group in Command.groups {
            let start = text.firstRange(of: "\n\n\(group.title):\n")?.upperBound ?? text.endIndex
            let part = text[start...].split(separator: "\n\n").first ?? ""
            #expect(part.split(separator: "\n").count == group.subcommands.count)
            for subcommand in group.subcommands { #expect(part.contains("  \(subcommand.name)"), "\(subcommand.name)") }
        }
    }

    @Test func listsTheWordsOfAnOption() {
        let text = "requests to log on standard error: all or errors (default errors"
        #expect(HelpText.subcommand(.serve).contains(text))
        #expect(Option.role.choices == "viewer, operator or owner")
    }

    @Test func givesEachOptionOfACommandAUniqueName() {
        for subcommand in Command.parser.subcommands {
            let names = subcommand.allOptions.map(\.name)
            #expect(Set(names).count == names.count, "\(subcommand.name)")
        }
        #expect(Option.bundleVersion.variable == "PLACEKEEPER_BUNDLE_VERSION")
    }
}
