import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite(.onOwnThreads) struct CommandLineTests {
    @Test func printsItsVersion() throws {
        let (end, output, error) = try ChildProcess.run("version")
        #expect(end == .exit(0))
        #expect(output.wholeMatch(of: /placekeeper [0-9.]+, SQLite 3\.[0-9.]+\n/) != nil, "\(output)")
        #expect(error.isEmpty)
        let json = try ChildProcess.run("version", "--json")
        let sqlite = try JSONDecoder().decode([String: String].self, from: Data(json.output.utf8))["sqlite"]
        #expect(sqlite.map { output.hasSuffix("SQLite \($0)\n") } == true)
    }

    static let lines: [([String], Int32)] = [
        (["nonsense"], 2), ([], 2), (["version", "--nothing"], 2), (["--help"], 0), (["version", "--help"], 0),
        (["--version"], 0), (["-v"], 0), (["start"], 2), (["man"], 0), (["man", "app", "create"], 0),
        (["man", "app"], 2), (["man", "--output", "/dev/null", "serve"], 2), (["completions", "fish"], 0),
        (["completions", "tcsh"], 2), (["config"], 2), (["config", "show"], 0),
        (["config", "check", "--config", "/none"], 78),
        (["app", "--help"], 0), (["help", "app", "create"], 0), (["help", "nonsense"], 2),
        (["inspect", "/none"], 1), (["diff", "/none", "/none"], 1), (["inspect", "/"], 1),
        (["healthcheck", "localhost:8080"], 2), (["sample", "--state-version", "x"], 2),
        (["app", "create", "no identifier", "--data", "/dev/null/data"], 69), (["serve", "--config", "/none"], 2),
    ]
    /// With PostgreSQL, the data directory does not tell whether there is a database.
    static let linesWithoutDatabase: [([String], Int32)] =
        TestDatabase.isPostgreSQL
        ? []
        : [(["app", "list", "--data", "/none"], 69), (["explain", "app", "--user", "none", "--data", "/none"], 69)]

    @Test(.onLinux) func reportsThatTheOutputCannotBeWritten() throws {
        let process = try ChildProcess(
            program: "/bin/sh", ["-c", "\"$0\" version > /dev/full", try ChildProcess.builtCommand()])
        #expect(process.wait() == .exit(69))
        #expect(process.standardError.contains("cannot write the output"))
    }

    @Test(arguments: lines + linesWithoutDatabase)
    func exitsWithTheDocumentedCode(line: [String], code: Int32) throws {
        let process = try ChildProcess(line)
        #expect(process.wait() == .exit(code))
        #expect(process.standardOutput.isEmpty == (code != 0))
        #expect(process.standardError.split(separator: "\n").count == (code == 0 ? 0 : 1))
    }
}
