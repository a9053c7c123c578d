import Foundation
import PlacekeeperClient
import PlacekeeperTesting
import PlacekeeperUI
import Testing

@MainActor
struct CloudKitModelsTests {
    private let lisbon = UUID()
    private let oslo = UUID()
    private let rome = UUID()

    @Test func opensTheSameTripAlthoughThePadNamesAnotherTripSo() async throws {
        let devices = try await TwoDevices()
        let (phone, pad) = (TripList(devices.phone.placekeeper), TripList(devices.pad.placekeeper))
        phone.show([.init(identifier: "p1", key: lisbon), .init(identifier: "p2", key: oslo)])
        pad.show([
            .init(identifier: "p1", key: oslo), .init(identifier: "p2", key: rome),
            .init(identifier: "p3", key: lisbon),
        ])
        try await devices.pad.placekeeper.flush()
        _ = try await devices.open("p1", of: phone, on: devices.phone)
        #expect(await devices.shown(of: pad, on: devices.pad) == "p3")
    }

    @Test func opensNoTripIfTwoHaveTheKey() async throws {
        let devices = try await TwoDevices()
        let (phone, pad) = (TripList(devices.phone.placekeeper), TripList(devices.pad.placekeeper))
        phone.show([.init(identifier: "p1", key: lisbon)])
        pad.show([.init(identifier: "p2", key: lisbon), .init(identifier: "p3", key: lisbon)])
        try await devices.pad.placekeeper.flush()
        _ = try await devices.open("p1", of: phone, on: devices.phone)
        #expect(await devices.shown(of: pad, on: devices.pad) == nil)
    }

    @Test func opensTheTripThatADuplicateWasMergedInto() async throws {
        let devices = try await TwoDevices()
        let (phone, pad) = (TripList(devices.phone.placekeeper), TripList(devices.pad.placekeeper))
        // Both devices created the trip to Lisbon, and CloudKit brought both records to both devices.
        let (first, second) = (UUID(), UUID())
        phone.show([.init(identifier: "p1", key: first), .init(identifier: "p2", key: second)])
        pad.show([.init(identifier: "p1", key: second), .init(identifier: "p3", key: first)])
        try await devices.pad.placekeeper.flush()
        _ = try await devices.open("p2", of: phone, on: devices.phone)
        pad.merge("p1", into: "p3")
        pad.show([.init(identifier: "p3", key: first)])
        try await devices.pad.placekeeper.flush()
        #expect(await devices.shown(of: pad, on: devices.pad) == "p3")
    }
}
