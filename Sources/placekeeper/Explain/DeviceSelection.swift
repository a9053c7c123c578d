import PlacekeeperCore
import PlacekeeperService

extension Wiring.Opened {
    /// Returns the device that `explain` is about: the one given by `--device`, or a new one with only `--idiom`, or
    /// else the user's only device.
    func selectedDevice(of app: App, _ arguments: Arguments) async throws(CommandFailure) -> Device {
        let (owner, devices) = try await askedUser(of: app, arguments)
        if arguments.source(of: .device) != nil {
            let id: DeviceID = try arguments.id(of: .device)
            if let device = devices.first(where: { $0.id == id }) { return device }
            throw noDevice(id, among: devices)
        }
        if arguments.source(of: .idiom) != nil {
            let now = service.clock.now()
            return Device(id: .random(service.random), owner: owner, idiom: .phone, createdAt: now, lastSeenAt: now)
        }
        if devices.count == 1 { return devices[0] }
        throw CommandFailure(
            .usage,
            "the user has several devices; give one with --device, or a new one with --idiom:\n" + table(of: devices))
    }

    /// Returns the user of `--user` and the user's devices. Adds an entry to the audit log, because the command shows
    /// this user's data.
    func askedUser(of app: App, _ arguments: Arguments) async throws(CommandFailure) -> (UserKey, [Device]) {
        let user: UserID = try arguments.id(of: .user)
        let owner = UserKey(app: app.id, user: user)
        let devices = try await devices(of: owner)
        guard !devices.isEmpty else {
            throw CommandFailure(
                .failure, "\(app.bundleIdentifier) has no user \(user) with a device; users lists the app's users")
        }
        try await record(.shown, in: app.id, about: owner)
        return (owner, devices)
    }

    func noDevice(_ id: DeviceID, among devices: [Device]) -> CommandFailure {
        CommandFailure(.failure, "the user has no device \(id); the user's devices:\n" + table(of: devices))
    }

    /// Returns a user's devices, most recently seen first.
    private func devices(of owner: UserKey) async throws(CommandFailure) -> [Device] {
        do throws(ServiceError) {
            return try await service.devices.list(of: owner).sorted { $0.lastSeenAt > $1.lastSeenAt }
        } catch {
            throw CommandFailure(.unavailable, clause(error.message))
        }
    }

    private func table(of devices: [Device]) -> String {
        // Operators recognize a device by when it was last used, so the 20 most recently used devices are enough.
        let rows = devices.prefix(20).map { device in
            [device.id.description, device.idiom.name, device.name ?? device.model ?? "–", device.lastSeenAt.text]
        }
        let rest = devices.count - rows.count
        return Table(header: ["DEVICE", "IDIOM", "NAME", "LAST SEEN"], rows: rows).text
            + (rest > 0 ? "\nand \(rest) more" : "")
    }
}

extension Arguments {
    /// Returns the value of an option as an id.
    func id<Entity>(of option: Option) throws(CommandFailure) -> ID<Entity> {
        guard let id = value(of: option).flatMap(ID<Entity>.init(_:)) else {
            throw failure(over: option, "give an id, like 7d4f6f0e-3f43-4a5c-9d0e-0d6c1f2b7a10")
        }
        return id
    }
}
