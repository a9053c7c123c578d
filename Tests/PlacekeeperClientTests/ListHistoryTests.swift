import Foundation
import PlacekeeperArchive
import PlacekeeperAPI
import PlacekeeperTesting
import PlacekeeperRuntime
import Testing

@testable import PlacekeeperClient

/// The bodies as the service reads and writes them.
private typealias Wire = PlacekeeperAPI.Wire

/// Random changes of a list on two devices, with lost answers, kills, damaged files and changes of the account.
struct ListHistoryTests {
    @Test func agreesWithTheServiceAfterRandomHistories() async throws {
        let first = ProcessInfo.processInfo.environment["PLACEKEEPER_SEED"].flatMap { UInt64($0) } ?? 1
        for seed in first..<first + UInt64(max(20, ClientHistoryTests.count / 2)) {
            var history = try await ListHistory(seed: seed)
            try await history.run(actions: 40)
            #expect(history.faults.isEmpty, "seed \(seed)")
            if !history.faults.isEmpty { break }
        }
    }
}

private struct ListHistory {
    private let service: TestService
    private var devices: [SimulatedDevice] = []
    /// The items that the app of each device has. Nil if the person changed since the app told its items.
    private var wanted: [[String]?] = [nil, nil]
    /// The registration of each device before its last sign-out.
    private var left: [String?] = [nil, nil]
    private var random: SeededRandom
    private(set) var faults: [String] = []

    init(seed: UInt64) async throws {
        service = try await TestService()
        random = SeededRandom(seed: seed)
        for index in 0..<2 {
            devices.append(SimulatedDevice(service, .phone, seed: random.next() ^ UInt64(index)))
            devices[index].save("Lisbon")
            await devices[index].flush()
        }
    }

    mutating func run(actions: Int) async throws {
        for _ in 0..<actions {
            service.clock.advance(by: Double(random.below(5)))
            await act(random.below(2))
        }
        for (index, device) in devices.enumerated() {
            device.network.repair()
            device.files.restart()
            device.restart()
            // The app tells its items at each launch of the process.
            if let items = wanted[index] { update(index, items) }
            for _ in 0..<6 {
                service.clock.advance(by: 4000)
                await device.flush()
            }
            try await check(index)
        }
    }

    private mutating func act(_ index: Int) async {
        let device = devices[index]
        if device.files.isKilled { restart(index) }
        let person = device.registration?.user
        let before = device.registration?.device
        switch random.below(20) {
        case 0..<8: change(index)
        case 8..<11: await device.flush()
        case 11: device.network.failNext(.lostAnswer)
        case 12: device.network.failNext(.lostRequest, .status(503), .lostAnswer)
        case 13: device.files.changesUntilKill = random.below(3)
        case 14: restart(index)
        case 15:
            restart(index, withoutItems: true)
            for path in device.files.paths where path.contains("/lists/") {
                device.files[path] = [UInt8](repeating: 7, count: 9)
            }
            if let items = wanted[index] { update(index, items) }
        case 16: _ = await device.link(to: devices[1 - index])
        case 17: _ = await device.result(of: .signIn(token: "subject " + ["anna", "ben"][random.below(2)]))
        case 18:
            // The app forgets the items of the person, whether the answer arrives or not.
            if await device.result(of: .signOut(.discard)).failure != .notSignedIn {
                device.network.repair()
                await device.flush()
                wanted[index] = nil
                left[index] = before
            }
        default: service.clock.advance(by: 400)
        }
        await device.settle()
        if device.registration == nil, person != nil { device.save("again") }
    }

    private mutating func restart(_ index: Int, withoutItems: Bool = false) {
        devices[index].restart()
        if !withoutItems, let items = wanted[index] { update(index, items) }
    }

    /// Adds, removes and moves some items.
    private mutating func change(_ index: Int) {
        var items = wanted[index] ?? []
        for _ in 0..<random.below(6) {
            // Identifiers are bytes: two normalization forms of a text identify two items.
            let form = ["", "\u{E9}", "e\u{301}"][random.below(3)]
            items.insert("\(index)-\(random.next() % 200)\(form)", at: random.below(items.count + 1))
        }
        for _ in 0..<random.below(4) where !items.isEmpty { items.remove(at: random.below(items.count)) }
        if items.count > 1, random.below(3) == 0 { items.swapAt(0, random.below(items.count)) }
        wanted[index] = items
        update(index, items)
    }

    private func update(_ index: Int, _ items: [String]) {
        devices[index].update("photos", items.map { .init($0, aliases: ["alias:\($0.suffix(2))"]) })
    }

    /// Compares the service's items with those of the app.
    private mutating func check(_ index: Int) async throws {
        guard let token = devices[index].registration?.token else { return }
        let response = try await service.answer(
            TransportRequest(
                "GET", "/v1/data-sources/photos/items",
                fields: [.init("Authorization", "Bearer " + token)]))
        guard response.status == 200 else {
            if let items = wanted[index], !items.isEmpty { faults.append("device \(index) registered nothing") }
            return
        }
        let page = try JSONDecoder().decode(Wire.Page<Wire.Item>.self, from: Data(response.body))
        // A sign-out that was not carried out leaves the items of the person, who is still signed in.
        if wanted[index] == nil, devices[index].registration?.device == left[index] { return }
        let expected = Set((wanted[index] ?? []).map { Array($0.utf8) })
        let found = Set(page.items.map { Array($0.identifier.utf8) })
        if found != expected { faults.append("device \(index) has \(found), and the app has \(expected)") }
        let order = page.items.sorted { ($0.position ?? 0) < ($1.position ?? 0) }.map { Array($0.identifier.utf8) }
        var taken: Set<[UInt8]> = []
        if let items = wanted[index], order != items.map({ Array($0.utf8) }).filter({ taken.insert($0).inserted }) {
            faults.append("device \(index) has the order \(order)")
        }
        if devices[index].hasLooped { faults.append("device \(index) sends without an end") }
    }
}
