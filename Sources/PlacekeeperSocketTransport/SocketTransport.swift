package import PlacekeeperClient

/// Sends requests over plain HTTP/1.1 on sockets, for Linux. Used by the demo and the tests.
///
/// Connections are reused. If a request fails on a reused connection before any byte of its response arrives, and its
/// method is idempotent (RFC 9110 section 9.2.2), it is retried once on a new connection.
package final class SocketTransport: Transport {
    package struct Configuration: Sendable {
        /// The maximum number of connections for requests. Further requests wait for a connection. Each stream has its
        /// own connection.
        package var connectionLimit = 8
        /// How long a connection may be idle before it is closed, in seconds. The service closes idle connections
        /// later.
        package var idleLimit = 30.0

        package init() {}
    }

    private let pool: ConnectionPool

    /// - Parameter host: A name or an IP address, without brackets.
    package init(host: String, port: UInt16, configuration: Configuration = Configuration()) {
        pool = ConnectionPool(Host(name: host, port: port), configuration)
    }

    // No exchange is running, because an exchange keeps its transport. The connections are closed on the pool's queue,
    // so no event of a connection is handled after the pool is gone.
    deinit { pool.closeIdleConnections() }

    package func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        try request.check()
        return try await run(SocketExchange(request)).get()
    }

    package func stream(
        _ request: TransportRequest, idleLimit: Double, receive: @escaping @Sendable ([UInt8]) -> Bool
    ) async throws(TransportError) {
        try request.check()
        let stream = SocketExchange.Stream(idleLimit: idleLimit, receive: receive)
        _ = try await run(SocketExchange(request, stream: stream)).get()
    }

    private func run(_ exchange: SocketExchange) async -> Result<TransportResponse, TransportError> {
        await withTaskCancellationHandler {
            await withCheckedContinuation { pool.begin(exchange, $0) }
        } onCancel: {
            pool.cancel(exchange)
        }
    }
}
