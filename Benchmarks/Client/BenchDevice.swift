import PlacekeeperConcurrency
import Foundation
import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperSocketTransport
import PlacekeeperRuntime

/// A client with files in a folder, over sockets.
struct BenchDevice {
    let placekeeper: Placekeeper
    let network: SwitchedTransport

    /// - Parameter change: Changes the options of the client.
    init(_ folder: URL, key: String, port: UInt16, _ change: (inout Placekeeper.Configuration) -> Void = { _ in }) {
        var options = Placekeeper.Configuration()
        options.device = RestorationContext(idiom: .phone, bundleVersion: "42")
        // The benchmark sends with `flush()`.
        options.sendDelay = .seconds(3600)
        change(&options)
        let network = SwitchedTransport(SocketTransport(host: "127.0.0.1", port: port))
        self.network = network
        placekeeper = Placekeeper(
            key: key, configuration: options, clock: SystemClock(), transport: network,
            files: { DiskFileSystem(root: folder) }, credentials: { FileCredentialStore($0) },
            random: SystemRandomNumberGenerator())
    }

    /// Returns a state of about `size` bytes. States with different numbers differ.
    static func state(_ number: Int, size: Int) -> StateArchive {
        var archive = StateArchive(bundleVersion: "42", idiom: 0)
        // A row of a list takes about 80 bytes of the archive.
        let rows = (0..<max(1, (size - 700) / 80)).map { row in
            StateValue.dictionary([
                "id": .string("item-\(number)-\(row)"), "offset": .real(Double(row) * 44.5), "isOpen": .boolean(true),
            ])
        }
        archive.application = ["number": .integer(Int64(number)), "rows": .array(rows)]
        archive.place = Place([.init(screen: "Album", title: "\(number)")])
        return archive
    }

    /// Waits until a number of states wait for the service.
    func waitForPending(_ count: Int) async {
        for await status in placekeeper.statuses where status.unsentCount >= count { return }
    }
}

/// A transport that can be turned off.
final class SwitchedTransport: Transport {
    private let base: SocketTransport
    private let isOn = LockBox(true)

    init(_ base: SocketTransport) { self.base = base }

    func turn(on: Bool) { isOn.withLock { $0 = on } }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard isOn.withLock({ $0 }) else { throw .unreachable("The network is off.") }
        return try await base.send(request)
    }

    func stream(
        _ request: TransportRequest, idleLimit: Double, receive: @escaping @Sendable ([UInt8]) -> Bool
    ) async throws(TransportError) {
        guard isOn.withLock({ $0 }) else { throw .unreachable("The network is off.") }
        try await base.stream(request, idleLimit: idleLimit, receive: receive)
    }
}
