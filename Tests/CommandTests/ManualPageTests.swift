import Testing

@testable import placekeeper

@Suite struct ManualPageTests {
    static let pages = ManualPage.all(of: Command.groups)

    @Test func hasAPageForEachCommandAndForTheConfigurationFile() throws {
        let names = Self.pages.map(\.fileName)
        #expect(Set(names).count == names.count)
        #expect(names.first == "placekeeper.1" && names.last == "placekeeper.conf.5")
        for subcommand in Command.parser.subcommands {
            let name = "placekeeper-" + subcommand.name.map { $0 == " " ? "-" : $0 } + ".1"
            let page = try #require(Self.pages.first { $0.fileName == name })
            for option in subcommand.allOptions {
                #expect(page.text.contains("\\fB\(Roff.escaped("--" + option.name))\\fR"), "\(name)")
            }
            for example in subcommand.examples { #expect(page.text.contains(Roff.escaped(example.line)), "\(name)") }
            let program = try #require(Self.pages.first).text
            #expect(program.contains("\\fB\(Roff.escaped(subcommand.name))\\fR"))
        }
    }

    @Test func describesEverySettingOnceInThePageAboutTheFile() throws {
        let text = try #require(Self.pages.last).text
        for option in Set(Command.parser.subcommands.flatMap(\.options)) where option.isSetting {
            #expect(text.components(of: ".TP\n\\fB\(Roff.escaped(option.name))\\fR = ") == 1, "\(option.name)")
        }
    }

    @Test func hasTheSameBytesEachTime() {
        #expect(ManualPage.all(of: Command.groups).map(\.text) == Self.pages.map(\.text))
        for page in Self.pages {
            let end = " \(page.section) \(Version.date) \"Placekeeper \(Version.number)\" Placekeeper\n"
            #expect(page.text.contains(end))
        }
    }

    @Test func keepsTextThatTheFormatterWouldChange() {
        #expect(Roff.escaped("a\\b -c 'd' `e` …é") == "a\\eb \\-c \\(aqd\\(aq \\(gae\\(ga \\[u2026]\\[u00E9]")
        var page = Roff("name", section: 1, summary: "does a thing")
        page.add(".a\n'b\n  c\n  .d\ne")
        #expect(page.text.hasSuffix("\n\\&.a\n\\(aqb\n.EX\n  c\n  .d\n.EE\ne\n"))
    }
}

extension String {
    fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}
