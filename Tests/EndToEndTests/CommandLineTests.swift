import Testing

@Suite struct CommandLineTests {
    @Test func printsItsVersion() throws {
        let (end, output, error) = try ChildProcess.run("version")
        #expect(end == .exit(0))
        #expect(output.hasPrefix("placekeeper "))
        #expect(error.isEmpty)
    }

    static let lines: [([String], Int32)] = [
        (["nonsense"], 2), ([], 2), (["version", "--nothing"], 2), (["--help"], 0), (["version", "--help"], 0),
    ]

    @Test(arguments: lines)
    func exitsWithTheCodeThatItsHelpNames(line: [String], code: Int32) throws {
        let process = try ChildProcess(line)
        #expect(process.wait() == .exit(code))
        #expect(process.standardOutput.isEmpty == (code != 0))
        #expect(process.standardError.split(separator: "\n").count == (code == 0 ? 0 : 1))
    }
}
