import PlacekeeperCore
import PlacekeeperMatching
import PlacekeeperService

/// The item list selected on the command line, with the user's devices.
struct ItemSelection {
    var list: ItemList
    var devices: [Device]
    /// The devices that have items in `list`, including revoked devices.
    var devicesWithItems: Set<DeviceID>
}

extension Wiring.Opened {
    /// Returns the item list for the app, user and declared data source in the arguments.
    func askedList(_ arguments: Arguments) async throws(CommandFailure) -> ItemSelection {
        let app = try await app(arguments.operands[0])
        let name = arguments.value(of: .dataSource) ?? ""
        guard app.dataSources[name] != nil else {
            let advice =
                nearest(to: name, among: app.dataSources.keys.sorted()).map { "did you mean \($0)?" }
                ?? "app data-sources lists the app's data sources"
            throw CommandFailure(.failure, "the app has no data source \(quoted(name)); \(advice)")
        }
        let (owner, devices) = try await askedUser(of: app, arguments)
        let list = ItemList(owner: owner, dataSource: name)
        let known = try await ask { service async throws(ServiceError) in
            try await service.lists.devicesWithItems(in: list)
        }
        return ItemSelection(list: list, devices: devices, devicesWithItems: known)
    }

    /// Parses `DEVICE:IDENTIFIER`. The device must belong to the user, or be a revoked device that still has items.
    func item(_ text: String, in asked: ItemSelection) throws(CommandFailure) -> ItemName {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].isEmpty, let device = DeviceID(String(parts[0])) else {
            throw CommandFailure(
                .usage, "\(quoted(text)) does not name an item; give DEVICE:IDENTIFIER with the device's id")
        }
        guard asked.devicesWithItems.contains(device) || asked.devices.contains(where: { $0.id == device }) else {
            throw noDevice(device, among: asked.devices)
        }
        return ItemName(device: device, identifier: String(parts[1]))
    }
}
