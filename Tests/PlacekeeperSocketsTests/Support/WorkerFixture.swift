import PlacekeeperSystem
import PlacekeeperHTTP

@testable import PlacekeeperSockets

/// A worker whose loop does not run. A test calls the worker's functions as the loop does, and can check the state
/// between two events.
final class WorkerFixture {
    let worker: Worker
    let poller = SilentPoller()
    private let acceptor = Acceptor(descriptor: -1, limit: 1, kernel: .system)

    /// - Parameter answer: The content of every response.
    convenience init(answer: [UInt8] = []) throws {
        try self.init(TestResponder { _ in Response(.ok, body: .bytes(answer)) })
    }

    init(_ responder: TestResponder) throws {
        var configuration = HTTPServer.Configuration()
        configuration.deadlines = .forTests
        worker = Worker(
            configuration: configuration, responder: responder, budget: ByteBudget(limit: configuration.bufferLimit),
            acceptor: acceptor, poller: poller)
    }

    /// The number of connections that the worker closed.
    var closedCount: Int { -acceptor.openCount }

    /// Creates a socket pair. The worker gets one end, and the peer gets the other.
    func connect() throws -> (ConnectionID, SlotPointer, Peer) {
        guard let (end, other) = Platform.makeSocketPair(blocks: false) else {
            throw TestClient.Failure(call: "socketpair", number: errno)
        }
        worker.adopt(end, peer: "test")
        var found: (ConnectionID, SlotPointer)?
        worker.table.forEach { if $1.pointee.descriptor == end { found = ($0, $1) } }
        guard let found else { throw TestClient.Failure(call: "adopt", number: 0) }
        return (found.0, found.1, Peer(descriptor: other))
    }

    /// Handles one event, and serves the requests that arrived with it.
    func handle(_ events: SocketEvents, _ token: ConnectionID, _ slot: SlotPointer) {
        worker.handle(events, token, slot)
        serve()
    }

    /// Serves the waiting requests.
    func serve() {
        repeat {
            worker.answerFromMemory()
            worker.handleWaiting()
        } while !worker.waiting.isEmpty || !worker.resumable.isEmpty
    }

    /// The other end of a worker's connection.
    final class Peer {
        private var descriptor: Int32

        init(descriptor: Int32) { self.descriptor = descriptor }

        deinit { close() }

        func send(_ text: String) throws {
            let count = Array(text.utf8).withUnsafeBytes {
                PlacekeeperSystem.write(descriptor, $0.baseAddress, $0.count)
            }
            guard count == text.utf8.count else { throw TestClient.Failure(call: "write", number: errno) }
        }

        func close() {
            guard descriptor >= 0 else { return }
            PlacekeeperSystem.close(descriptor)
            descriptor = -1
        }
    }
}
