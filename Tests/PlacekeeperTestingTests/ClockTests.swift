import Foundation
import PlacekeeperKit
import PlacekeeperTesting
import Testing

@MainActor
struct ClockTests {
    let service: TestService
    let phone: VirtualDevice
    let pad: VirtualDevice

    init() async throws {
        service = try await TestService()
        (phone, pad) = try await service.phoneAndPad()
    }

    @Test(arguments: [31_536_000.0, -31_536_000.0, 0.0])
    func wrongClockDoesNotChangeTheOrderOfWork(_ seconds: Double) async throws {
        phone.setClock(wrongBy: .seconds(seconds))
        try await phone.saveAndFlush("Porto")
        await service.advance(by: .seconds(60))
        try await pad.saveAndFlush("Lisbon")
        let restored = await phone.scene.restore()
        #expect(restored.value?.title == "Porto")
        #expect(restored.offer?.place.titles == ["Lisbon"])
        let places = try await phone.placekeeper.places()
        #expect(places.first { !$0.device.isThisDevice }?.isLatest == true)
    }

    @Test func clockThatJumpsWhileAStateWaitsKeepsItsAge() async throws {
        phone.network.fault = .offline
        phone.save("Porto")
        await service.advance(by: .seconds(600))
        phone.setClock(wrongBy: .seconds(-86_400))
        phone.network.fault = nil
        try await phone.placekeeper.flush()
        let dates = try await phone.placekeeper.places().map(\.date.timeIntervalSince1970)
        #expect(dates.count == 1)
        // By the phone's clock, which is a day behind.
        #expect(dates.allSatisfy { abs(service.clock.seconds - 86_400 - 600 - $0) < 2 })
    }

    @Test func ageAfterARebootFollowsTheWallClock() async throws {
        phone.network.fault = .offline
        phone.save("Porto")
        await service.settle()
        phone.reboot()
        service.clock.advance(by: 3600)
        phone.network.fault = nil
        try await phone.placekeeper.flush()
        let dates = try await phone.placekeeper.places().map(\.date.timeIntervalSince1970)
        #expect(dates.allSatisfy { abs(service.clock.seconds - 3600 - $0) < 2 })
    }

    @Test func advanceWithoutDevicesMovesTheClockOnly() async throws {
        let service = try await TestService()
        await service.advance(by: .seconds(5))
        #expect(service.elapsed == .seconds(5))
    }

    @Test func operationWithoutClientsDoesNotMoveTheClock() async throws {
        phone.save("Porto")
        let start = service.elapsed
        let answer = await service.advancingClock {
            for _ in 0..<100 { await service.settle() }
            return 42
        }
        #expect(answer == 42)
        #expect(service.elapsed == start)
    }
}
