import Foundation
import PlacekeeperArchive
import PlacekeeperRuntime
import PlacekeeperTesting
import Testing

@testable import PlacekeeperClient

/// A service that moves to another address. The folders of the client are on the disk.
final class FormerAddressTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "placekeeper-\(UUID().uuidString)")
    private let service: TestService
    private let old = URL(string: "https://old.example.com")!
    private let new = URL(string: "https://new.example.com:8443")!

    init() async throws { service = try await TestService() }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// A process of the app, whose requests reach a service or get a problem.
    private struct Process {
        let placekeeper: Placekeeper
        let network: TestTransport
        var scene: KeptScene { placekeeper.scene() }
        var requests: [String] { network.requests.map { "\($0.method) \($0.target)" } }
    }

    private func start(
        at address: URL, formerly: [URL] = [], over transport: (any Transport)? = nil, isExtension: Bool = false
    ) -> Process {
        var options = Placekeeper.Configuration()
        options.device = RestorationContext(idiom: .phone, bundleVersion: "42")
        options.folder = folder
        options.formerServers = formerly
        let deadline = Duration.seconds(600)
        (options.launchDeadline, options.ownStateDeadline, options.flushDeadline) = (deadline, deadline, deadline)
        if isExtension { options.isExtension = true }
        let opened = ClientFolder(of: address, service.key, options)
        let network =
            if let transport { TestTransport(over: transport, clock: SystemClock()) } else {
                TestTransport(service, clock: SystemClock())
            }
        let placekeeper = Placekeeper(
            key: service.key, configuration: options, clock: SystemClock(), transport: network,
            folder: { opened.open() },
            credentials: { FileCredentialStore($0) }, random: SystemRandomNumberGenerator())
        return Process(placekeeper: placekeeper, network: network)
    }

    private func archive(_ text: String) -> StateArchive {
        StateArchive(
            bundleVersion: "42", idiom: 0, application: ["text": .string(text)],
            place: Place([.init(screen: text, title: text)]))
    }

    /// Saves and sends a state at the old address, and saves another one without a connection.
    private func workAtTheOldAddress() async throws {
        let before = start(at: old)
        before.scene.save(archive("sent"))
        try await before.placekeeper.flush()
        before.network.fault = .offline
        before.scene.save(archive("waits"))
        try await before.placekeeper.waitUntilSaved()
    }

    @Test func movesTheAccountAndTheStatesOnce() async throws {
        try await workAtTheOldAddress()
        let after = start(at: new, formerly: [old])
        let served = try #require(await after.scene.launch().restore)
        #expect(served.text == "waits")
        after.scene.report(.restored, of: served)
        try await after.placekeeper.flush()
        #expect(try await after.scene.history().map(\.titles) == [["waits"], ["sent"]])
        #expect(after.requests.first == "GET /v1/devices/self")
        #expect(!after.requests.contains("POST /v1/devices"))
        #expect(!after.placekeeper.status.hasAccountAtOtherAddress)
        // The service knows the device, so the next process does not ask again.
        let later = start(at: new)
        #expect(await later.scene.launch().restore?.text == "waits")
        #expect(!later.requests.contains("GET /v1/devices/self"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
    }

    @Test func saysThatAnotherAddressHasAnAccount() async throws {
        try await workAtTheOldAddress()
        let after = start(at: new)
        #expect(await after.scene.launch().isFresh)
        #expect(after.placekeeper.status.hasAccountAtOtherAddress)
        after.scene.save(archive("other"))
        try await after.placekeeper.flush()
        // The account of the present address is not replaced.
        let later = start(at: new, formerly: [old])
        #expect(await later.scene.launch().restore?.text == "other")
        #expect(later.placekeeper.status.hasAccountAtOtherAddress)
    }

    @Test(arguments: [
        (401, "unauthorized"), (404, "not-found"), (404, "app-unknown"), (403, "forbidden"), (503, "draining"),
    ])
    func deletesNothingAndRegistersNobodyIfTheNewAddressDoesNotKnowTheDevice(status: Int, code: String) async throws {
        try await workAtTheOldAddress()
        let wrong = start(at: new, formerly: [old], over: RefusingTransport(status: status, code: code))
        #expect(await wrong.scene.launch().restore?.text == "waits")
        wrong.scene.save(archive("saved at the wrong address"))
        let error = await #expect(throws: PlacekeeperError.self) { try await wrong.placekeeper.flush() }
        #expect(error?.code == (status == 503 ? .busy : .deviceUnknown))
        await #expect(throws: PlacekeeperError.self) { try await wrong.placekeeper.signOut(unsent: .discard) }
        await #expect(throws: PlacekeeperError.self) { try await wrong.placekeeper.deleteAccount() }
        #expect(wrong.placekeeper.status.account == .anonymous)
        #expect(Set(wrong.requests) == ["GET /v1/devices/self"])
        // Later, the service has the data.
        let right = start(at: new, formerly: [old])
        #expect(await right.scene.launch().restore?.text == "saved at the wrong address")
        try await right.placekeeper.flush()
        #expect(try await right.scene.history().first?.titles == ["saved at the wrong address"])
        #expect(!right.requests.contains("POST /v1/devices"))
    }

    @Test(arguments: [(401, "unauthorized"), (404, "app-unknown")])
    func registersNobodyAtAnAddressThatRefuses(status: Int, code: String) async throws {
        let wrong = start(at: new, over: RefusingTransport(status: status, code: code))
        wrong.scene.save(archive("waits"))
        await #expect(throws: PlacekeeperError.self) { try await wrong.placekeeper.flush() }
        #expect(wrong.placekeeper.status.account == .unregistered)
        let right = start(at: new)
        #expect(await right.scene.launch().restore?.text == "waits")
        try await right.placekeeper.flush()
    }

    @Test func extensionUsesTheFormerFolderAndSendsNothing() async throws {
        try await workAtTheOldAddress()
        let widget = start(at: new, formerly: [old], isExtension: true)
        widget.scene.save(archive("of the widget"))
        await #expect(throws: PlacekeeperError.self) { try await widget.placekeeper.flush() }
        #expect(widget.requests == [])
        let app = start(at: new, formerly: [old])
        #expect(await app.scene.launch().restore?.text == "of the widget")
    }

    @Test func movesTheStatesThatAnExtensionSavedAtTheNewAddress() async throws {
        let widget = start(at: new, isExtension: true)
        widget.scene.save(archive("of the widget"))
        try await widget.placekeeper.waitUntilSaved()
        try await workAtTheOldAddress()
        let files = ClientFolder(of: old, service.key, options(folder)).open().files
        // The process ended before the rename.
        try files.write([], to: ClientFolder.mark)
        let app = start(at: new, formerly: [old])
        _ = await app.scene.launch()
        try await app.placekeeper.flush()
        let titles = try await app.scene.history().map(\.titles)
        #expect(Set(titles) == [["of the widget"], ["waits"], ["sent"]])
    }

    @Test func hostInCapitalLettersIsTheSameAddress() async throws {
        try await workAtTheOldAddress()
        let after = start(at: URL(string: "https://OLD.example.com")!)
        #expect(await after.scene.launch().restore?.text == "waits")
        #expect(!after.requests.contains("POST /v1/devices"))
    }

    private func options(_ folder: URL) -> Placekeeper.Configuration {
        var options = Placekeeper.Configuration()
        options.folder = folder
        return options
    }
}

/// Answers each request with a problem.
private struct RefusingTransport: Transport {
    var status: Int
    var code: String

    func send(_ request: TransportRequest) async throws(PlacekeeperClient.TransportError) -> TransportResponse {
        .problem(status, code)
    }

    func stream(
        _ request: TransportRequest, idleLimit: Double, receive: @escaping @Sendable ([UInt8]) -> Bool
    ) async throws(PlacekeeperClient.TransportError) { throw .unreachable("There are no events.") }
}
