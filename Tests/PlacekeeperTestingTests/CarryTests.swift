import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperTesting
import PlacekeeperRuntime
import Testing

struct CarryTests {
    let service: TestService
    let phone: VirtualDevice
    let pad: VirtualDevice

    init() async throws {
        service = try await TestService()
        phone = service.device(.phone)
        pad = service.device(.pad)
    }

    @Test func carriesPlaceToLinkedDevice() async throws {
        try await phone.saveAndFlush("Lisbon")
        try await pad.placekeeper.link(phone.placekeeper.linkCode().code)
        let launch = await pad.placekeeper.scene().launch()
        #expect(launch.title == "Lisbon")
        #expect(launch.reason.code == .freshInstallation)
    }

    @Test func carriesPlaceToDeviceOfSameAccount() async throws {
        let token = TestService.signInToken(of: "ann")
        try await phone.placekeeper.signIn { token }
        try await pad.placekeeper.signIn { token }
        try await phone.saveAndFlush("Lisbon")
        #expect(await pad.placekeeper.scene().launch().title == "Lisbon")
    }

    @Test func carriesNothingToOtherAccount() async throws {
        try await phone.placekeeper.signIn { TestService.signInToken(of: "ann") }
        try await pad.placekeeper.signIn { TestService.signInToken(of: "bob") }
        try await phone.saveAndFlush("Lisbon")
        #expect(await pad.placekeeper.scene().launch().isFresh)
    }

    @Test func sendsStateAfterTheDelayWithoutFlush() async throws {
        let delay = phone.options.sendDelay
        phone.placekeeper.scene().save(.showing("Lisbon"))
        await service.advance(by: delay - 0.1)
        #expect(phone.placekeeper.status.pendingCount == 1)
        await service.advance(by: 0.1)
        #expect(phone.placekeeper.status.pendingCount == 0)
        #expect(try await phone.placekeeper.scene().history().map(\.titles) == [["Lisbon"]])
    }

    @Test func followingDevicesHaveReadTheChangeOnceAllIsSettled() async throws {
        try await phone.saveAndFlush("Porto")
        let pads = (0..<8).map { _ in service.device(.pad) }
        var offers: [AsyncStream<Offer?>] = []
        for pad in pads {
            try await pad.placekeeper.link(phone.placekeeper.linkCode().code)
            let scene = pad.placekeeper.scene()
            _ = await scene.launch()
            offers.append(scene.offers)
        }
        await service.advance(by: 60)
        let requests = pads.map(\.network.requests.count)
        try await phone.saveAndFlush("Lisbon")
        await service.settle()
        for (pad, count) in zip(pads, requests) {
            try #require(pad.network.requests.dropFirst(count).contains { $0.hasPrefix("GET /v1/places") })
        }
        for offers in offers {
            var iterator = offers.makeAsyncIterator()
            #expect(await iterator.next()??.place.titles == ["Lisbon"])
        }
    }

    @Test func deviceThatWasOfflineLearnsOfTheOfferLater() async throws {
        let scene = pad.placekeeper.scene()
        scene.save(.showing("Porto"))
        try await pad.placekeeper.flush()
        try await phone.placekeeper.link(pad.placekeeper.linkCode().code)
        var offers = scene.offers.makeAsyncIterator()
        await service.settle()
        pad.network.fault = .offline
        await service.advance(by: 60)
        try await phone.saveAndFlush("Lisbon")
        await service.settle()
        let requests = pad.network.requests.count
        pad.network.fault = nil
        await service.advance(by: 600)
        try #require(pad.network.requests.dropFirst(requests).contains { $0.hasPrefix("GET /v1/places") })
        #expect(await offers.next()??.place.titles == ["Lisbon"])
    }

    @Test func olderVersionOfTheAppRestoresThePlaceOfANewerOne() async throws {
        phone.options.device.bundleVersion = "2"
        var archive = StateArchive.showing("Lisbon")
        archive.bundleVersion = "2"
        phone.placekeeper.scene().save(archive)
        try await phone.placekeeper.flush()
        try await pad.placekeeper.link(phone.placekeeper.linkCode().code)
        let older = await pad.placekeeper.scene().launch()
        #expect(older.restore?.fidelity == .place && older.title == "Lisbon")
        await service.advance(by: 6)
        // The pad gets the update of the app.
        pad.options.device.bundleVersion = "2"
        pad.kill()
        #expect(await pad.placekeeper.scene().launch().title == "Lisbon")
    }

    @Test func operatorTurnsRestorationOff() async throws {
        try await phone.saveAndFlush("Lisbon")
        try await service.setRestoration("off")
        phone.kill()
        let launch = await phone.placekeeper.scene().launch()
        #expect(launch.isFresh)
        #expect(launch.reason.code == .restorationOff)
    }
}
