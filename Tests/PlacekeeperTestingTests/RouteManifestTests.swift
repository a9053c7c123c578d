import Foundation
import PlacekeeperTesting
import PlacekeeperRuntime
import Testing

struct RouteManifestTests {
    private typealias Manifest = RouteManifest
    private typealias Route = RouteManifest.Route

    private let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).json").path
    private let book = RouteManifest.Route("book", items: ["books"])
    private let search = RouteManifest.Route("search", parameters: ["text": .string])

    @Test func acceptsRoutesThatAgreeWithTheFile() throws {
        let manifest = Manifest([book, search])
        commit(manifest)
        try manifest.check(against: file, isRecording: false)
        // The order of routes in the code does not matter.
        try Manifest([search, book]).check(against: file, isRecording: false)
        try manifest.check(against: file, isRecording: true)
    }

    @Test func readsTheFileFromTheFolderOfTheTest() throws {
        commit(Manifest([book]))
        let url = URL(fileURLWithPath: file)
        let source = url.deletingLastPathComponent().appendingPathComponent("Tests.swift").path
        try Manifest([book]).check(against: url.lastPathComponent, from: source, isRecording: false)
    }

    @Test func asksForAFileThatDoesNotExist() {
        let findings = findings(Manifest([book]))
        #expect(findings.count == 1)
        #expect(findings.first?.contains("does not exist. Run the test once with") == true)
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test func asksForARecordOfANewRoute() throws {
        commit(Manifest([book]))
        let grown = Manifest([book, search])
        #expect(findings(grown).first?.contains("the entries of search differ. Run the test once with") == true)
        // A run that writes fails too, and the next run passes.
        #expect(findings(grown, isRecording: true).first?.contains("was written. Commit it") == true)
        try grown.check(against: file, isRecording: false)
    }

    @Test(arguments: [
        // A name disappeared.
        ([Route("find", parameters: ["text": .string])], [], "No route has the name \"search\""),
        // A parameter was removed, has another type, or is new and required.
        ([Route("search")], [], "\"text\" of the route \"search\" was removed"),
        ([Route("search", parameters: ["text": .data])], [], "had the type string, and has the type data"),
        ([Route("search", parameters: ["text": .string.optional])], [], "has the type string? now"),
        (
            [Route("search", parameters: ["text": .string, "page": .integer])], [],
            "\"page\" of the route \"search\" is new"
        ),
        // The same behind another name.
        ([Route("find", renamedFrom: ["search"])], [], "\"text\" of the route \"find\" was removed"),
        ([Route("search", items: ["books"], parameters: ["text": .string])], [], "are of the lists [books] now"),
        // A removed name is used.
        ([Route("search", parameters: ["text": .string])], ["search"], "\"search\" is listed as removed"),
    ])
    func reportsLostPlaces(routes: [RouteManifest.Route], removed: [String], sentence: String) throws {
        commit(Manifest([search]))
        let changed = Manifest(routes, removed: removed)
        let findings = findings(changed)
        #expect(findings.count == 1)
        #expect(findings.first?.contains(sentence) == true, "\(findings)")
        // The file is not written while a place would be lost.
        #expect(self.findings(changed, isRecording: true) == findings)
        try Manifest([search]).check(against: file, isRecording: false)
    }

    @Test func acceptsRenamedAndRemovedScreensAndOptionalParameters() throws {
        commit(Manifest([book, search]))
        commit(
            Manifest(
                [Route("find", parameters: ["text": .string, "page": .integer.optional], renamedFrom: ["search"])],
                removed: ["book"]))
        // The earlier name and the removed name stay known.
        let forgotten = findings(Manifest([Route("find", parameters: ["text": .string, "page": .integer.optional])]))
        #expect(forgotten.count == 2)
        #expect(forgotten.first?.contains("No route has the name \"search\"") == true)
        #expect(forgotten.last?.contains("\"book\" is no longer listed as removed") == true)
    }

    @Test func acceptsAScreenThatHasItsFirstNameAgain() throws {
        commit(Manifest([search]))
        commit(Manifest([Route("find", parameters: ["text": .string], renamedFrom: ["search"])]))
        commit(Manifest([Route("search", parameters: ["text": .string], renamedFrom: ["find"])]))
    }

    @Test func refusesAnEarlierNameForAnotherScreen() {
        commit(Manifest([Route("find", renamedFrom: ["search"])]))
        let findings = findings(Manifest([Route("find"), Route("search")]))
        #expect(findings.first?.contains("led to the route \"find\", and lead to the route \"search\"") == true)
    }

    @Test func refusesNamesWithTwoMeanings() {
        #expect(findings(Manifest([book, book])).first?.contains("Two routes have the name \"book\"") == true)
        let inUse = findings(Manifest([book, Route("novel", renamedFrom: ["book"])]))
        #expect(inUse.first?.contains("\"novel\" was renamed from \"book\", and the route \"book\"") == true)
        let twice = findings(Manifest([Route("a", renamedFrom: ["c"]), Route("b", renamedFrom: ["c"])]))
        #expect(twice.first?.contains("\"b\" was renamed from \"c\", and the route \"a\"") == true)
    }

    @Test func reportsAFileThatIsNoManifest() throws {
        try Data("{\"routes\":[]}".utf8).write(to: URL(fileURLWithPath: file))
        #expect(findings(Manifest([book]), isRecording: true).first?.contains("is not a readable manifest") == true)
    }

    /// Writes the file, as a run of the app's tests with the environment variable does.
    private func commit(_ manifest: RouteManifest, _ location: SourceLocation = #_sourceLocation) {
        let findings = findings(manifest, isRecording: true)
        #expect(findings.first?.contains("was written") == true, "\(findings)", sourceLocation: location)
    }

    private func findings(_ manifest: RouteManifest, isRecording: Bool = false) -> [String] {
        do throws(RouteManifestError) {
            try manifest.check(against: file, isRecording: isRecording)
            return []
        } catch {
            #expect(error.description == error.findings.joined(separator: "\n"))
            return error.findings
        }
    }
}
