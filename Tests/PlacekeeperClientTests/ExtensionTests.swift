import PlacekeeperTesting
import PlacekeeperRuntime
import Testing

@testable import PlacekeeperClient

/// An app and its extension, which share a folder and are two processes.
struct ExtensionTests {
    let service: TestService
    let app: SimulatedDevice
    let widget: SimulatedDevice
    let pad: SimulatedDevice

    init() async throws {
        service = try await TestService()
        let files = MemoryFiles()
        app = SimulatedDevice(service, .phone, seed: 1, files: files)
        widget = SimulatedDevice(service, .phone, seed: 2, files: files, isExtension: true)
        pad = SimulatedDevice(service, .phone, seed: 3)
    }

    @Test func savesInAnExtensionAndSendsFromTheApp() async {
        await app.saveAndFlush("Lisbon")
        widget.network.fault = .offline
        await widget.saveAndFlush("from the widget")
        await app.flush()
        #expect(await pad.link(to: app).isDone)
        #expect(await pad.launch().text == "from the widget")
    }

    @Test func registersNoDeviceFromAnExtension() async {
        await widget.saveAndFlush("from the widget")
        #expect(widget.network.requests.isEmpty)
        await app.saveAndFlush("Lisbon", in: "other")
        #expect(await pad.link(to: app).isDone)
        #expect(await pad.launch().text == "from the widget")
        // The extension sends with the registration of the app.
        service.clock.advance(by: 10)
        await widget.saveAndFlush("again")
        #expect(widget.network.requests.map(\.method) == ["PUT"])
    }

    @Test func savesForThePersonWhoIsSignedInNow() async {
        #expect(await app.signIn("anna").isDone)
        await widget.saveAndFlush("of Anna")
        #expect(await app.result(of: .signOut(.keep)).isDone)
        #expect(await app.signIn("ben").isDone)
        widget.network.fault = .offline
        widget.save("still of Anna")
        #expect(await widget.result(of: .flush).failure == .accountChanged)
        widget.core.begin("main")
        await widget.saveAndFlush("of Ben")
        await app.flush()
        #expect(await pad.signIn("ben").isDone)
        #expect(await pad.launch().text == "of Ben")
        #expect(await pad.history()?.count == 1)
    }

    @Test func keepsTheMemoryOfAnExtensionWhenTheSamePersonSignsIn() async {
        widget.save("before the registration")
        await app.saveAndFlush("Lisbon", in: "other")
        await widget.saveAndFlush("before the sign-in")
        #expect(await app.signIn("anna").isDone)
        await widget.saveAndFlush("after the sign-in")
        #expect(await pad.signIn("anna").isDone)
        #expect(await pad.launch().text == "after the sign-in")
    }

    @Test func changesNoAccountInAnExtension() async {
        #expect(await app.signIn("anna").isDone)
        for intent in [ClientCore.Call.signIn(token: "subject ben"), .signOut(.discard), .link(code: "1"), .erase] {
            #expect(await widget.result(of: intent).failure == .processIsExtension)
        }
        #expect(widget.network.requests.isEmpty)
    }

    @Test func leavesTheAccountToTheAppAfterARefusal() async throws {
        #expect(await app.signIn("anna").isDone)
        #expect(await pad.signIn("anna").isDone)
        await widget.saveAndFlush("of Anna")
        let account = app.files["account"]
        try await app.revoke(by: pad, service)
        await widget.saveAndFlush("later")
        await widget.flush()
        #expect(app.files["account"] == account)
        #expect(widget.network.requests.count { $0.method == "PUT" } == 2)
        #expect(widget.files.paths.contains { $0.contains("/pending-") || $0.contains("/sending-") })
    }
}
