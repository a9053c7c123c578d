import PlacekeeperConcurrency
public import PlacekeeperClient
import PlacekeeperRuntime

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
    ///   - bundleVersion: The version of the app. States of a newer version aren't restored.
    ///   - configure: Changes the configuration of the device's client.
    public func device(
        _ idiom: VirtualDevice.Idiom = .phone, bundleVersion: String = "1",
        _ configure: (inout Placekeeper.Configuration) -> Void = { _ in }
    ) -> VirtualDevice {
        var configuration = self.configuration(idiom, bundleVersion)
        configure(&configuration)
        return VirtualDevice(self, configuration, seed: devices.withLock { $0.next() })
    }

    /// Adds a phone and a pad of one person.
    public func phoneAndPad() async throws -> (phone: VirtualDevice, pad: VirtualDevice) {
        let (phone, pad) = (device(.phone), device(.pad))
        try await pad.placekeeper.link(phone.placekeeper.linkCode().code)
        return (phone, pad)
    }

    private func configuration(_ idiom: VirtualDevice.Idiom, _ bundleVersion: String) -> Placekeeper.Configuration {
        var configuration = Placekeeper.Configuration()
        configuration.device = RestorationContext(idiom: idiom.userInterfaceIdiom, bundleVersion: bundleVersion)
        configuration.model = nil
        return configuration
    }

    /// Adds a device restored from a backup of another device, with the client's files as they are now.
    package func device(cloning original: VirtualDevice) -> VirtualDevice {
        VirtualDevice(self, original.configuration, seed: devices.withLock { $0.next() }, disk: original.disk.copy())
    }

    /// Adds a device with a network address, so the service limits its requests.
    package func device(
        _ idiom: VirtualDevice.Idiom, bundleVersion: String, from address: String
    ) -> VirtualDevice {
        VirtualDevice(self, configuration(idiom, bundleVersion), seed: devices.withLock { $0.next() }, from: address)
    }

    /// Returns a sign-in token for an account of the app, for `Placekeeper.signIn(_:)`. The account is created at its
    /// first sign-in.
    public static func signInToken(of account: String) -> String { "subject " + account }

    func add(_ placekeeper: Placekeeper) { devices.withLock { $0.add(placekeeper) } }
}
