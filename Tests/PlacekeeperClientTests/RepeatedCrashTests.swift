import PlacekeeperTesting
import PlacekeeperRuntime
import Testing

@testable import PlacekeeperClient

/// Launches of a version of the app that crashes while it restores, each time with another state.
final class RepeatedCrashTests: DeviceTests {
    /// Restores a state in a process that then ends without a report.
    private func crash(restoring text: String) async {
        await phone.saveAndFlush(text)
        service.clock.advance(by: 60)
        #expect(await phone.relaunch().text == text)
        #expect(await phone.relaunch().restore == nil)
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
        await phone.saveAndFlush("Faro")
        let launch = await phone.relaunch()
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
        await phone.saveAndFlush("Porto")
        #expect(await phone.relaunch().text == "Porto")
    }
}
