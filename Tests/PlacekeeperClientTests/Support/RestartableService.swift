import PlacekeeperConcurrency
import Foundation
import PlacekeeperHTTP
import PlacekeeperSockets
import PlacekeeperClient
import PlacekeeperServer
import PlacekeeperTesting
import PlacekeeperService
import PlacekeeperSQLite
import PlacekeeperSocketTransport

/// The real service over sockets, with a database in a temporary folder. The service can be stopped at a request, and
/// started again on the same database.
final class RestartableService: Transport {
    /// The point of a request at which the service stops.
    enum Stop: Sendable { case beforeWork, afterWork }

    private struct Running {
        var service: TestService
        var store: SQLiteStore
        var server: HTTPServer
        var responder: StoppingResponder
        var transport: SocketTransport
    }

    private let folder: URL
    private let running: LockBox<Running>

    init() async throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "placekeeper-\(UUID().uuidString)")
        running = LockBox(try await Self.start(in: folder, TestClock()))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    var service: TestService { running.withLock { $0.service } }

    /// Stops the service at the next request. The request gets no response.
    func stopAtNextRequest(_ stop: Stop) { running.withLock { $0.responder }.stop(stop) }

    /// Closes the socket and all connections. The store stays open.
    func stop() async { await running.withLock { $0.server }.drain(within: .zero) }

    /// Closes the store, and starts the service again on a new port.
    func start() async throws {
        let (clock, store) = running.withLock { ($0.service.clock, $0.store) }
        await store.close()
        let new = try await Self.start(in: folder, clock)
        running.withLock { $0 = new }
    }

    /// Stops the service for good.
    func close() async {
        await stop()
        await running.withLock { $0.store }.close()
    }

    private static func start(in folder: URL, _ clock: TestClock) async throws -> Running {
        let store = try SQLiteStore(directory: folder.path, compression: Uncompressed())
        let service = try await TestService(clock: clock, store: store)
        let responder = StoppingResponder(service.server)
        var configuration = HTTPServer.Configuration()
        configuration.address = SocketAddress(host: "127.0.0.1", port: 0)
        configuration.workers = 1
        let server = try HTTPServer(configuration: configuration, responder: responder)
        responder.serve(by: server)
        server.start()
        return Running(
            service: service, store: store, server: server, responder: responder,
            transport: SocketTransport(host: "127.0.0.1", port: server.address.port))
    }

    // MARK: - Transport

    func send(_ request: TransportRequest) async throws(PlacekeeperClient.TransportError) -> TransportResponse {
        try await running.withLock { $0.transport }.send(request)
    }

    func stream(
        _ request: TransportRequest, idleLimit: Double, receive: @escaping @Sendable ([UInt8]) -> Bool
    ) async throws(PlacekeeperClient.TransportError) {
        try await running.withLock { $0.transport }.stream(request, idleLimit: idleLimit, receive: receive)
    }
}

/// Passes requests on to the service, and stops the server at one of them.
private final class StoppingResponder: Responder {
    private struct State {
        var stop: RestartableService.Stop?
        weak var server: HTTPServer?
    }

    private let base: Server
    private let state = LockBox(State())

    init(_ base: Server) { self.base = base }

    func serve(by server: HTTPServer) { state.withLock { $0.server = server } }
    func stop(_ stop: RestartableService.Stop) { state.withLock { $0.stop = stop } }

    func admit(_ head: RequestHead, from peer: String) -> Admission { base.admit(head, from: peer) }

    func answer(to request: Request) -> Answer { .handler { await self.respond(to: request) } }

    private func respond(to request: Request) async -> Response {
        let (stop, server) = state.withLock { state in
            defer { state.stop = nil }
            return (state.stop, state.server)
        }
        guard let stop else { return await base.answer(to: request).response }
        if stop == .afterWork { _ = await base.answer(to: request).response }
        await server?.drain(within: .zero)
        // The connection is closed, so nobody receives this response.
        return base.response(to: Refusal(.serviceUnavailable, code: "stopped", ""), of: request.head, from: "")
    }

    func response(to refusal: Refusal, of head: RequestHead?, from peer: String) -> Response {
        base.response(to: refusal, of: head, from: peer)
    }
}

private struct Uncompressed: BlobCompression {
    func compress(_ bytes: [UInt8]) -> [UInt8]? { nil }
    func decompress(_ bytes: [UInt8], count: Int) -> [UInt8] { bytes }
}
