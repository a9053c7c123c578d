import PlacekeeperArchive
import PlacekeeperCore
import PlacekeeperRuntime
import PlacekeeperSampleApps
import PlacekeeperService
import PlacekeeperStandIns
import Testing

/// The items that a device registers with the service: all items of its list, three rows and the items of its archive,
/// or no items.
enum Told: CaseIterable {
    case all, some, none
}

/// Two devices of one user. The app was used on the first device.
@MainActor
struct Pair {
    /// A device and its registration with the service.
    struct Player {
        let device: PlayedDevice
        let member: Cloud.Member
    }

    let cloud: Cloud
    let source: Player
    let target: Player
    /// The app's screens on the first device when the app saved its state.
    let left: Appearance

    init(
        _ sample: Sample, _ names: ItemNames, _ layout: DeviceLayout, _ other: DeviceLayout,
        scope: DataSource.Scope = .registered, selectsNeighbors: Bool = false
    ) async throws {
        let devices = [PlayedDevice(sample, layout), PlayedDevice(sample, other)]
        names.name(devices[0].items, on: .here)
        names.name(devices[1].items, on: .there)
        cloud = try await Cloud()
        source = Player(
            device: devices[0],
            member: try await cloud.join(layout, scope: scope, selectsNeighbors: selectsNeighbors))
        target = Player(
            device: devices[1],
            member: try await cloud.join(other, scope: scope, selectsNeighbors: selectsNeighbors))
        left = try devices[0].use()
    }

    func tell(_ player: Player, _ told: Told) async throws {
        let items = player.device.items
        switch told {
        case .all: try await cloud.register(items.registeredElements(), of: player.member)
        case .some:
            // The first device has an archive, and registers the items of this archive. The other device has no archive
            // yet, and registers three rows.
            var elements = Array(items.registeredElements()[9...11])
            if let bytes = player.device.storage.archive {
                elements = try StateArchive(reading: bytes).registeredElements(of: items)
            }
            try await cloud.register(elements, of: player.member)
        case .none: break
        }
    }

    /// Deletes rows on the other device, and registers the removals.
    func remove(_ rows: [Int]) async throws {
        let items = target.device.items
        try await cloud.register([], removing: rows.map { items.items[$0].id }, of: target.member)
        for row in rows.reversed() { items.items.remove(at: row) }
    }

    /// Returns the title of the item that was in a row before any deletion.
    func title(_ row: Int) -> String { source.device.items.items[row].title }

    /// Uploads the first device's archive, and stores the served archive on the other device.
    func bring() async throws {
        let bytes = try #require(source.device.storage.archive)
        let served = try #require(try await cloud.serve(bytes, from: source.member, to: target.member))
        try hasOnlyNames(of: target.device.items, in: served)
        try target.device.storage.writeArchive(served)
    }

    /// Restores the app on the other device. If `isLate` is true, the app's items arrive after the launch.
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

    /// Checks that a served archive has only identifiers of the requesting device's items, spelled as on this device.
    private func hasOnlyNames(of items: Catalog, in bytes: [UInt8]) throws {
        let known = Set(items.items.map { Array($0.id.utf8) })
        for reference in try StateArchive(reading: bytes).references where reference.dataSource == "items" {
            let elements = [reference.element] + reference.before + reference.after
            let names = elements.compactMap(\.identifier).map { Array($0.utf8) }
            #expect(known.isSuperset(of: names))
        }
    }

    /// Returns whether all screens look like the last screens on the first device. If the two devices have different
    /// layouts, compares only the open item and its list.
    func isAsLeft(_ app: any PlayedApp) -> Bool {
        let seen = Appearance(app.shell)
        if source.device.layout == target.device.layout { return seen == left }
        guard let list = list(of: app), let top = list.list.listAnchor else { return false }
        let selected = list.list.listSelection.map(\.item)
        return list.items.items[top.indexPath.item].title == PlayedDevice.topTitle(target.device.sample)
            && selected == [PlayedDevice.openRow]
            && seen.visible.suffix(left.screensOfItem.count) == left.screensOfItem[...]
    }

    /// Returns the screen that lists the items.
    func list(of app: any PlayedApp) -> ListScreen? {
        app.shell.screens.lazy.compactMap { $0 as? ListScreen }.first { $0.items === target.device.items }
    }
}
