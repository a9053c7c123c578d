import Foundation
import PlacekeeperSockets
import PlacekeeperClient
import PlacekeeperTesting
import PlacekeeperSocketTransport
import PlacekeeperRuntime

/// The service of a test, in memory or over a socket.
@MainActor
final class ServiceInUse {
    /// How the clients reach the service.
    enum Network: String, CaseIterable, Sendable {
        case memory, sockets
    }

    let service: TestService
    /// The port of the service. Nil if the service has no socket.
    private let port: UInt16?
    private var files: [DeviceFiles] = []

    private init(service: TestService, port: UInt16?) {
        self.service = service
        self.port = port
    }

    /// Runs `body` with a service, and then shuts the service down.
    static func run(_ network: Network, _ body: (ServiceInUse) async throws -> Void) async throws {
        let service = try await TestService()
        guard network == .sockets else { return try await ServiceInUse(service: service, port: nil).run(body) }
        var configuration = HTTPServer.Configuration()
        configuration.address = SocketAddress(host: "127.0.0.1", port: 0)
        configuration.workers = 1
        let server = try HTTPServer(configuration: configuration, responder: service.server)
        server.start()
        let result: Result<Void, any Error>
        do {
            result = .success(try await ServiceInUse(service: service, port: server.address.port).run(body))
        } catch {
            result = .failure(error)
        }
        await server.drain(within: .zero)
        try result.get()
    }

    private func run(_ body: (ServiceInUse) async throws -> Void) async throws {
        defer { for files in files { files.remove() } }
        try await body(self)
    }

    /// Returns the files of a new device.
    func newFiles() -> DeviceFiles {
        let new = DeviceFiles()
        files.append(new)
        return new
    }

    /// The address of the service. Nil if the service has no socket.
    var address: URL? { port.flatMap { URL(string: "http://127.0.0.1:\($0)") } }

    /// Returns a client of a device whose files are in `files`.
    func placekeeper(_ device: RestorationContext, files: DeviceFiles) -> Placekeeper {
        let clock = DeviceClock(service.clock)
        let transport: any Transport =
            if let port { SocketTransport(host: "127.0.0.1", port: port) } else { TestTransport(service, clock: clock) }
        return Placekeeper(service.key, device, clock, transport, files)
    }

    /// Advances the clock of the service and of all devices.
    func wait(_ seconds: Double) { service.clock.advance(by: seconds) }
}

extension Placekeeper {
    fileprivate convenience init(
        _ key: String, _ device: RestorationContext, _ clock: DeviceClock, _ transport: any Transport,
        _ files: DeviceFiles
    ) {
        var options = Configuration()
        options.device = device
        // The tests do not depend on the speed of the machine.
        let deadline = Duration.seconds(600)
        (options.launchDeadline, options.ownStateDeadline, options.flushDeadline) = (deadline, deadline, deadline)
        self.init(
            key: key, configuration: options, clock: clock, transport: transport, files: files.open,
            credentials: { FileCredentialStore($0) }, random: SystemRandomNumberGenerator())
    }
}
