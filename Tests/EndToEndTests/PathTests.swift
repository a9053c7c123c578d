import PlacekeeperSystem
import Dispatch
import Testing

@testable import placekeeper

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Tests of every path that a command line can name, with files that the command must neither change nor wait for.
@Suite(.onOwnThreads, .onSQLite) struct PathTests {
    /// An operand or an option that names a path.
    struct Argument: Sendable, Hashable {
        var command: String
        var name: String
    }

    enum Use {
        /// Reads a file, also through a link.
        case reads
        case writes
        /// Writes a file, or a new file in a directory.
        case writesAlsoInDirectory
        case usesDirectory
        /// Runs a program.
        case runs
        /// Prints the path, or what is wrong with it.
        case prints

        /// The files that are always refused. Whether the other files are accepted depends on their contents and on the
        /// system's permissions.
        var refused: Set<PathTargets.Target> {
            switch self {
            case .reads: [.directory, .pipe, .device]
            case .writes, .runs: Set(PathTargets.Target.allCases)
            case .usesDirectory, .writesAlsoInDirectory: Set(PathTargets.Target.allCases).subtracting([.directory])
            case .prints: []
            }
        }
    }

    private static let pathWords: Set = ["FILE", "DIR", "PATH", "A", "B"]
    private static let otherWords: Set = [
        "ID", "APP", "SUBJECT", "NAME", "LABEL", "URL", "FIRST", "SECOND", "ADDRESS", "N", "LIST", "WHAT",
        "KIND", "ACTION", "WHO", "YYYY-MM-DD", "RESULT",
        "KEY=VALUE", "KID", "CURSOR", "TEXT", "ROLE", "IDIOM", "LAYOUT", "VERSION", "NUMBER",
        "NAME=SCOPE[,neighbors][,unique:KIND]…[,redirects]", "SIZE", "SHELL", "COMMAND …",
    ]

    /// The placeholders of a command's operands and options, with the names of the arguments.
    private static func words(of command: Subcommand) -> [(name: String, word: String)] {
        let operands = command.operands.map { $0.trimming(["[", "]"]) }.map { ($0, $0) }
        return operands + command.allOptions.compactMap { option in option.value.map { ("--" + option.name, $0) } }
    }

    static let arguments = Command.parser.subcommands.flatMap { command in
        words(of: command).filter { pathWords.contains($0.word) }.map { Argument(command: command.name, name: $0.name) }
    }

    /// A new path has no row here, and fails the tests.
    static func use(of argument: Argument) -> Use? {
        switch (argument.command, argument.name) {
        case ("doctor", _): .prints
        case (_, "--config"): .reads
        case ("config show", _): .prints
        case (_, "--database-password-file"): .reads
        case (_, "--data"), ("serve", "--public"), ("config check", "--public"), ("man", "--output"): .usesDirectory
        case (_, "--alert-command"): .runs
        case ("backup create", "PATH"): .writesAlsoInDirectory
        case ("user export", "--output"): .writes
        case ("app keys", "--add"), ("app keys", "--add-secret"), ("app keys", "--file"), ("app check-keys", "FILE"),
            ("user import", "FILE"), ("admin create", "--password-file"), ("admin reset", "--password-file"),
            ("backup verify", "FILE"), ("backup restore", "FILE"), ("backup restore", "--erasures"),
            ("inspect", "FILE"), ("diff", "A"),
            ("diff", "B"):
            .reads
        default: nil
        }
    }

