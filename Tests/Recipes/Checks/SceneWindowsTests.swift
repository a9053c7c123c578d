import PlacekeeperClient
import PlacekeeperTesting
import PlacekeeperUI
import Testing

@MainActor
struct SceneWindowsTests {
    @Test func keepsAPlaceForEachRoleOfAWindow() async throws {
        let devices = try await TwoDevices()
        let phone = Shelf(["p1": "978-1", "p2": "978-2"])
        for (role, row) in [("main", "p1"), ("reader", "p2")] {
            let (window, _) = open(role, phone, on: devices.phone)
            await window.place.launch()
            window.stackDidShow([.book(id: row)])
            window.place.save()
        }
        try await devices.phone.placekeeper.flush()

        let pad = Shelf(["q1": "978-2", "q2": "978-1"])
        for (role, row) in [("main", "q2"), ("reader", "q1")] {
            let (window, screen) = open(role, pad, on: devices.pad)
            await window.place.launch()
            #expect(screen.routes == [.book(id: row)])
        }
    }

    @Test func savesNothingIfTheStackShowsTheRestoredPlace() async throws {
        let devices = try await TwoDevices()
        let shelf = Shelf(["p1": "978-1"])
        let (window, _) = open("main", shelf, on: devices.phone)
        await window.place.launch()
        window.stackDidShow([.book(id: "p1")])
        window.place.save()
        try await devices.phone.placekeeper.flush()
        devices.phone.kill()

        let (next, screen) = open("main", shelf, on: devices.phone)
        await next.place.launch()
        next.stackDidShow(screen.routes)
        next.place.save()
        try await devices.phone.placekeeper.flush()
        #expect(try await devices.phone.placekeeper.scene().history().count == 1)
    }

    /// The stack of view controllers.
    private final class Screen {
        var routes: [Route] = []
    }

    private func open(_ role: String, _ shelf: Shelf, on device: VirtualDevice) -> (LibraryWindow, Screen) {
        let screen = Screen()
        let window = LibraryWindow(device.placekeeper.scene(role), [shelf], on: device.options.device) {
            screen.routes = $0
        }
        return (window, screen)
    }
}
