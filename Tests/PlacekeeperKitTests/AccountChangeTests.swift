import Foundation
import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperRuntime
import PlacekeeperTesting
import Testing

@testable import PlacekeeperKit

/// Ann and Ben use one phone, with one window, and each has another device at home.
@MainActor
struct AccountChangeTests {
    let service: TestService
    let phone: VirtualDevice
    let shelf = Shelf()
    let navigator: ValueNavigator<[Route]>
    let place: KeptPlace

    init() async throws {
        service = try await TestService()
        phone = service.device(.phone)
        navigator = ValueNavigator(lists: [shelf.list], title: "Library")
        place = KeptPlace(phone.placekeeper.scene(), navigator: navigator, device: phone.configuration.device)
    }

    func signIn(_ device: VirtualDevice, _ name: String) async throws {
        try await device.placekeeper.signIn { TestService.signInToken(of: name) }
    }

    func signOut() async throws { try await phone.placekeeper.signOut(unsent: .send(within: .seconds(5))) }

    /// Waits until the window has launched again.
    func relaunch(_ place: KeptPlace? = nil) async {
        await service.settle()
        _ = await (place ?? self.place).launching?.value
    }

    /// Ann signs in on the phone, and writes a draft.
    func annWrites() async throws {
        try await signIn(phone, "ann")
        await place.launch()
        navigator.path = [.book("1")]
        place.setValue("Ann's draft", forKey: "draft")
        place.save()
    }

    /// What another device of an account finds.
    func stored(for name: String) async throws -> [[String]] {
        let other = service.device(.phone)
        try await signIn(other, name)
        return try await other.placekeeper.scene().history().map(\.titles)
    }

    /// Registers a device for a user, which ends the registrations of the user's other devices.
    func revoke(_ user: [String: String]) async throws {
        let body = user.merging(["app": service.key, "idiom": "phone"]) { first, _ in first }
        let json = [TransportRequest.Field("Content-Type", "application/json")]
        let registered = try await service.answer(
            TransportRequest("POST", "/v1/devices", fields: json, body: [UInt8](JSONEncoder().encode(body))))
        let token = try JSONDecoder().decode(Registered.self, from: Data(registered.body)).token
        let fields = [TransportRequest.Field("Authorization", "Bearer " + token)]
        let list = try await service.answer(TransportRequest("GET", "/v1/devices", fields: fields))
        let devices = try JSONDecoder().decode(DeviceList.self, from: Data(list.body)).items
        for device in devices where !device.isSelf {
            _ = try await service.answer(TransportRequest("DELETE", "/v1/devices/\(device.id)", fields: fields))
        }
    }

    private struct DeviceList: Decodable {
        struct Device: Decodable {
            var id: String
            var isSelf: Bool
        }

        var items: [Device]
    }

    private struct Registered: Decodable {
        var token: String
    }

    /// Whether the window has nothing in memory.
    var isEmpty: Bool {
        place.value(String.self, forKey: "draft") == nil && navigator.path.isEmpty
            && place.archive().application.isEmpty && place.archive().place?.values.isEmpty != false
    }
}

/// Lets a test wait until another task has come to a point, and lets the task go on.
@MainActor
final class Gate {
    private var hasCome = false
    private var isOpen = false
    private var waiters: [CheckedContinuation<Void, Never>] = []

    func reached() async { while !hasCome { await withCheckedContinuation { waiters.append($0) } } }

    func pass() async {
        hasCome = true
        wake()
        while !isOpen { await withCheckedContinuation { waiters.append($0) } }
    }

    func open() {
        isOpen = true
        wake()
    }

    private func wake() {
        let waiting = waiters
        waiters = []
        for waiter in waiting { waiter.resume() }
    }
}

/// A shelf that loads each book when the test lets it. The book `9` does not exist.
@MainActor
final class SlowShelf: ItemSource {
    private let gate: Gate

    init(_ gate: Gate) { self.gate = gate }

    func item(withPlaceID id: String) async -> Book? {
        await gate.pass()
        return id == "9" ? nil : Book(id: id, isbn: id)
    }
}

extension StateArchive {
    /// The state of a window that shows a book and has a draft.
    static func book(_ id: String, draft: String) -> StateArchive {
        let book = ModelReference(dataSource: "Book", element: .init(id), role: .selected)
        return StateArchive(
            bundleVersion: "1", idiom: 0, application: ["draft": .string(draft)], references: [book],
            place: Place([
                .init(screen: "root", title: "Library"),
                .init(
                    screen: "book", title: "Book \(id)", references: [0],
                    parameters: ["_0": .reference(0)]),
            ]))
    }
}
