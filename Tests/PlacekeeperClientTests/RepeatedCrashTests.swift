import PlacekeeperTesting
import PlacekeeperRuntime
import Testing

@testable import PlacekeeperClient

/// Launches of a version of the app that crashes while it restores, each time with another state.
struct RepeatedCrashTests {
    let service: TestService
    let phone: SimulatedDevice

    init() async throws {
        service = try await TestService()
        phone = SimulatedDevice(service, .phone, seed: 1)
    }

    /// Restores a state in a process that then ends without a report.
    private func crash(restoring text: String) async {
        phone.save(text)
        await phone.flush()
        service.clock.advance(by: 60)
        phone.restart()
        #expect(await phone.launch().text == text)
        phone.restart()
        #expect(await phone.launch().restore == nil)
    }

    private func launch(of bundleVersion: String) async -> Launch? {
        phone.restart()
        var context = phone.context
        context.bundleVersion = bundleVersion
        guard case .launched(let launch) = await phone.result(of: .launch(scene: "main", context)) else { return nil }
        return launch
    }

    /// Each crash comes from another state, so no state is restored twice.
    @Test func onlyOffersStatesForAWeekAfterTwoCrashesOfAVersion() async throws {
        await crash(restoring: "Lisbon")
        await crash(restoring: "Porto")
        phone.save("Faro")
        await phone.flush()
        phone.restart()
        let launch = await phone.launch()
        #expect(launch.restore == nil && launch.reason.code == .crashed)
        #expect(launch.offer?.place.titles == ["Faro"])
        // Another version may be able to restore the states.
        let restored = try #require(await self.launch(of: "43")?.restore)
        phone.core.report(.restored, of: restored, at: phone.clock.now())
        service.clock.advance(by: 7 * 86_400 - 600)
        #expect(await self.launch(of: "42")?.restore == nil)
        service.clock.advance(by: 600)
        #expect(await self.launch(of: "42")?.text == "Faro")
    }

    @Test func countsTheScenesOfALaunchThatCrashedOnce() async throws {
        for scene in ["main", "second"] { phone.save("Lisbon", in: scene) }
        await phone.flush()
        phone.restart()
        for scene in ["main", "second"] { _ = await phone.result(of: .launch(scene: scene, phone.context)) }
        phone.restart()
        for scene in ["main", "second"] { _ = await phone.result(of: .launch(scene: scene, phone.context)) }
        phone.save("Porto")
        await phone.flush()
        phone.restart()
        #expect(await phone.launch().text == "Porto")
    }
}
