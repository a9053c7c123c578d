import PlacekeeperKit
import PlacekeeperTesting

/// A phone and a pad of one person, over the service in memory.
@MainActor
struct TwoDevices {
    let service: TestService
    let phone: VirtualDevice
    let pad: VirtualDevice

    init() async throws {
        service = try await TestService()
        (phone, pad) = try await service.phoneAndPad()
    }

    /// Opens an item in the app on a device, and sends the place.
    func open<Item: PlaceItem>(
        _ item: Item, of items: some ItemSource<Item>, on device: VirtualDevice, in name: String = "main"
    ) async throws {
        let scene = device.placekeeper.scene([ItemRoute<Item>].self, name)
        _ = await scene.restore(items: items)
        scene.save([.item(item.reference)], items: items)
        try await device.placekeeper.flush()
    }

    /// Launches the app on a device, and returns the identifier of the item that its window shows.
    func shown<Item: PlaceItem>(
        of items: some ItemSource<Item>, on device: VirtualDevice, in name: String = "main"
    ) async -> String? {
        let scene = device.placekeeper.scene([ItemRoute<Item>].self, name)
        guard case .item(let reference)? = await scene.restore(items: items).value?.last else { return nil }
        return reference.placeID
    }
}

/// The screen of an item.
enum ItemRoute<Item: PlaceItem>: Codable, Hashable {
    case item(Item.Reference)
}
