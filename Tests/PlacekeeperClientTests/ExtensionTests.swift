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

    private func signIn(_ device: SimulatedDevice, _ name: String) async {
        #expect(await device.result(of: .signIn(token: "subject \(name)")).isDone)
    }

    @Test func savesInAnExtensionAndSendsFromTheApp() async {
        app.save("Lisbon")
        await app.flush()
        widget.network.fault = .offline
        widget.save("from the widget")
        await widget.flush()
        await app.flush()
        #expect(await pad.link(to: app).isDone)
        #expect(await pad.launch().text == "from the widget")
    }

    @Test func registersNoDeviceFromAnExtension() async {
        widget.save("from the widget")
        await widget.flush()
        #expect(widget.network.requests.isEmpty)
        app.save("Lisbon", in: "other")
        await app.flush()
        #expect(await pad.link(to: app).isDone)
        #expect(await pad.launch().text == "from the widget")
        // The extension sends with the registration of the app.
        service.clock.advance(by: 10)
        widget.save("again")
        await widget.flush()
        #expect(widget.network.requests.map(\.method) == ["PUT"])
    }

    @Test func savesForThePersonWhoIsSignedInNow() async {
        await signIn(app, "anna")
        widget.save("of Anna")
        await widget.flush()
        #expect(await app.result(of: .signOut(.keepForThisUser)).isDone)
        await signIn(app, "ben")
        widget.network.fault = .offline
        widget.save("still of Anna")
        #expect(await widget.result(of: .flush).failure == .accountChanged)
        widget.core.begin("main")
        widget.save("of Ben")
        await widget.flush()
        await app.flush()
        await signIn(pad, "ben")
        #expect(await pad.launch().text == "of Ben")
        guard case .history(let entries) = await pad.result(of: .history(scene: "main")) else { return }
        #expect(entries.count == 1)
    }

    @Test func keepsTheMemoryOfAnExtensionWhenTheSamePersonSignsIn() async {
        widget.save("before the registration")
        app.save("Lisbon", in: "other")
        await app.flush()
        widget.save("before the sign-in")
        await widget.flush()
        await signIn(app, "anna")
        widget.save("after the sign-in")
        await widget.flush()
        await signIn(pad, "anna")
        #expect(await pad.launch().text == "after the sign-in")
    }

    @Test func changesNoAccountInAnExtension() async {
        await signIn(app, "anna")
        for intent in [ClientCore.Call.signIn(token: "subject ben"), .signOut(.discard), .link(code: "1"), .erase] {
            #expect(await widget.result(of: intent).failure == .processIsExtension)
        }
        #expect(widget.network.requests.isEmpty)
    }

    @Test func leavesTheAccountToTheAppAfterARefusal() async throws {
        await signIn(app, "anna")
        await signIn(pad, "anna")
        widget.save("of Anna")
        await widget.flush()
        let account = app.files["account"]
        try await app.revoke(by: pad, service)
        widget.save("later")
        await widget.flush()
        await widget.flush()
        #expect(app.files["account"] == account)
        #expect(widget.network.requests.count { $0.method == "PUT" } == 2)
        #expect(widget.files.paths.contains { $0.contains("/pending-") || $0.contains("/sending-") })
    }
}
