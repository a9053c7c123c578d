import PlacekeeperClient
import PlacekeeperTesting
import PlacekeeperRuntime
import Testing

struct NetworkTests {
    let service: TestService
    let phone: VirtualDevice

    init() async throws {
        service = try await TestService()
        phone = service.device(.phone)
    }

    private func flushError() async -> PlacekeeperError.Code? {
        do throws(PlacekeeperError) {
            try await service.advancingClock { () async throws(PlacekeeperError) in
                try await phone.placekeeper.flush()
            }
            return nil
        } catch { return error.code }
    }

    @Test func stateThatWasSavedOfflineIsSentLater() async throws {
        phone.network.fault = .offline
        phone.placekeeper.scene().save(.showing("Lisbon"))
        #expect(await flushError() == .offline)
        #expect(phone.placekeeper.status.pendingCount == 1)
        phone.kill()
        phone.network.fault = nil
        try await phone.placekeeper.flush()
        #expect(try await phone.placekeeper.scene().history().map(\.titles) == [["Lisbon"]])
    }

    @Test(arguments: [
        NetworkFault.offline, .lostRequest, .lostAnswer, .tornAnswer, .status(503), .captivePortal, .never,
    ])
    func faultLosesAndRepeatsNoState(_ fault: NetworkFault) async throws {
        try await phone.saveAndFlush("Porto")
        await service.advance(by: 60)
        phone.network.failNext(fault)
        phone.placekeeper.scene().save(.showing("Lisbon"))
        await service.advance(by: 600)
        #expect(phone.placekeeper.status.pendingCount == 0)
        #expect(try await phone.placekeeper.scene().history().map(\.titles) == [["Lisbon"], ["Porto"]])
    }

    @Test func lostAnswerStoresOneArchive() async throws {
        try await phone.saveAndFlush("Porto")
        let pad = service.device(.pad)
        try await pad.placekeeper.link(phone.placekeeper.linkCode().code)
        await service.advance(by: 60)
        phone.placekeeper.scene().save(.showing("Lisbon"))
        await service.settle()
        phone.network.failNext(.lostAnswer)
        #expect(await flushError() == .offline)
        #expect(phone.placekeeper.status.pendingCount == 1)
        #expect(try await pad.placekeeper.places().map(\.titles) == [["Lisbon"]])
        phone.kill()
        try await phone.placekeeper.flush()
        let uploads = phone.network.requests.filter { $0.hasPrefix("PUT") }
        #expect(uploads.count == 3)
        #expect(Set(uploads).count == 2)
        #expect(try await phone.placekeeper.scene().history().count == 2)
    }

    @Test(arguments: [0.3, 10]) func slowServiceDoesNotDelayALaunch(_ seconds: Double) async throws {
        try await phone.saveAndFlush("Lisbon")
        phone.kill()
        phone.network.fault = .slow(seconds)
        let start = service.clock.seconds
        let launch = await service.advancingClock { await phone.placekeeper.scene().launch() }
        #expect(service.clock.seconds - start < 0.06)
        #expect(launch.title == "Lisbon")
        #expect(launch.reason.code == .ownState)
    }

    @Test func requestThatIsNeverAnsweredEndsAtItsDeadline() async throws {
        phone.network.fault = .never
        phone.placekeeper.scene().save(.showing("Lisbon"))
        let start = service.clock.seconds
        let places = await service.advancingClock { try? await phone.placekeeper.places() }
        #expect(places == nil)
        #expect(service.clock.seconds - start == phone.options.requestDeadline)
    }
}
