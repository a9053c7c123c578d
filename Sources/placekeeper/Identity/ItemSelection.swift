import RestorationService

/// A user's list that a command line is about, with the user's devices.
struct ItemSelection {
    var list: ItemList
    var devices: [Device]
    /// Of whose items something is known, those that were revoked among them.
    var devicesWithItems: Set<DeviceID>
}

extension Wiring.Opened {
    /// The list of an app's user, of a data source that the app declared.
    func askedList(_ arguments: Arguments) async throws(CommandFailure) -> ItemSelection {
        let app = try await app(arguments.operands[0])
        let name = arguments.value(of: .dataSource) ?? ""
        guard app.dataSources[name] != nil else {
            let advice =
                nearest(to: name, among: app.dataSources.keys.sorted()).map { "did you mean \($0)?" }
                ?? "app data-sources shows those that there are"
            throw CommandFailure(.failure, "the app has no data source \(quoted(name)); \(advice)")
        }
        let (owner, devices) = try await askedUser(of: app, arguments)
        let list = ItemList(owner: owner, dataSource: name)
        let known = try await ask { service async throws(ServiceError) in try await service.devicesWithItems(in: list) }
        return ItemSelection(list: list, devices: devices, devicesWithItems: known)
    }

    /// An item of one of the user's devices, or of one that was, from `DEVICE:IDENTIFIER`.
    func item(_ text: String, in asked: ItemSelection) throws(CommandFailure) -> ItemName {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].isEmpty, let device = DeviceID(String(parts[0])) else {
            throw CommandFailure(.usage, "\(quoted(text)) names no item; give DEVICE:IDENTIFIER, the device by its id")
        }
        guard asked.devicesWithItems.contains(device) || asked.devices.contains(where: { $0.id == device }) else {
            throw noDevice(device, among: asked.devices)
        }
        return ItemName(device: device, identifier: String(parts[1]))
    }
}
