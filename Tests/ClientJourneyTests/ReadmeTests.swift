import Foundation
import PlacekeeperKit
import PlacekeeperRuntime
import PlacekeeperTesting
import Testing

@MainActor
@Suite(.timeLimit(.minutes(20)))
struct ReadmeTests {
    /// The folder of all devices of the test.
    fileprivate nonisolated static let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        UUID().uuidString)

    /// The code of the README, as a command runs it. `readmeShowsThisCode` compares the README with the lines between the
    /// marks.
    private func read(
        _ server: URL, _ key: String, _ books: [Book], linkedBy code: String? = nil, _ change: (inout Reading) -> Void
    ) async throws -> Placekeeper {
        if let code { try await Placekeeper(server, key: key).link(code) }
        // The README's code begins.
        let placekeeper = Placekeeper(server, key: key)  // the service's address, and the app's publishable key
        let scene = placekeeper.scene(Reading.self)
        var reading = await scene.restore(items: books).value ?? Reading()  // at launch
        change(&reading)
        scene.save(reading, items: books, title: "Moby-Dick")  // when it changes
        try? await placekeeper.flush()  // before a command ends; what isn't sent waits on the disk
        // The README's code ends.
        return placekeeper
    }

    /// A second device runs the same lines, after it has joined the person's devices.
    @Test func carriesTheStateToAnotherDeviceOverURLSession() async throws {
        defer { try? FileManager.default.removeItem(at: Self.folder) }
        try await ServiceInUse.run(.sockets) { service in
            let (server, key) = (try #require(service.address), service.service.key)
            let books = (0..<3).map { Book(id: "p\($0)", isbn: "978-\($0)") }
            let others = (0..<3).map { Book(id: "p\(2 - $0)", isbn: "978-\($0)") }
            Placekeeper.device = "phone"
            let phone = try await read(server, key, books) { reading in
                (reading.book, reading.note) = (books[0].reference, "milk, bread")
            }
            let code = try await phone.linkCode().code
            Placekeeper.device = "pad"
            var restored: Reading?
            _ = try await read(server, key, others, linkedBy: code) { restored = $0 }
            #expect(restored?.note == "milk, bread" && restored?.book == others[0].reference)
        }
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
            readme.components(separatedBy: "```swift\nimport PlacekeeperKit\n\n").dropFirst().first?
                .components(separatedBy: "```").first)
        func statements(_ text: String) -> [String] {
            text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        #expect(statements(block) == statements(marked).filter { $0 != "change(&reading)" })
        #expect(statements(block).count == 5)
    }
}

extension Placekeeper {
    /// The device whose folder the next client uses.
    @MainActor fileprivate static var device = ""

    /// Creates a client in the folder of the present device.
    @MainActor
    fileprivate convenience init(_ server: URL, key: String) {
        var configuration = Configuration()
        configuration.folder = ReadmeTests.folder.appendingPathComponent(Self.device)
        configuration.device = RestorationContext(idiom: .phone, bundleVersion: "42")
        let deadline = Duration.seconds(600)
        (configuration.launchDeadline, configuration.ownStateDeadline) = (deadline, deadline)
        configuration.flushDeadline = deadline
        self.init(server, key: key, configuration: configuration)
    }
}
