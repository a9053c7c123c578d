import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperTesting
import PlacekeeperUI
import PlacekeeperRuntime
import Testing

@MainActor
struct NavigationStackTests {
    @Test func opensTheSameBookUnderThePadsRowKey() async throws {
        let devices = try await TwoDevices()
        let phone = Shelf(["p1": "978-1", "p2": "978-2"])
        try await leave([.find(text: "sea"), .book(id: "p2")], phone, on: devices)
        // The pad uses the phone's row key for another book.
        let pad = RouteNavigator<Route>(lists: [Shelf(["p1": "978-2", "p2": "978-3"])])
        await KeptPlace(devices.pad.placekeeper.scene(), navigator: pad, device: devices.pad.options.device).launch()
        #expect(pad.path == [.find(text: "sea"), .book(id: "p1")])
    }

    @Test func opensNoBookIfTwoHaveTheISBN() async throws {
        let devices = try await TwoDevices()
        try await leave([.find(text: "sea"), .book(id: "p2")], Shelf(["p2": "978-2"]), on: devices)
        let pad = RouteNavigator<Route>(lists: [Shelf(["p1": "978-2", "p3": "978-2"])])
        await KeptPlace(devices.pad.placekeeper.scene(), navigator: pad, device: devices.pad.options.device).launch()
        #expect(pad.path == [.find(text: "sea")])
    }

    @Test func opensAScreenThatAnOlderVersionSavedUnderItsEarlierName() async throws {
        let devices = try await TwoDevices()
        let place = Place([.init(screen: "root"), .init(screen: "search", parameters: ["text": .string("sea")])])
        devices.phone.placekeeper.scene().save(StateArchive(bundleVersion: "1", idiom: 0, place: place))
        try await devices.phone.placekeeper.flush()
        let pad = RouteNavigator<Route>()
        await KeptPlace(devices.pad.placekeeper.scene(), navigator: pad, device: devices.pad.options.device).launch()
        #expect(pad.path == [.find(text: "sea")])
    }

    // recipe: renamed screens
    @Test func olderPlacesKeepTheirScreens() async throws {
        try Route.placeManifest.check(against: "Routes.json")
        #expect(await Route.findings(in: [.book(id: "1"), .find(text: "sea")]) == [])
    }
    // end of recipe

    private func leave(_ path: [Route], _ shelf: Shelf, on devices: TwoDevices) async throws {
        let navigator = RouteNavigator<Route>(lists: [shelf])
        let phone = devices.phone
        let place = KeptPlace(phone.placekeeper.scene(), navigator: navigator, device: phone.options.device)
        await place.launch()
        navigator.path = path
        place.save()
        try await phone.placekeeper.flush()
    }
}
