import Testing

@testable import placekeeper

@Suite struct ArgumentParserTests {
    static let size = Option("size", "COUNT", help: "how many", initial: "3", isSetting: true)
    static let tag = Option("tag", "NAME", help: "a tag", repeats: true)
    static let owner = Option("owner", "ID", help: "whose", isRequired: true)
    static let parser = ArgumentParser(subcommands: [
        Subcommand(name: "keep", summary: "keeps", operands: ["FILE", "[PLACE]"], options: [size, tag, .json]) {
            _ throws(CommandFailure) in .success
        },
        Subcommand(name: "app create", summary: "creates", operands: ["ID"]) {
            _ throws(CommandFailure) in .success
        },
        Subcommand(name: "give", summary: "gives", operands: ["FILE", "PLACE"], options: [owner, tag]) {
            _ throws(CommandFailure) in .success
        },
        Subcommand(name: "version", summary: "tells") { _ throws(CommandFailure) in .success },
        Subcommand(name: "serve", summary: "serves", operands: ["[NAME …]"]) { _ throws(CommandFailure) in .success },
        Subcommand(name: "admin token list", summary: "lists") { _ throws(CommandFailure) in .success },
        Subcommand(name: "admin token create", summary: "creates") { _ throws(CommandFailure) in .success },
    ])

    func arguments(_ line: String...) throws -> Arguments {
        guard case .run(_, let arguments) = try Self.parser.parse(line) else {
            throw CommandFailure(.failure, "asked for help")
        }
        return arguments
    }

    @Test func parsesOperandsAndOptionsInAnyOrder() throws {
        let given = try arguments("keep", "--size", "7", "a.plist", "--tag=x=y", "b", "--tag", "-z", "--json")
        #expect(given.operands == ["a.plist", "b"])
        #expect(given.value(of: Self.size) == "7")
        #expect(given.values(of: Self.tag) == ["x=y", "-z"])
        #expect(try given.isOn(.json))
    }

    @Test func parsesWordsAfterTwoDashesAsOperands() throws {
        #expect(try arguments("keep", "--", "--size").operands == ["--size"])
        #expect(try arguments("keep", "-").operands == ["-"])
    }

    @Test func findsCommandsOfTwoWords() throws {
        guard case .run(let subcommand, let given) = try Self.parser.parse(["app", "create", "com.example"]) else {
            Issue.record("no command")
            return
        }
        #expect(subcommand.name == "app create")
        #expect(given.operands == ["com.example"])
    }

    static let mistakes: [(line: [String], says: String)] = [
        ([], "no command is given"),
        (["kep"], "did you mean keep?"),
        (["something"], "placekeeper --help lists the commands"),
        (["app"], "app needs one more word: app create"),
        (["app", "--size", "1"], "app needs one more word: app create"),
        (["app", "creat"], "unknown command \"app creat\"; did you mean app create?"),
        (["app", "remove", "a"], "unknown command \"app remove\"; the commands are app create"),
        (["help", "kep"], "did you mean keep?"),
        (["start"], "unknown command \"start\"; did you mean serve?"),
        (["apps"], "unknown command \"apps\"; did you mean app create?"),
        (["apps", "creat", "a"], "did you mean app create?"),
        (["create"], "did you mean app create or admin token create?"),
        (["Keep"], "did you mean keep?"),
        (["admin"], "admin needs one more word: admin token list, admin token create"),
        (["admin", "token"], "admin token needs one more word: admin token list, admin token create"),
        (["admin", "token", "lits"], "unknown command \"admin token lits\"; did you mean admin token list?"),
        (["-x"], "unknown command \"-x\"; placekeeper --help lists the commands"),
        (["--help", "something"], "unknown command \"something\""),
        (["help", "app", "x"], "the commands are app create"),
        (["--version", "--nothing"], "unknown option \"--nothing\""),
        (["keep"], "FILE is missing; placekeeper keep --help shows how it is used"),
        (["give"], "FILE, PLACE, --owner ID are missing; placekeeper give --help"),
        (["give", "a", "b"], "--owner ID is missing"),
        (["keep", "a", "b", "c"], "\"c\" is one argument too many"),
        (["keep", "a", "--sise", "1"], "did you mean --size?"),
        (["keep", "a", "-size", "1"], "unknown option \"-size\"; did you mean --size?"),
        (["keep", "a", "--Size", "1"], "did you mean --size?"),
        (["keep", "a", "--js"], "did you mean --json?"),
        (["keep", "a", "--nothing"], "keep --help lists its options"),
        (["keep", "a", "--size"], "--size needs a value: --size COUNT"),
        (["keep", "a", "--size", "--"], "--size needs a value"),
        (["keep", "a", "--json=yes"], "--json is a switch"),
        (["keep", "a", "--size", "1", "--size", "2"], "--size is given twice"),
    ]

