import Foundation
import PlacekeeperKit
import PlacekeeperTesting
import Testing

@MainActor
struct CloudKitModelsTests {
    private let lisbon = UUID()
    private let oslo = UUID()
    private let rome = UUID()

    @Test func opensTheSameTripAlthoughThePadNamesAnotherTripSo() async throws {
        let devices = try await TwoDevices()
        let phone = [Trip("p1", lisbon), Trip("p2", oslo)]
        try await devices.open(phone[0], of: phone, on: devices.phone)
        let pad = [Trip("p1", oslo), Trip("p2", rome), Trip("p3", lisbon)]
        #expect(await devices.shown(of: pad, on: devices.pad) == "p3")
    }

    @Test func opensNoTripIfTwoHaveTheKey() async throws {
        let devices = try await TwoDevices()
        let phone = [Trip("p1", lisbon)]
        try await devices.open(phone[0], of: phone, on: devices.phone)
        let pad = [Trip("p2", lisbon), Trip("p3", lisbon)]
        #expect(await devices.shown(of: pad, on: devices.pad) == nil)
    }

    @Test func opensTheTripThatADuplicateWasMergedInto() async throws {
        let devices = try await TwoDevices()
        // Both devices created the trip to Lisbon, and CloudKit brought both records to both devices.
        let (first, second) = (UUID(), UUID())
        let phone = [Trip("p1", first), Trip("p2", second)]
        try await devices.open(phone[1], of: phone, on: devices.phone)
        let pad = [Trip("p1", second), Trip("p3", first)]
        pad[1].merge(pad[0])
        #expect(await devices.shown(of: [pad[1]], on: devices.pad) == "p3")
    }

    @Test func opensATripOnAnotherDeviceAfterTheTripOfThisDeviceWasMerged() async throws {
        let devices = try await TwoDevices()
        let (first, second) = (UUID(), UUID())
        let phone = [Trip("p1", first), Trip("p2", second)]
        phone[0].merge(phone[1])
        try await devices.open(phone[0], of: [phone[0]], on: devices.phone)
        // CloudKit hasn't brought the merge to the pad: only the duplicate is there.
        #expect(await devices.shown(of: [Trip("q1", second)], on: devices.pad) == "q1")
    }

    @Test func opensTheTripThatReplacesARegisteredTrip() async throws {
        let devices = try await TwoDevices()
        let (first, second) = (UUID(), UUID())
        let (phone, pad) = ([Trip("p1", first), Trip("p2", second)], [Trip("p1", second), Trip("p3", first)])
        devices.phone.placekeeper.register(phone)
        devices.pad.placekeeper.register(pad)
        try await devices.pad.placekeeper.flush()
        try await devices.open(phone[1], of: phone, on: devices.phone)
        devices.pad.placekeeper.replace(pad[0].reference, with: pad[1].reference)
        devices.pad.placekeeper.register([pad[1]])
        try await devices.pad.placekeeper.flush()
        #expect(await devices.shown(of: [pad[1]], on: devices.pad) == "p3")
    }

    /// A model with a persistent identifier as text.
    private final class Trip: SyncedModel, PlaceItem {
        let placeID: String
        var keys: [UUID]
        var placeAliases: [ItemAlias] { keyAliases }

        init(_ placeID: String, _ key: UUID) { (self.placeID, keys) = (placeID, [key]) }
    }
}
