import PlacekeeperTestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite(.enabled(if: Corpora.folder != nil, "PLACEKEEPER_CORPORA is not set"), .onOwnThreads)
struct InspectTests {
    /// The files of the corpora.
    static let files =
        Corpora.files(in: "keyed-archives/swift-corelibs-foundation")
        + Corpora.files(in: "keyed-archives/rust-plist") + Corpora.files(in: "hostile-plists")

    @Test(arguments: files)
    func readsOrRefusesEachFileWithoutCrashing(file: String) throws {
        let (end, output, error) = try ChildProcess.run("inspect", file)
        if end == .exit(0) {
            #expect(output.hasPrefix("Top Level\n"))
            #expect(error.isEmpty)
            let (again, json, _) = try ChildProcess.run("inspect", "--json", file)
            #expect(again == .exit(0))
            #expect(json.hasPrefix("{"))
        } else {
            #expect(end == .exit(1))
            #expect(output.isEmpty)
            #expect(error.split(separator: "\n").count == 1)
        }
    }

    @Test func readsEveryBinaryArchiveFromFoundation() throws {
        for file in Corpora.files(in: "keyed-archives/swift-corelibs-foundation") {
            let isBinary = try Data(contentsOf: URL(fileURLWithPath: file)).starts(with: Array("bplist00".utf8))
            let (end, _, _) = try ChildProcess.run("inspect", file)
            #expect(end == .exit(isBinary ? 0 : 1), "\(file)")
        }
    }
}
