import PlacekeeperTesting
import StateRestoration
import Testing

@testable import PlacekeeperClient

struct LaunchTests {
    let service: TestService
    let phone: SimulatedDevice
    let pad: SimulatedDevice

    init() async throws {
        service = try await TestService()
        phone = SimulatedDevice(service, .phone, seed: 1)
        pad = SimulatedDevice(service, .phone, seed: 2)
    }

    @Test func startsFreshIfNothingIsStored() async {
        let launch = await phone.launch()
        #expect(launch.isFresh)
        #expect(launch.reason.code == .nothingStored)
    }

    @Test func restoresOwnStateSilently() async {
        phone.save("Lisbon")
        await phone.flush()
        phone.restart()
        let launch = await phone.launch()
        #expect(launch.text == "Lisbon")
        #expect(launch.reason.code == .ownState)
        #expect(launch.offer == nil)
    }

    @Test func asksOnceForOwnStateAndGetsNoBytes() async throws {
        phone.save("Lisbon")
        await phone.flush()
        phone.restart()
        let count = phone.network.requests.count
        _ = await phone.launch()
        let requests = phone.network.requests.dropFirst(count)
        #expect(requests.count == 1)
        let answer = try await service.answer(try #require(requests.first))
        #expect(answer.status == 304)
    }

    @Test func restoresStateOfAnotherDeviceInUnusedScene() async {
        phone.save("Lisbon")
        await phone.flush()
        #expect(await pad.link(to: phone).isDone)
        let launch = await pad.launch()
        #expect(launch.text == "Lisbon")
        #expect(launch.reason.code == .freshInstallation)
    }

    @Test func offersNewerStateOfAnotherDevice() async throws {
        pad.save("Porto")
        await pad.flush()
        #expect(await pad.link(to: phone).isDone)
        service.clock.advance(by: 60)
        phone.save("Lisbon")
        await phone.flush()
        service.clock.advance(by: 30)
        pad.restart()
        let launch = await pad.launch()
        #expect(launch.text == "Porto")
        let offer = try #require(launch.offer)
        #expect(offer.place.titles == ["Lisbon"])
        #expect(offer.place.isLatest)
        #expect(!offer.place.isOwn)
        let served = await pad.result(of: .take(offer.place, pad.context)).served
        #expect(served?.text == "Lisbon")
    }

    @Test func restoresLocalStateWithoutConnection() async {
        phone.save("Lisbon")
        await phone.flush()
        phone.restart()
        phone.network.fault = .offline
        let launch = await phone.launch()
        #expect(launch.text == "Lisbon")
        #expect(launch.reason.code == .offline)
    }

    @Test func restoresStateThatWasNeverSent() async {
        phone.network.fault = .offline
        phone.save("Lisbon")
        await phone.flush()
        phone.restart()
        let launch = await phone.launch()
        #expect(launch.text == "Lisbon")
    }

    @Test func sendsWaitingStateBeforeItAsks() async {
        _ = await phone.launch()
        phone.network.fault = .offline
        phone.save("Lisbon")
        await phone.flush()
        phone.network.fault = nil
        phone.restart()
        let launch = await phone.launch()
        #expect(launch.text == "Lisbon")
        #expect(launch.reason.code == .ownState)
        #expect(phone.last.status.pendingCount == 0)
    }

    @Test func decidesAtTheDeadline() async {
        phone.save("Lisbon")
        await phone.flush()
        phone.restart()
        let ticket = phone.add(.launch(scene: "main", phone.context))
        phone.step()
        #expect(phone.hasOpenRequests)
        service.clock.advance(by: 1.0)
        phone.step()
        guard case .launched(let launch)? = phone.results[ticket] else {
            Issue.record("the launch has no result")
            return
        }
        #expect(launch.text == "Lisbon")
        #expect(launch.reason.code == .deadline)
    }

    @Test func doesNotRestoreStateThatCrashed() async {
        phone.save("Lisbon")
        await phone.flush()
        phone.restart()
        #expect(await phone.launch().text == "Lisbon")
        // The process ends without a report.
        phone.restart()
        let launch = await phone.launch()
        #expect(launch.text == nil)
        phone.restart()
        phone.network.fault = .offline
        #expect(await phone.launch().reason.code == .crashed)
    }

    @Test func restoresAgainAfterReport() async throws {
        phone.save("Lisbon")
        await phone.flush()
        phone.restart()
        let restored = try #require(await phone.launch().restore)
        phone.core.report(.restored, of: restored, at: phone.clock.now())
        phone.restart()
        #expect(await phone.launch().text == "Lisbon")
    }

    @Test func takesSavingForSuccessfulRestore() async {
        phone.save("Lisbon")
        await phone.flush()
        phone.restart()
        _ = await phone.launch()
        phone.save("Lisbon", .none)
        phone.restart()
        #expect(await phone.launch().text == "Lisbon")
    }

    @Test func restoredStateOfAnotherDeviceIsLocalStateLater() async throws {
        phone.save("Lisbon")
        await phone.flush()
        #expect(await pad.link(to: phone).isDone)
        let served = try #require(await pad.launch().restore)
        pad.core.report(.restored, of: served, at: pad.clock.now())
        await pad.flush()
        pad.restart()
        pad.network.fault = .offline
        let launch = await pad.launch()
        #expect(launch.text == "Lisbon")
    }

    @Test func glanceDoesNotReplaceNewerWork() async throws {
        phone.save("Lisbon")
        await phone.flush()
        #expect(await pad.link(to: phone).isDone)
        let served = try #require(await pad.launch().restore)
        pad.core.report(.restored, of: served, at: pad.clock.now())
        service.clock.advance(by: 60)
        pad.save("Lisbon, scrolled", .none)
        await pad.flush()
        phone.restart()
        let launch = await phone.launch()
        #expect(launch.text == "Lisbon")
        #expect(launch.offer == nil)
    }
}
