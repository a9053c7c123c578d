import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperTesting
import PlacekeeperUI
import PlacekeeperRuntime

/// A phone and a pad of one person, over the service in memory.
@MainActor
struct TwoDevices {
    let service: TestService
    let phone: VirtualDevice
    let pad: VirtualDevice

    init() async throws {
        service = try await TestService()
        phone = service.device(.phone)
        pad = service.device(.pad)
        try await pad.placekeeper.link(phone.placekeeper.linkCode().code)
    }

    /// Opens an item in the app on a device, and sends the place.
    func open(
        _ identifier: String, of list: any ModelAssociation, on device: VirtualDevice, in scene: String = "main"
    ) async throws -> (place: KeptPlace, navigator: RouteNavigator<ItemRoute>) {
        let window = await window(of: list, on: device, in: scene)
        window.navigator.path = [ItemRoute(item: PlaceItem(identifier, of: list.dataSourceName))]
        window.place.save()
        try await device.placekeeper.flush()
        return window
    }

    /// Launches the app on a device, and returns the item that its window shows.
    func shown(of list: any ModelAssociation, on device: VirtualDevice, in scene: String = "main") async -> String? {
        await window(of: list, on: device, in: scene).navigator.path.last?.item.identifier
    }

    /// Launches the app on a device.
    private func window(
        of list: any ModelAssociation, on device: VirtualDevice, in scene: String
    ) async -> (place: KeptPlace, navigator: RouteNavigator<ItemRoute>) {
        let navigator = RouteNavigator<ItemRoute>(lists: [list])
        let scene = device.placekeeper.scene(scene)
        let place = KeptPlace(scene, navigator: navigator, device: device.options.device)
        await place.launch()
        return (place, navigator)
    }
}

/// The screen of an item of any list. Its name is `link` for an item of the list `links`.
struct ItemRoute: PlaceRoute {
    let item: PlaceItem

    init(item: PlaceItem) { self.item = item }

    var placeName: String { String(item.list.dropLast()) }
    var placeItems: [PlaceItem] { [item] }

    init?(placeName: String, items: [PlaceItem], parameters: StateDecoder) {
        guard let item = items.first else { return nil }
        self.item = item
    }
}