    @Test(arguments: mistakes)
    func reportsAMistakeInOneLineAndExitsWith2(line: [String], says: String) throws {
        let failure = #expect(throws: CommandFailure.self) { try Self.parser.parse(line) }
        #expect(failure?.exit == .usage)
        #expect(failure?.message.contains(says) == true, "\(failure?.message ?? "")")
        #expect(failure?.message.contains("\n") == false)
    }

    @Test(arguments: [["keep", "--help"], ["keep", "-h"], ["help", "keep"], ["keep", "a", "b", "c", "--help"]])
    func showsHelpOnACommandEvenIfTheLineIsWrong(line: [String]) throws {
        guard case .help(let subcommand) = try Self.parser.parse(line) else {
            Issue.record("no help")
            return
        }
        let text = HelpText.subcommand(subcommand)
        #expect(text.contains("placekeeper keep FILE [PLACE]"))
        #expect(text.contains("--size COUNT "))
        #expect(text.contains(" how many (default 3; PLACEKEEPER_SIZE)"))
    }

    @Test(arguments: [["--help"], ["-h"], ["help"], ["--help", "--size"]])
    func showsEveryCommand(line: [String]) throws {
        guard case .overview(nil) = try Self.parser.parse(line) else {
            Issue.record("no overview")
            return
        }
    }

    @Test(arguments: [["app", "--help"], ["app", "-h"], ["help", "app"], ["app", "help"], ["--help", "app"]])
    func showsTheCommandsThatBeginWithAWord(line: [String]) throws {
        guard case .overview(let word?) = try Self.parser.parse(line) else {
            Issue.record("no overview")
            return
        }
        let text = HelpText.group(word, of: Self.parser.subcommands)
        #expect(text.contains("  app create ID   creates\n"))
        #expect(!text.contains("keep FILE"))
    }

    @Test func acceptsSeveralOperandsWhereTheLastOneRepeats() throws {
        #expect(try arguments("serve", "a", "b", "c").operands == ["a", "b", "c"])
        #expect(try arguments("serve").operands.isEmpty)
    }

    /// `==` on strings would take minutes for such a word.
    @Test func refusesALongWordAtOnce() {
        let word = "e" + String(repeating: "\u{315}\u{300}", count: 100_000)
        let start = ContinuousClock.now
        for line in [[word], ["app", word], ["keep", "a", "--" + word]] {
            #expect(throws: CommandFailure.self) { try Self.parser.parse(line) }
        }
        #expect(ContinuousClock.now - start < .seconds(60))
    }

    @Test(arguments: ["--version", "-v"]) func runsVersionForTheVersionOption(word: String) throws {
        guard case .run(let subcommand, _) = try Self.parser.parse([word]) else {
            Issue.record("no command")
            return
        }
        #expect(subcommand.name == "version")
    }

    @Test func namesTheSourceOfAWrongValue() throws {
        var given = try arguments("keep", "a")
        given.file = try ConfigurationFile("size = x", options: [Self.size], name: "settings")
        let file = given.failure(over: Self.size, "no")
        #expect(file == CommandFailure(.configuration, "size in \"settings\" is \"x\": no"))
        given.environment = ["PLACEKEEPER_SIZE": "y"]
        let variable = given.failure(over: Self.size, "no")
        #expect(variable == CommandFailure(.configuration, "PLACEKEEPER_SIZE is \"y\": no"))
        given.flags = ["size": ["z"]]
        #expect(given.failure(over: Self.size, "no") == CommandFailure(.usage, "--size is \"z\": no"))
    }

    @Test func prefersFlagToEnvironmentToFileToDefault() throws {
        var given = try arguments("keep", "a")
        #expect(given.value(of: Self.size) == "3")
        given.file = try ConfigurationFile("size = 4", options: [Self.size], name: "file")
        #expect(given.value(of: Self.size) == "4")
        given.environment = ["PLACEKEEPER_SIZE": "", "PLACEKEEPER_TAG": "t"]
        #expect(given.value(of: Self.size) == "4")
        given.environment["PLACEKEEPER_SIZE"] = "5"
        #expect(given.value(of: Self.size) == "5")
        given.flags = ["size": ["6"]]
        #expect(given.value(of: Self.size) == "6")
        #expect(given.value(of: Self.tag) == nil)
    }

    @Test func rejectsNumbersOutsideTheRange() throws {
        #expect(try arguments("keep", "a", "--size", "9").number(of: Self.size, in: 1...9) == 9)
        for wrong in ["0", "10", "nine", "1.5", "99999999999999999999"] {
            let failure = #expect(throws: CommandFailure.self) {
                try arguments("keep", "a", "--size", wrong).number(of: Self.size, in: 1...9)
            }
            #expect(failure?.exit == .usage)
        }
        var given = try arguments("keep", "a")
        given.environment = ["PLACEKEEPER_SIZE": "x"]
        let failure = #expect(throws: CommandFailure.self) { try given.number(of: Self.size, in: 1...9) }
        #expect(failure?.exit == .configuration)
    }
}
