import PlacekeeperClient
import PlacekeeperKit
import PlacekeeperRuntime
import PlacekeeperTesting
import Testing

@MainActor
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
        let restored = await pad.scene.restore()
        #expect(restored.value?.title == "Lisbon")
        #expect(restored.reason.code.rawValue == "fresh-installation")
    }

    @Test func carriesPlaceToDeviceOfSameAccount() async throws {
        let token = TestService.signInToken(of: "ann")
        try await phone.placekeeper.signIn { token }
        try await pad.placekeeper.signIn { token }
        try await phone.saveAndFlush("Lisbon")
        #expect(await pad.restoredTitle() == "Lisbon")
    }

    @Test func carriesNothingToOtherAccount() async throws {
        try await phone.placekeeper.signIn { TestService.signInToken(of: "ann") }
        try await pad.placekeeper.signIn { TestService.signInToken(of: "bob") }
        try await phone.saveAndFlush("Lisbon")
        let restored = await pad.scene.restore()
        #expect(restored.value == nil && restored.offer == nil)
    }

    @Test func sendsStateAfterTheDelayWithoutFlush() async throws {
        let delay = phone.configuration.sendDelay
        phone.save("Lisbon")
        await service.advance(by: delay - .milliseconds(100))
        #expect(phone.placekeeper.status.unsentCount == 1)
        await service.advance(by: .milliseconds(100))
        #expect(phone.placekeeper.status.unsentCount == 0)
        #expect(try await phone.storedTitles() == [["Lisbon"]])
    }

    @Test func followingDevicesHaveReadTheChangeOnceAllIsSettled() async throws {
        try await phone.saveAndFlush("Porto")
        let pads = (0..<8).map { _ in service.device(.pad) }
        var scenes: [Placekeeper.Scene<Shown>] = []
        for pad in pads {
            try await pad.placekeeper.link(phone.placekeeper.linkCode().code)
            let scene = pad.scene
            _ = await scene.restore()
            scenes.append(scene)
        }
        await service.advance(by: .seconds(60))
        let requests = pads.map(\.network.requests.count)
        try await phone.saveAndFlush("Lisbon")
        await service.settle()
        for (pad, count) in zip(pads, requests) {
            try #require(pad.network.requests.dropFirst(count).contains { $0.hasPrefix("GET /v1/places") })
        }
        for scene in scenes {
            var iterator = scene.offers.makeAsyncIterator()
            #expect(await iterator.next()??.place.titles == ["Lisbon"])
        }
    }

    @Test func deviceThatWasOfflineLearnsOfTheOfferLater() async throws {
        let scene = pad.scene
        scene.save(Shown(title: "Porto"))
        try await pad.placekeeper.flush()
        try await phone.placekeeper.link(pad.placekeeper.linkCode().code)
        var offers = scene.offers.makeAsyncIterator()
        await service.settle()
        pad.network.fault = .offline
        await service.advance(by: .seconds(60))
        try await phone.saveAndFlush("Lisbon")
        await service.settle()
        let requests = pad.network.requests.count
        pad.network.fault = nil
        await service.advance(by: .seconds(600))
        try #require(pad.network.requests.dropFirst(requests).contains { $0.hasPrefix("GET /v1/places") })
        #expect(await offers.next()??.place.titles == ["Lisbon"])
    }

    @Test func olderVersionOfTheAppRestoresThePlaceOfANewerOne() async throws {
        let newer = service.device(.phone, bundleVersion: "2")
        try await newer.saveAndFlush("Lisbon")
        try await pad.placekeeper.link(newer.placekeeper.linkCode().code)
        #expect(await pad.placekeeper.scene().launch().restore?.fidelity == .place)
        #expect(await pad.restoredTitle() == "Lisbon")
        await service.advance(by: .seconds(6))
        // The pad gets the update of the app.
        pad.configuration.device.bundleVersion = "2"
        pad.kill()
        #expect(await pad.restoredTitle() == "Lisbon")
    }

    @Test func operatorTurnsRestorationOff() async throws {
        try await phone.saveAndFlush("Lisbon")
        try await service.setRestoration("off")
        phone.kill()
        let restored = await phone.scene.restore()
        #expect(restored.value == nil)
        #expect(restored.reason.code.rawValue == "restoration-off")
    }
}
