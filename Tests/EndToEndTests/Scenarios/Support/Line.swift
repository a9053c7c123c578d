import Dispatch

/// A connection that blocks only its own queue, because the service runs in this process and needs the few threads of
/// Swift's shared thread pool.
final class Line: Sendable {
    private let queue = DispatchQueue(label: "placekeeper.tests.line")
    /// The connection. Only the queue uses it.
    private nonisolated(unsafe) let connection: Connection

    init(port: UInt16) throws { connection = try Connection(port: port) }

    func run<Value: Sendable>(_ use: @escaping @Sendable (Connection) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [self] in continuation.resume(with: Result { try use(connection) }) }
        }
    }

    func send(_ bytes: [UInt8]) async throws { try await run { try $0.send(bytes) } }

    func reply(to method: String = "GET") async throws -> Reply { try await run { try $0.reply(to: method) } }
}
