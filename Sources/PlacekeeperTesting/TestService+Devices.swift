import PlacekeeperConcurrency
public import PlacekeeperClient
public import PlacekeeperRuntime

/// The virtual devices of a service.
struct Devices {
    /// The clients of the devices. A device, or a scene of its client, keeps the client alive.
    private struct Client {
        weak var placekeeper: Placekeeper?
    }

    private(set) var count: UInt64 = 0
    private var clients: [Client] = []

    mutating func next() -> UInt64 {
        count += 1
        return count
    }

    mutating func add(_ placekeeper: Placekeeper) {
        clients.removeAll { $0.placekeeper == nil }
        clients.append(Client(placekeeper: placekeeper))
    }

    var placekeepers: [Placekeeper] { clients.compactMap(\.placekeeper) }
}

extension TestService {
    /// Adds a device with the app and no saved state.
    /// - Parameters:
    ///   - idiom: The idiom of the device.
    ///   - bundleVersion: The version of the app. Archives of a newer version aren't restored.
    ///   - configure: Changes the options of the device's client.
    public func device(
        _ idiom: UserInterfaceIdiom = .phone, bundleVersion: String = "1",
        _ configure: (inout Placekeeper.Options) -> Void = { _ in }
    ) -> VirtualDevice {
        var options = Placekeeper.Options()
        options.device = RestorationContext(idiom: idiom, bundleVersion: bundleVersion)
        options.model = nil
        configure(&options)
        return VirtualDevice(self, options, seed: devices.withLock { $0.next() })
    }

    /// Adds a device restored from a backup of another device, with the client's files as they are now.
    package func device(cloning original: VirtualDevice) -> VirtualDevice {
        VirtualDevice(self, original.options, seed: devices.withLock { $0.next() }, disk: original.disk.copy())
    }

    /// Adds a device with a network address, so the service limits its requests.
    package func device(
        _ idiom: UserInterfaceIdiom, bundleVersion: String, from address: String
    ) -> VirtualDevice {
        var options = Placekeeper.Options()
        options.device = RestorationContext(idiom: idiom, bundleVersion: bundleVersion)
        options.model = nil
        return VirtualDevice(self, options, seed: devices.withLock { $0.next() }, from: address)
    }

    /// Returns a sign-in token for an account of the app, for `Placekeeper.signIn(_:)`. The account is created at its
    /// first sign-in.
    public static func signInToken(of account: String) -> String { "subject " + account }

    func add(_ placekeeper: Placekeeper) { devices.withLock { $0.add(placekeeper) } }
}
