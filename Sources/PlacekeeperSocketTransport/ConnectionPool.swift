import Dispatch
import PlacekeeperClient

/// The connections to the service, and the exchanges that wait for one.
///
/// `@unchecked Sendable`: all variables are used only on `queue`.
final class ConnectionPool: @unchecked Sendable {
    let queue = DispatchQueue(label: "placekeeper.sockets")
    /// The buffer for one call of `recv`.
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    private let host: Host
    private let configuration: SocketTransport.Configuration
    private let lookupQueue = DispatchQueue(label: "placekeeper.lookup")
    /// The exchanges that wait for the host's addresses. Nil if no lookup is running.
    private var lookups: [SocketExchange]?
    /// The idle connections, the most recently used one last.
    private var idle: [SocketConnection] = []
    /// The number of connections in use by requests.
    private var busyCount = 0
    private var waiting: [SocketExchange] = []

    init(_ host: Host, _ configuration: SocketTransport.Configuration) {
        self.host = host
        self.configuration = configuration
    }

    func begin(
        _ exchange: SocketExchange,
        _ continuation: CheckedContinuation<Result<TransportResponse, TransportError>, Never>
    ) {
        queue.async { [self] in
            exchange.begin(continuation, on: queue) { [weak self, weak exchange] in
                if let self, let exchange { finish(exchange, .timedOut) }
            }
            assign(exchange)
        }
    }

    func cancel(_ exchange: SocketExchange) { queue.async { [self] in finish(exchange, .canceled) } }

    func closeIdleConnections() {
        queue.async { [self] in
            for connection in idle { connection.close() }
            idle = []
        }
    }

    // MARK: - Exchanges

    private func assign(_ exchange: SocketExchange) {
        guard !exchange.hasEnded else { return }
        guard exchange.stream == nil else { return lookUp(for: exchange) }
        guard busyCount < configuration.connectionLimit else { return waiting.append(exchange) }
        busyCount += 1
        exchange.holdsSlot = true
        if let connection = idle.popLast() { start(exchange, on: connection) } else { lookUp(for: exchange) }
    }

    private func start(_ exchange: SocketExchange, on connection: SocketConnection) {
        exchange.connection = connection
        connection.start(exchange, head: exchange.request.head(for: host))
    }

    /// Handles the progress of an exchange.
    func update(_ connection: SocketConnection, _ exchange: SocketExchange, _ progress: SocketExchange.Progress) {
        switch progress {
        case .needsMore: return
        case .complete: finish(exchange, nil)
        case .failed(let error): finish(exchange, error)
        }
    }

    /// Handles the loss of a connection before a response.
    func lose(_ connection: SocketConnection, _ exchange: SocketExchange, _ reason: String) {
        // The service may have closed an idle connection before the request arrived.
        guard connection.isReused, exchange.takeRetry() else { return finish(exchange, .unreachable(reason)) }
        connection.close()
        exchange.connection = nil
        lookUp(for: exchange)
    }

    /// Ends an exchange, and keeps or closes its connection.
    private func finish(_ exchange: SocketExchange, _ error: TransportError?) {
        guard !exchange.hasEnded else { return }
        if let connection = exchange.connection {
            exchange.connection = nil
            if connection.finish(), error == nil { keep(connection) } else { connection.close() }
        }
        exchange.end(error)
        guard exchange.holdsSlot else { return waiting.removeAll { $0 === exchange } }
        exchange.holdsSlot = false
        busyCount -= 1
        while busyCount < configuration.connectionLimit, !waiting.isEmpty { assign(waiting.removeFirst()) }
    }

    // MARK: - Connections

    private func keep(_ connection: SocketConnection) {
        idle.append(connection)
        connection.rest(configuration.idleLimit) { [weak self, weak connection] in
            if let self, let connection { drop(connection) }
        }
    }

    /// Closes an idle connection.
    func drop(_ connection: SocketConnection) {
        idle.removeAll { $0 === connection }
        connection.close()
    }

    /// Looks up the host's addresses, and connects. Exchanges that wait at the same time share one lookup.
    private func lookUp(for exchange: SocketExchange) {
        guard lookups == nil else {
            lookups?.append(exchange)
            return
        }
        lookups = [exchange]
        lookupQueue.async { [self] in
            let addresses = host.addresses()
            queue.async { [self] in
                let exchanges = lookups ?? []
                lookups = nil
                for exchange in exchanges { connect(exchange, to: addresses[...], "The host is not known.") }
            }
        }
    }

    /// Connects to the first address that accepts the connection.
    private func connect(_ exchange: SocketExchange, to addresses: ArraySlice<Address>, _ reason: String) {
        guard !exchange.hasEnded else { return }
        guard let address = addresses.first else { return finish(exchange, .unreachable(reason)) }
        guard let descriptor = Descriptor(family: address.family) else {
            return connect(exchange, to: addresses.dropFirst(), "No socket is left.")
        }
        let connection = SocketConnection(descriptor, of: self)
        exchange.connection = connection
        connection.connect(to: address) { [weak self, weak connection] error in
            guard let self, let connection, exchange.connection === connection else { return }
            guard error != 0 else { return start(exchange, on: connection) }
            connection.close()
            exchange.connection = nil
            connect(exchange, to: addresses.dropFirst(), Descriptor.text(error))
        }
    }
}
