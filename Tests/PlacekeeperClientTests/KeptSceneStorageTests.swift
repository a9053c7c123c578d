import PlacekeeperArchive
import PlacekeeperTesting
import PlacekeeperRuntime
import Testing

@testable import PlacekeeperClient
import PlacekeeperSceneStorage

/// An app of the runtime whose scenes a client keeps.
@MainActor
struct KeptSceneStorageTests {
    let service: TestService
    let device: SimulatedDevice

    init() async throws {
        service = try await TestService()
        device = SimulatedDevice(service, .phone)
    }

    @Test func capturesAnInteractionThatWasToldBefore() async {
        await device.saveAndFlush("Lisbon")
        let other = SimulatedDevice(service, .phone, seed: 2)
        #expect(await other.link(to: device).isDone)
        let launch = await other.launch()
        #expect(launch.text == "Lisbon")
        service.clock.advance(by: 10)
        other.core.noteInteraction(in: "main", at: other.clock.now())
        await other.saveAndFlush("Porto", .viewing)
        #expect(await device.relaunch().offer?.place.titles == ["Porto"])
    }

    @Test func takesASaveWithoutAnInteractionForAGlance() async {
        await device.saveAndFlush("Lisbon")
        let other = SimulatedDevice(service, .phone, seed: 2)
        #expect(await other.link(to: device).isDone)
        #expect(await other.launch().text == "Lisbon")
        service.clock.advance(by: 10)
        await other.saveAndFlush("scrolled by the system", .viewing)
        #expect(await device.relaunch().offer == nil)
    }

    @Test func doesNotRestoreADiscardedStateAgain() async {
        await device.saveAndFlush("unusable")
        #expect(await device.relaunch().text == "unusable")
        device.core.discard("main", at: device.clock.now())
        await device.flush()
        #expect(await device.relaunch().isFresh)
        device.restart()
        device.network.fault = .offline
        #expect(await device.launch().isFresh)
    }

    @Test func restoresNoServedArchiveThatCrashedHere() async throws {
        await device.saveAndFlush("crashing")
        #expect(await device.relaunch().text == "crashing")
        // The process is killed before the outcome. The service does not take the report of the crash.
        device.restart()
        for path in device.files.paths where path.hasSuffix("/tag") || path.hasSuffix("/last") {
            device.files[path] = nil
        }
        device.rewrite = { request, response in
            guard request.method == "POST" else { return response }
            return .problem(409, "outcome-not-served")
        }
        device.network.failNext(.lostRequest)
        let launch = await device.launch()
        #expect(launch.isFresh)
        #expect(await device.launch().isFresh)
        #expect(device.network.requests.last?.target.contains("/latest") == true)
    }
}
