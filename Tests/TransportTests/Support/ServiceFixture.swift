import Foundation
import PlacekeeperSockets
import PlacekeeperArchive
import PlacekeeperAPI
import PlacekeeperClient
import PlacekeeperTesting
import Testing

/// The transports that the tests with the real service use.
enum ServiceTransport: String, Sendable, CaseIterable {
    case memory, sockets, urlSession

    var network: NetworkTransport? { NetworkTransport(rawValue: rawValue) }
}

/// A client of the real service, in memory or over a socket.
struct ServiceFixture {
    /// The target of the latest archive, for the device that `archive` describes.
    static let latest = "/v1/scenes/main/archives/latest?idiom=phone&bundleVersion=42&systemVersion=17.4"

    let service: TestService
    let transport: any Transport

    /// Runs `body` with a client, and then shuts the server down.
    static func run(
        _ kind: ServiceTransport, _ body: (ServiceFixture) async throws -> Void
    ) async throws {
        let service = try await TestService()
        guard let network = kind.network else {
            let transport = TestTransport(service, clock: DeviceClock(service.clock))
            return try await body(ServiceFixture(service: service, transport: transport))
        }
        var configuration = HTTPServer.Configuration()
        configuration.address = SocketAddress(host: "127.0.0.1", port: 0)
        configuration.workers = 1
        // `.ci/poller` chooses the poller.
        if let name = ProcessInfo.processInfo.environment["PLACEKEEPER_POLLER"] {
            configuration.poller = try #require(PollerKind(rawValue: name))
        }
        let server = try HTTPServer(configuration: configuration, responder: service.server)
        server.start()
        let result: Result<Void, any Error>
        do {
            let transport = try network.transport(to: server.address.port)
            result = .success(try await body(ServiceFixture(service: service, transport: transport)))
        } catch {
            result = .failure(error)
        }
        await server.drain(within: .zero)
        try result.get()
    }

    /// Registers a device, and returns its token.
    func register() async throws -> String {
        let body = try JSONEncoder().encode(["app": service.key, "idiom": "phone"])
        let response = try await transport.send(
            TransportRequest(
                "POST", "/v1/devices", fields: [.init("Content-Type", "application/json")], body: [UInt8](body)))
        return try JSONDecoder().decode(Wire.Registered.self, from: Data(response.body)).token
    }

    func request(
        _ method: String, _ target: String, token: String, fields: [TransportRequest.Field] = [], body: [UInt8] = [],
        responseLimit: Int = 1 << 20
    ) -> TransportRequest {
        TransportRequest(
            method, target, fields: fields + [.init("Authorization", "Bearer " + token)], body: body, deadline: 600,
            responseLimit: responseLimit)
    }

    /// Uploads an archive.
    func upload(_ archive: [UInt8], _ number: Int, token: String) async throws -> TransportResponse {
        let digits = String(number)
        let id = "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
        return try await transport.send(
            request(
                "PUT", "/v1/scenes/main/archives/\(id)", token: token,
                fields: [.init("Content-Type", "application/x-plist")], body: archive))
    }

    /// Returns an archive with many bytes. The bytes differ for each number.
    static func archive(_ number: Int) throws -> [UInt8] {
        var archive = StateArchive(bundleVersion: "42", idiom: 0, systemVersion: "17.4")
        archive.application = [
            "number": .integer(Int64(number)), "text": .string(String(repeating: "a", count: 200_000)),
        ]
        archive.place = Place([.init(screen: "Albums", title: "Albums")])
        return try archive.encoded()
    }
}
