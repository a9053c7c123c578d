import PlacekeeperClient
import PlacekeeperTesting
import PlacekeeperRuntime
import Testing

struct ClockTests {
    let service: TestService
    let phone: VirtualDevice
    let pad: VirtualDevice

    init() async throws {
        service = try await TestService()
        phone = service.device(.phone)
        pad = service.device(.pad)
        try await pad.placekeeper.link(phone.placekeeper.linkCode().code)
    }

    @Test(arguments: [31_536_000.0, -31_536_000.0, 0.0])
    func wrongClockDoesNotChangeTheOrderOfWork(_ seconds: Double) async throws {
        phone.setClock(wrongBy: seconds)
        try await phone.saveAndFlush("Porto")
        await service.advance(by: 60)
        try await pad.saveAndFlush("Lisbon")
        let launch = await phone.placekeeper.scene().launch()
        #expect(launch.title == "Porto")
        #expect(launch.offer?.place.titles == ["Lisbon"])
        let places = try await phone.placekeeper.places()
        #expect(places.first { !$0.isOwn }?.isLatest == true)
    }

    @Test func clockThatJumpsWhileAStateWaitsKeepsItsAge() async throws {
        phone.network.fault = .offline
        phone.placekeeper.scene().save(.showing("Porto"))
        await service.advance(by: 600)
        phone.setClock(wrongBy: -86_400)
        phone.network.fault = nil
        try await phone.placekeeper.flush()
        let ages = try await phone.placekeeper.places().map(\.age)
        #expect(ages.count == 1)
        #expect(ages.allSatisfy { abs($0 - 600) < 2 })
    }

    @Test func ageAfterARebootFollowsTheWallClock() async throws {
        phone.network.fault = .offline
        phone.placekeeper.scene().save(.showing("Porto"))
        await service.settle()
        phone.reboot()
        service.clock.advance(by: 3600)
        phone.network.fault = nil
        try await phone.placekeeper.flush()
        let ages = try await phone.placekeeper.places().map(\.age)
        #expect(ages.allSatisfy { abs($0 - 3600) < 2 })
    }

    @Test func advanceWithoutDevicesMovesTheClockOnly() async throws {
        let service = try await TestService()
        let start = service.clock.seconds
        await service.advance(by: 5)
        #expect(service.clock.seconds == start + 5)
    }

    @Test func operationWithoutClientsDoesNotMoveTheClock() async throws {
        phone.placekeeper.scene().save(.showing("Porto"))
        let start = service.clock.seconds
        let answer = await service.advancingClock {
            for _ in 0..<100 { await service.settle() }
            return 42
        }
        #expect(answer == 42)
        #expect(service.clock.seconds == start)
    }
}
