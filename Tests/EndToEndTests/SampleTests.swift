import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite(.onOwnThreads) struct SampleTests {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    func sample(_ name: String, _ options: String...) throws -> String {
        let process = try ChildProcess(["sample"] + options)
        #expect(process.wait() == .exit(0))
        let path = directory.path + "/" + name
        try Data(process.outputBytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test func writesASampleThatInspectReads() throws {
        let (end, output, _) = try ChildProcess.run("inspect", try sample("a"))
        #expect(end == .exit(0))
        #expect(output.contains("[View Controller] Tabs/Albums/Photo (Class: PhotoViewController)"))
        #expect(output.contains("Tram 28"))
    }

    @Test func exitsDiffWith0OnlyForEqualContents() throws {
        let (first, other) = (try sample("a"), try sample("b", "--bundle-version", "43"))
        let same = try ChildProcess.run("diff", first, first)
        #expect(same.end == .exit(0))
        #expect(same.output.isEmpty)
        let different = try ChildProcess.run("diff", first, other)
        #expect(different.end == .exit(1))
        #expect(different.output.contains("\"42\" → \"43\""))
        let missing = try ChildProcess.run("diff", first, directory.path + "/none")
        #expect(missing.end == .exit(1))
        #expect(missing.output.isEmpty)
        #expect(missing.error.contains("cannot read"))
        let json = try ChildProcess.run("diff", first, other, "--json")
        #expect(json.end == .exit(1))
        #expect(json.output.hasPrefix("["))
    }
}
