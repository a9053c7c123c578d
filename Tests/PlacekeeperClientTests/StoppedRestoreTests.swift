import PlacekeeperArchive
import PlacekeeperCore
import PlacekeeperRuntime
import PlacekeeperService
import PlacekeeperTesting
import Testing

@testable import PlacekeeperClient

/// Launches while the operator, or the breaker, stopped the restores of a version.
final class StoppedRestoreTests: DeviceTests {
    private func stop(_ sourceVersions: String...) async throws {
        try await service.change {
            $0.stoppedRestores = sourceVersions.map {
                StoppedRestore(sourceVersion: $0, targetVersion: "42", idiom: "phone", by: .administrator)
            }
        }
    }

    /// A state of an earlier version of the app, and then a state of this version.
    private func saveStates() async {
        var older = phone.archive("Lisbon")
        older.bundleVersion = "41"
        phone.core.save(older, in: "main", .now, at: phone.clock.now())
        await phone.flush()
        service.clock.advance(by: 60)
        await phone.saveAndFlush("Porto")
        phone.restart()
    }

    /// The service serves the earlier state, so it refused the newest state, of which the device has a copy.
    @Test func ownCopyOfAStoppedStateIsNotRestored() async throws {
        await saveStates()
        try await stop("42")
        let launch = await phone.launch()
        #expect(launch.restore == nil)
        #expect(launch.reason.code == .superseded)
        #expect(launch.offer?.place.titles == ["Lisbon"])
    }

    @Test func stopAppliesWithoutAConnectionUntilTheServiceServesAgain() async throws {
        await saveStates()
        try await stop("41", "42")
        let code = Placekeeper.Reason.Code(rawValue: "restores-stopped")
        #expect(await phone.launch().reason.code == code)
        phone.restart()
        phone.network.fault = .offline
        let offline = await phone.launch()
        #expect(offline.restore == nil && offline.reason.code == code)
        try await stop()
        phone.restart()
        phone.network.repair()
        for fault in [nil, NetworkFault.offline] {
            phone.network.fault = fault
            let launch = await phone.launch()
            #expect(launch.text == "Porto")
            phone.core.report(.restored, of: try #require(launch.restore), at: phone.clock.now())
            phone.restart()
        }
    }

    /// The newest archive of a third device may not be restored here. Work of this device that arrived late has a greater
    /// revision than the served archive, and was not refused.
    @Test func lateWorkOfThisDeviceIsRestoredAlthoughAnotherStateIsOffered() async throws {
        let (pad, mac) = (SimulatedDevice(service, .phone, seed: 2), SimulatedDevice(service, .phone, seed: 3))
        await phone.saveAndFlush("phone's")
        #expect(await pad.link(to: phone).isDone)
        #expect(await mac.link(to: phone).isDone)
        service.clock.advance(by: 60)
        phone.network.fault = .offline
        await phone.saveAndFlush("phone's late work")
        service.clock.advance(by: 60)
        await pad.saveAndFlush("pad's")
        service.clock.advance(by: 60)
        var newer = mac.archive("mac's")
        newer.bundleVersion = "43"
        newer.place = nil
        mac.core.save(newer, in: "main", .now, at: mac.clock.now())
        await mac.flush()
        phone.network.repair()
        await phone.flush()
        let launch = await phone.relaunch()
        #expect(launch.text == "phone's late work")
        #expect(launch.offer?.place.titles == ["pad's"])
    }

    /// The service refused the newest states of both devices, and serves an earlier state of the other device.
    @Test func ownCopyOfAStoppedStateIsNotRestoredIfAnotherDeviceHasTheHead() async throws {
        let pad = SimulatedDevice(service, .phone, seed: 2)
        await pad.saveAndFlush("pad's first")
        #expect(await pad.link(to: phone).isDone)
        var older = pad.archive("pad's")
        older.bundleVersion = "41"
        pad.core.save(older, in: "main", .now, at: pad.clock.now())
        await pad.flush()
        for (device, text) in [(phone, "phone's"), (pad, "pad's newest")] {
            service.clock.advance(by: 60)
            await device.saveAndFlush(text)
        }
        try await stop("42")
        let launch = await phone.relaunch()
        #expect(launch.restore == nil)
        #expect(launch.offer?.place.titles == ["pad's"])
    }

    /// A state that the app skips, for example for a link, was not discarded.
    @Test func skippedStateIsRestoredLater() async throws {
        await saveStates()
        phone.core.skip(try #require(await phone.launch().restore), at: phone.clock.now())
        await phone.flush()
        #expect(await phone.relaunch().text == "Porto")
    }

    @Test func stopOfAnEarlierVersionOfTheAppDoesNotApply() async throws {
        await saveStates()
        try await stop("41", "42")
        #expect(await phone.launch().restore == nil)
        phone.restart()
        phone.network.fault = .offline
        var context = phone.context
        context.bundleVersion = "43"
        guard case .launched(let launch) = await phone.result(of: .launch(scene: "main", context)) else {
            Issue.record("The scene was not launched.")
            return
        }
        #expect(launch.text == "Porto")
    }
}