    @Test func knowsTheUseOfEveryPath() {
        for command in Command.parser.subcommands {
            for (name, word) in Self.words(of: command) {
                #expect(Self.pathWords.union(Self.otherWords).contains(word), "\(command.name) \(name): is it a path?")
            }
        }
        for argument in Self.arguments { #expect(Self.use(of: argument) != nil, "\(argument) has no row") }
    }

    /// Returns a command line that succeeds, apart from the path of an argument.
    private func line(_ argument: Argument, _ path: String, _ targets: PathTargets) throws -> [String] {
        let command = try #require(Command.parser.subcommands.first { $0.name == argument.command })
        var line = command.name.split(separator: " ").map(String.init)
        for operand in command.operands where !operand.hasPrefix("[") || operand == "[\(argument.name)]" {
            let operand = operand.trimming(["[", "]"])
            let value =
                switch (command.name, operand) {
                case (_, argument.name): path
                case ("app create", "ID"): "com.example.other"
                case ("admin token revoke", "ID"): UUID().uuidString.lowercased()
                case (_, "ID"), (_, "APP"): "com.example.photos"
                case ("app check-keys", _): targets.valid("keys.json")
                case ("user import", "FILE"): targets.valid("export.ndjson")
                case ("backup create", "PATH"): targets.valid("new.sqlite")
                case ("backup restore", "FILE"): targets.valid("backup.sqlite")
                case (_, "FILE"), (_, "A"), (_, "B"): targets.valid("archive.plist")
                default: "one:two"
                }
            line.append(value)
        }
        let needsDatabase = argument.name == "--database-password-file" || command.name.hasPrefix("transfer")
        for option in command.allOptions {
            let value: String? =
                switch "--" + option.name {
                case argument.name: path
                case "--data": targets.own
                case "--listen": "127.0.0.1:0"
                // Not a valid URL: a service would wait for a database that isn't there.
                case "--database" where needsDatabase: "postgres://nobody@127.0.0.1:1/none?unknown=1"
                case "--role": "viewer"
                case "--user" where !command.name.hasPrefix("audit"): targets.user
                case "--data-source": "photos"
                case "--password-file": targets.valid("password")
                case "--yes", "--replace": ""
                default: nil
                }
            if let value { line += ["--" + option.name] + (value.isEmpty ? [] : [value]) }
        }
        return line
    }

    /// Runs a command. Kills a command that waits, as for the other end of a pipe.
    private func run(_ line: [String], program: String? = nil) throws -> ChildProcess.Outcome {
        let process = try ChildProcess(program: program, line)
        let killing = DispatchWorkItem { process.send(SIGKILL) }
        DispatchQueue.global().asyncAfter(deadline: .now() + 300, execute: killing)
        defer { killing.cancel() }
        return process.outcome()
    }

    private func expectRefusal(_ outcome: ChildProcess.Outcome, _ line: [String]) {
        #expect([.exit(1), .exit(2), .exit(69), .exit(78)].contains(outcome.end), "\(line) \(outcome)")
        #expect(outcome.output.isEmpty, "\(line)")
        let sentences = outcome.error.split(separator: "\n")
        #expect(sentences.count == 1 && outcome.error.hasPrefix("placekeeper: "), "\(line) \(outcome.error)")
    }

    @Test(arguments: ["--config", "--data", "--database-password-file", "other"])
    func refusesEveryFileThatIsNotOfTheRightKind(name: String) throws {
        let targets = try PathTargets()
        let shared = ["--config", "--data", "--database-password-file"]
        for argument in Self.arguments
        where argument.name == name || (name == "other" && !shared.contains(argument.name)) {
            guard let use = Self.use(of: argument) else { continue }
            // The live database changes while it is read.
            let refused = use.refused.union(
                argument.name == "FILE" && argument.command.hasPrefix("backup") ? [.database, .link] : [])
            let takesDirectory = use == .usesDirectory || use == .writesAlsoInDirectory
            for target in PathTargets.Target.allCases where !takesDirectory || target != .directory {
                let before = try targets.snapshot()
                let path = targets.path(of: target)
                let line = try line(argument, path, targets)
                let outcome = try run(line)
                let after = try targets.snapshot()
                guard refused.contains(target) else {
                    if case .signal = outcome.end { Issue.record("\(line) \(outcome)") }
                    #expect(after[path] == before[path], "\(line) changed \(target)")
                    continue
                }
                expectRefusal(outcome, line)
                #expect(outcome.error.contains(path), "\(line) \(outcome.error)")
                #expect(after == before, "\(line) changed a file")
            }
        }
    }

    /// A database that is a link would have its log in another directory.
    @Test func refusesADataDirectoryWhoseDatabaseIsNoRegularFile() throws {
        let targets = try PathTargets()
        for target in [PathTargets.Target.directory, .link, .pipe, .device] {
            let data = targets.root + "/\(target)-data"
            try #require(mkdir(data, 0o700) == 0)
            try PathTargets.make(target, at: data + "/placekeeper.sqlite", live: targets.path(of: .database))
            for argument in Self.arguments where argument.name == "--data" && Self.use(of: argument) != .prints {
                let before = try targets.snapshot()
                let line = try line(argument, data, targets)
                expectRefusal(try run(line), line)
                #expect(try targets.snapshot() == before, "\(line) changed a file")
            }
        }
    }

    /// With a limit of the size of files, the system refuses to write, as with a full disk.
    @Test(.onLinux, arguments: [0, 4096, 100_000]) func leavesNothingBehindOnAFullDisk(limit: Int) throws {
        let targets = try PathTargets()
        let old = targets.valid("backup.sqlite")
        for (line, changed) in [
            (["backup", "create", targets.valid("new.sqlite"), "--data", targets.own], targets.own),
            (["backup", "create", old, "--replace", "--data", targets.own], targets.own),
            (
                [
                    "user", "export", "com.example.photos", "--user", targets.user, "--output",
                    targets.valid("new.ndjson"),
                    "--data", targets.own,
                ], targets.own
            ),
            (["backup", "restore", old, "--data", targets.root + "/new"], nil),
            (
                ["backup", "restore", old, "--data", targets.own, "--replace", "--erasures", targets.path(of: .log)],
                nil
            ),
        ] {
            let before = try targets.snapshot()
            let outcome = try run(
                ["--fsize=\(limit)", try ChildProcess.builtCommand()] + line, program: "/usr/bin/prlimit")
            expectRefusal(outcome, line)
            #expect(outcome.error.contains("pace") || outcome.error.contains("large"), "\(line) \(outcome.error)")
            let after = try targets.snapshot()
            #expect(
                Set(after.keys).symmetricDifference(before.keys).allSatisfy { $0.hasPrefix(targets.own) }, "\(line)")
            for (path, status) in before where path.hasSuffix(".sqlite") || path.hasSuffix(".log") {
                // Commands note what they do in the database before they do it.
                if let changed, path.hasPrefix(changed) { continue }
                #expect(after[path] == status, "\(line) changed \(path)")
            }
        }
        let listed = try run(["app", "list", "--data", targets.own])
        #expect(listed.end == .exit(0) && listed.output.contains("com.example.photos"), "\(listed.error)")
    }
}

extension String {
    fileprivate func trimming(_ characters: Set<Character>) -> String { String(filter { !characters.contains($0) }) }
}
