import Foundation
import PlacekeeperSockets
import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperTesting
import PlacekeeperSampleApps
import PlacekeeperRuntime
import Testing

@MainActor
@Suite(.timeLimit(.minutes(20)))
struct ReadmeTests {
    /// The folder of all devices of the test.
    fileprivate nonisolated static let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        UUID().uuidString)

    /// The code of the README. `readmeShowsThisCode` compares the README with the lines between the marks.
    private func run(
        _ server: URL, _ key: String, _ archive: StateArchive, _ notes: Catalog
    ) async throws -> (Placekeeper, Launch) {
        // The README's code begins.
        let placekeeper = Placekeeper(server, key: key)  // the service's address, and the app's publishable key
        let launch = await placekeeper.scene().launch()  // at launch: the state to restore, and an offer
        placekeeper.scene().save(archive)  // when the state changes
        placekeeper.list(of: notes).update(from: notes)  // when the notes have loaded, and when they change
        try await placekeeper.flush()  // when the app goes to the background
        // The README's code ends.
        return (placekeeper, launch)
    }

    /// A second device runs the same lines, after it has joined the person's devices.
    @Test func carriesTheStateToAnotherDeviceOverURLSession() async throws {
        defer { try? FileManager.default.removeItem(at: Self.folder) }
        try await ServiceInUse.run(.sockets) { service in
            let server = try #require(service.address)
            let (here, there) = (notes(.here), notes(.there))
            let (phone, first) = try await run(server, service.service.key, archive(of: here, note: 3), here)
            #expect(first.isFresh)
            let pad = Placekeeper(server, key: service.service.key)
            try await pad.link(try await phone.linkCode().code)
            pad.list(of: there).update(from: there)
            try await pad.flush()
            let restored = try #require(await pad.scene().launch().restore).archive
            #expect(restored.application["draft"] == .string("milk, bread"))
            #expect(restored.references.map(\.element.identifier) == [there.items[3].id])
            #expect(there.items[3].id != here.items[3].id)
        }
    }

    private func notes(_ side: ItemNames.Side) -> Catalog {
        let notes = Catalog("notes", titles: (1...30).map { "Note \($0)" })
        ItemNames.rowKeys.name(notes, on: side)
        return notes
    }

    private func archive(of notes: Catalog, note: Int) -> StateArchive {
        var archive = StateArchive(bundleVersion: "42", idiom: UserInterfaceIdiom.phone.rawValue)
        archive.references = [ModelReference(notes.items[note].id, of: notes, role: .selected)]
        archive.application = ["note": .reference(0), "draft": .string("milk, bread")]
        return archive
    }

    @Test func readmeShowsThisCode() throws {
        let here = URL(fileURLWithPath: #filePath)
        let root = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let readme = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
        let code = try String(contentsOf: here, encoding: .utf8)
        let marked = try #require(
            code.components(separatedBy: "// The README's code begins.\n").dropFirst().first?
                .components(separatedBy: "        // The README's code ends.").first)
        let block = try #require(
            readme.components(separatedBy: "```swift\nimport PlacekeeperClient\n\n").dropFirst().first?
                .components(separatedBy: "```").first)
        func statements(_ text: String) -> [String] {
            text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        #expect(statements(block) == statements(marked))
        #expect(statements(block).count == 5)
    }
}

extension Placekeeper {
    /// Creates a client in a new folder, so that the devices of a test have different folders.
    fileprivate convenience init(_ server: URL, key: String) {
        var options = Options()
        options.folder = ReadmeTests.folder.appendingPathComponent(UUID().uuidString)
        options.device = RestorationContext(idiom: .phone, bundleVersion: "42")
        (options.launchDeadline, options.ownStateDeadline, options.flushDeadline) = (600, 600, 600)
        self.init(server, key: key, options: options)
    }
}
