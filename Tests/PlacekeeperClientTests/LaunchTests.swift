import PlacekeeperArchive
import PlacekeeperTesting
import PlacekeeperRuntime
import Testing

@testable import PlacekeeperClient

final class LaunchTests: DeviceTests {
    @Test func startsFreshIfNothingIsStored() async {
        let launch = await phone.launch()
        #expect(launch.isFresh)
        #expect(launch.reason.code == .nothingStored)
    }

    @Test func restoresOwnStateSilently() async {
        await phone.saveAndFlush("Lisbon")
        let launch = await phone.relaunch()
        #expect(launch.text == "Lisbon")
        #expect(launch.reason.code == .ownState)
        #expect(launch.offer == nil)
    }

    @Test func asksOnceForOwnStateAndGetsNoBytes() async throws {
        await phone.saveAndFlush("Lisbon")
        phone.restart()
        let count = phone.network.requests.count
        _ = await phone.launch()
        let requests = phone.network.requests.dropFirst(count)
        #expect(requests.count == 1)
        let answer = try await service.answer(try #require(requests.first))
        #expect(answer.status == 304)
    }

    @Test func restoresStateOfAnotherDeviceInUnusedScene() async {
        await phone.saveAndFlush("Lisbon")
        #expect(await pad.link(to: phone).isDone)
        let launch = await pad.launch()
        #expect(launch.text == "Lisbon")
        #expect(launch.reason.code == .freshInstallation)
    }

    @Test func offersNewerStateOfAnotherDevice() async throws {
        await pad.saveAndFlush("Porto")
        #expect(await pad.link(to: phone).isDone)
        service.clock.advance(by: 60)
        await phone.saveAndFlush("Lisbon")
        service.clock.advance(by: 30)
        let launch = await pad.relaunch()
        #expect(launch.text == "Porto")
        let offer = try #require(launch.offer)
        #expect(offer.place.titles == ["Lisbon"])
        #expect(offer.place.isLatest)
        #expect(!offer.place.device.isThisDevice)
        let served = await pad.result(of: .take(offer.place, pad.context)).served
        #expect(served?.text == "Lisbon")
    }

    /// Gives the pad an offer: its own state "Porto" is older than the phone's "Lisbon".
    private func offer() async throws -> Placekeeper.Offer {
        await pad.saveAndFlush("Porto")
        #expect(await pad.link(to: phone).isDone)
        service.clock.advance(by: 60)
        await phone.saveAndFlush("Lisbon")
        let launch = await pad.relaunch()
        pad.core.report(.restored, of: try #require(launch.restore), at: pad.clock.now())
        return try #require(launch.offer)
    }

    @Test(arguments: [false, true])
    func offersNoStateAgainThatWasTaken(looks: Bool) async throws {
        let offer = try await offer()
        let served = try #require(await pad.result(of: .take(offer.place, pad.context)).served)
        pad.core.report(.restored, of: served, at: pad.clock.now())
        if looks { pad.save("Lisbon, scrolled by the system", .viewing) }
        await pad.flush()
        let launch = await pad.relaunch()
        #expect(launch.text?.hasPrefix("Lisbon") == true)
        #expect(launch.offer == nil)
        #expect(launch.reason.code == .alreadyOffered)
    }

    @Test func offersNoStateAgainThatWasDismissed() async throws {
        pad.core.dismiss(try await offer())
        let launch = await pad.relaunch()
        #expect(launch.text == "Porto")
        #expect(launch.offer == nil)
        service.clock.advance(by: 60)
        await phone.saveAndFlush("Faro")
        #expect(await pad.relaunch().offer?.place.titles == ["Faro"])
    }

    @Test func offersTheStateBeforeTheOneThatCrashed() async throws {
        await phone.saveAndFlush("Lisbon")
        phone.restart()
        phone.core.report(.restored, of: try #require(await phone.launch().restore), at: phone.clock.now())
        service.clock.advance(by: 60)
        await phone.saveAndFlush("Porto")
        #expect(await phone.relaunch().text == "Porto")
        let launch = await phone.relaunch()
        #expect(launch.restore == nil)
        #expect(launch.offer?.place.titles == ["Lisbon"])
    }

    @Test func restoresNoCrashedStateIfTheDeadlinePasses() async {
        await phone.saveAndFlush("Lisbon")
        #expect(await phone.relaunch().text == "Lisbon")
        phone.restart()
        phone.add(.launch(scene: "main", phone.context))
        phone.step()
        service.clock.advance(by: 2)
        phone.step()
        guard case .launched(let launch)? = phone.results.values.first else {
            Issue.record("The launch was not decided.")
            return
        }
        #expect(launch.restore == nil)
        #expect(launch.reason.code == .crashed)
    }

    @Test func offersTheStateThatTheSettingOfferKeepsFromBeingRestored() async throws {
        let offer = try await offer()
        let served = try #require(await pad.result(of: .take(offer.place, pad.context)).served)
        pad.core.report(.restored, of: served, at: pad.clock.now())
        await pad.flush()
        try await service.setRestoration("offer")
        let launch = await pad.relaunch()
        #expect(launch.restore == nil)
        #expect(launch.offer?.place.titles == ["Lisbon"])
        #expect(launch.reason.code == .restorationOffered)
    }

    @Test func restoresNoDismissedStateInAnUnusedScene() async throws {
        try await service.setRestoration("offer")
        await phone.saveAndFlush("Lisbon")
        #expect(await pad.link(to: phone).isDone)
        pad.core.dismiss(try #require(await pad.launch().offer))
        try await service.setRestoration("auto")
        #expect(await pad.relaunch().restore == nil)
    }

    @Test func restoresLocalStateWithoutConnection() async {
        await phone.saveAndFlush("Lisbon")
        phone.restart()
        phone.network.fault = .offline
        let launch = await phone.launch()
        #expect(launch.text == "Lisbon")
        #expect(launch.reason.code == .offline)
    }

    @Test func restoresStateThatWasNeverSent() async {
        phone.network.fault = .offline
        await phone.saveAndFlush("Lisbon")
        let launch = await phone.relaunch()
        #expect(launch.text == "Lisbon")
    }

    @Test func sendsWaitingStateBeforeItAsks() async {
        _ = await phone.launch()
        await phone.saveOffline("Lisbon")
        let launch = await phone.relaunch()
        #expect(launch.text == "Lisbon")
        #expect(launch.reason.code == .ownState)
        #expect(phone.last.status.unsentCount == 0)
    }

    @Test(arguments: [(409, "quota-exceeded"), (503, "overloaded"), (507, "store-full")])
    func restoresAStateThatTheServiceDoesNotTakeNow(status: Int, code: String) async {
        await phone.saveAndFlush("Lisbon")
        phone.network.fault = .offline
        await phone.saveAndFlush("Porto")
        phone.network.repair()
        phone.restart()
        var uploads = 0
        phone.intercept = { request in
            guard request.method == "PUT" else { return nil }
            uploads += 1
            return .problem(status, code)
        }
        #expect(await phone.launch().text == "Porto")
        #expect(uploads == 1)
    }

    @Test func namesTheLaunchOfTheProcess() async {
        func launches() -> Set<String> {
            Set(phone.network.requests.flatMap(\.fields).filter { $0.name == "Launch-Id" }.map(\.value))
        }
        await phone.saveAndFlush("Lisbon")
        _ = await phone.launch()
        #expect(launches().count == 1)
        _ = await phone.relaunch()
        #expect(launches().count == 2)
    }

    @Test func offersASupersededStateToAnUnusedScene() async throws {
        await phone.saveAndFlush("old")
        service.clock.advance(by: 10)
        var archive = phone.archive("of a newer version")
        archive.bundleVersion = "43"
        archive.place = nil
        phone.core.save(archive, in: "main", .now, at: phone.clock.now())
        await phone.flush()
        #expect(await pad.link(to: phone).isDone)
        let launch = await pad.launch()
        #expect(launch.isFresh)
        #expect(launch.reason.code == .superseded)
        #expect(launch.offer?.place.titles == ["old"])
    }

    @Test func decidesAtTheDeadlineAfterAnUpdate() async {
        await phone.saveAndFlush("Lisbon")
        phone.restart()
        var context = phone.context
        context.bundleVersion = "43"
        let callID = phone.add(.launch(scene: "main", context))
        phone.step()
        #expect(phone.hasOpenRequests)
        service.clock.advance(by: 1.0)
        phone.step()
        guard case .launched(let launch)? = phone.results[callID] else {
            Issue.record("the launch has no result")
            return
        }
        #expect(launch.text == "Lisbon")
        #expect(launch.reason.code == .deadline)
    }

    @Test func doesNotRestoreStateThatCrashed() async {
        await phone.saveAndFlush("Lisbon")
        #expect(await phone.relaunch().text == "Lisbon")
        // The process ends without a report.
        let launch = await phone.relaunch()
        #expect(launch.text == nil)
        phone.restart()
        phone.network.fault = .offline
        #expect(await phone.launch().reason.code == .crashed)
    }

    @Test func restoresAgainAfterReport() async throws {
        await phone.saveAndFlush("Lisbon")
        let restored = try #require(await phone.relaunch().restore)
        phone.core.report(.restored, of: restored, at: phone.clock.now())
        #expect(await phone.relaunch().text == "Lisbon")
    }

    @Test func restoredStateOfAnotherDeviceIsLocalStateLater() async throws {
        await phone.saveAndFlush("Lisbon")
        #expect(await pad.link(to: phone).isDone)
        let served = try #require(await pad.launch().restore)
        pad.core.report(.restored, of: served, at: pad.clock.now())
        await pad.flush()
        pad.restart()
        pad.network.fault = .offline
        let launch = await pad.launch()
        #expect(launch.text == "Lisbon")
    }
}
