import KeyedArchive
import RestorationService
import SampleApps
import RestorationInterface
import StateRestoration
import Testing

/// How much of its list a device has told the service.
enum Told: CaseIterable {
    case all, some, none
}

/// Two devices of one user, one of which was used.
@MainActor
struct Pair {
    /// A device, and what the service knows it as.
    struct Player {
        let device: PlayedDevice
        let member: Cloud.Member
    }

    let cloud: Cloud
    let source: Player
    let target: Player
    /// What was seen last on the first.
    let left: Appearance

    init(
        _ sample: Sample, _ names: ItemNames, _ layout: DeviceLayout, _ other: DeviceLayout,
        scope: DataSource.Scope = .registered, selectsNeighbours: Bool = false
    ) async throws {
        let devices = [PlayedDevice(sample, layout), PlayedDevice(sample, other)]
        names.name(devices[0].items, on: .here)
        names.name(devices[1].items, on: .there)
        cloud = try await Cloud()
        source = Player(
            device: devices[0],
            member: try await cloud.join(layout, scope: scope, selectsNeighbours: selectsNeighbours))
        target = Player(
            device: devices[1],
            member: try await cloud.join(other, scope: scope, selectsNeighbours: selectsNeighbours))
        left = try devices[0].use()
    }

    func tell(_ player: Player, _ told: Told) async throws {
        let items = player.device.items
        switch told {
        case .all: try await cloud.register(items.registeredElements(), of: player.member)
        case .some:
            // The one that was used tells what it refers to, the other one something.
            var elements = Array(items.registeredElements()[9...11])
            if let bytes = player.device.storage.archive {
                elements = try StateArchive(reading: bytes).registeredElements(of: items)
            }
            try await cloud.register(elements, of: player.member)
        case .none: break
        }
    }

    /// Deletes rows of the other device.
    func remove(_ rows: [Int]) async throws {
        let items = target.device.items
        try await cloud.register([], removing: rows.map { items.items[$0].id }, of: target.member)
        for row in rows.reversed() { items.items.remove(at: row) }
    }

    /// The title of the item that stood in a row before any was deleted.
    func title(_ row: Int) -> String { source.device.items.items[row].title }

    /// Brings what the other device is served of the first one's state to it.
    func bring() async throws {
        let bytes = try #require(source.device.storage.archive)
        let served = try #require(try await cloud.serve(bytes, from: source.member, to: target.member))
        try hasOnlyNames(of: target.device.items, in: served)
        try target.device.storage.writeArchive(served)
    }

    /// Starts the app on the other device with that state, its data there or still to arrive.
    func move(isLate: Bool = false) async throws -> any PlayedApp {
        try await bring()
        let items = target.device.items
        let all = items.items
        if isLate { (items.items, items.isLoaded) = ([], false) }
        let (app, life, _) = target.device.launch()
        _ = await life.restorePlace()
        if isLate {
            #expect(list(of: app)?.list.listSelection == [])
            #expect(list(of: app)?.list.contentOffset == 0)
            (items.items, items.isLoaded) = (all, true)
            app.shell.itemsArrived()
        }
        return app
    }

    /// What is served to a device names its items, as it spells them, or none.
    private func hasOnlyNames(of items: Catalogue, in bytes: [UInt8]) throws {
        let known = Set(items.items.map { Array($0.id.utf8) })
        for reference in try StateArchive(reading: bytes).references where reference.dataSource == "items" {
            let elements = [reference.element] + reference.before + reference.after
            let names = elements.compactMap(\.identifier).map { Array($0.utf8) }
            #expect(known.isSuperset(of: names))
        }
    }

    /// Whether all looks as it was left or, laid out otherwise, the open item and its list do.
    func isAsLeft(_ app: any PlayedApp) -> Bool {
        let seen = Appearance(app.shell)
        if source.device.layout == target.device.layout { return seen == left }
        guard let list = list(of: app), let top = list.list.listAnchor else { return false }
        let selected = list.list.listSelection.map(\.item)
        return list.items.items[top.indexPath.item].title == PlayedDevice.topTitle(target.device.sample)
            && selected == [PlayedDevice.openRow]
            && seen.visible.suffix(left.screensOfItem.count) == left.screensOfItem[...]
    }

    /// The list of items.
    func list(of app: any PlayedApp) -> ListScreen? {
        app.shell.screens.lazy.compactMap { $0 as? ListScreen }.first { $0.items === target.device.items }
    }
}
