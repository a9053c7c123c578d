import PlacekeeperKit
import PlacekeeperTesting
import Testing

@MainActor
struct NetworkTests {
    let service: TestService
    let phone: VirtualDevice

    init() async throws {
        service = try await TestService()
        phone = service.device(.phone)
    }

    private func flushError() async -> PlacekeeperError.Code? {
        do {
            try await service.advancingClock { try await phone.placekeeper.flush() }
            return nil
        } catch { return (error as? PlacekeeperError)?.code }
    }

    @Test func stateThatWasSavedOfflineIsSentLater() async throws {
        phone.network.fault = .offline
        phone.save("Lisbon")
        #expect(await flushError() == .offline)
        #expect(phone.placekeeper.status.unsentCount == 1)
        phone.kill()
        phone.network.fault = nil
        try await phone.placekeeper.flush()
        #expect(try await phone.storedTitles() == [["Lisbon"]])
    }

    @Test(arguments: [
        NetworkFault.offline, .lostRequest, .lostAnswer, .tornAnswer, .status(503), .captivePortal, .never,
    ])
    func faultLosesAndRepeatsNoState(_ fault: NetworkFault) async throws {
        try await phone.saveAndFlush("Porto")
        await service.advance(by: .seconds(60))
        phone.network.failNext(fault)
        phone.save("Lisbon")
        await service.advance(by: .seconds(600))
        #expect(phone.placekeeper.status.unsentCount == 0)
        #expect(try await phone.storedTitles() == [["Lisbon"], ["Porto"]])
    }

    @Test func lostAnswerStoresOneArchive() async throws {
        try await phone.saveAndFlush("Porto")
        let pad = service.device(.pad)
        try await pad.placekeeper.link(phone.placekeeper.linkCode().code)
        await service.advance(by: .seconds(60))
        phone.save("Lisbon")
        await service.settle()
        phone.network.failNext(.lostAnswer)
        #expect(await flushError() == .offline)
        #expect(phone.placekeeper.status.unsentCount == 1)
        #expect(try await pad.placekeeper.places().map(\.titles) == [["Lisbon"]])
        phone.kill()
        try await phone.placekeeper.flush()
        let uploads = phone.network.requests.filter { $0.hasPrefix("PUT") }
        #expect(uploads.count == 3)
        #expect(Set(uploads).count == 2)
        #expect(try await phone.storedTitles().count == 2)
    }

    @Test(arguments: [0.3, 10]) func slowServiceDoesNotDelayALaunch(_ seconds: Double) async throws {
        try await phone.saveAndFlush("Lisbon")
        phone.kill()
        phone.network.fault = .slow(.seconds(seconds))
        let start = service.elapsed
        let scene = phone.scene
        let restored = await service.advancingClock { await scene.restore() }
        #expect(service.elapsed - start < .milliseconds(60))
        #expect(restored.value?.title == "Lisbon")
        #expect(restored.reason.code.rawValue == "own-state")
    }

    @Test func requestThatIsNeverAnsweredEndsAtItsDeadline() async throws {
        phone.network.fault = .never
        phone.save("Lisbon")
        let places = await service.advancingClock { try? await phone.placekeeper.places() }
        #expect(places == nil)
        #expect(service.elapsed == phone.configuration.requestDeadline)
    }
}
