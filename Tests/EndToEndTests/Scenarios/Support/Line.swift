import Dispatch

/// A connection that is waited for on a queue of its own: the service is in this process, whose pool of threads is small.
final class Line: Sendable {
    private let queue = DispatchQueue(label: "placekeeper.tests.line")
    /// Used on the queue alone.
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
