import Dispatch
import PlacekeeperSystem
import PlacekeeperClient

/// A connection to the service, which carries one exchange at a time.
///
/// `@unchecked Sendable`: all variables are used only on the pool's queue.
final class SocketConnection: @unchecked Sendable {
    private let descriptor: Descriptor
    /// No event arrives after the pool is gone: an exchange keeps the transport, which owns the pool, and the
    /// transport's `deinit` first closes the idle connections on the pool's queue.
    private unowned let pool: ConnectionPool
    private var readSource: (any DispatchSourceRead)?
    private var writeSource: (any DispatchSourceWrite)?
    private var idleTimer: (any DispatchSourceTimer)?
    private(set) var exchange: SocketExchange?
    /// Whether an earlier exchange used the connection.
    private(set) var isReused = false
    private var received: [UInt8] = []
    private var unsent: ArraySlice<UInt8> = []

    init(_ descriptor: Descriptor, of pool: ConnectionPool) {
        self.descriptor = descriptor
        self.pool = pool
    }

    deinit { close() }

    /// Connects to an address.
    /// - Parameter end: Called once with the error number, or 0 for success. Not called after `close`.
    func connect(to address: Address, end: @escaping @Sendable (Int32) -> Void) {
        let error = address.connect(descriptor)
        guard error == EINPROGRESS else { return pool.queue.async { end(error) } }
        waitUntilWritable { connection, error in end(error == 0 ? connection.descriptor.connectionError : error) }
    }

    /// Sends an exchange's request, and reads the response.
    func start(_ exchange: SocketExchange, head: [UInt8]) {
        self.exchange = exchange
        idleTimer?.schedule(deadline: .distantFuture)
        unsent = (head + exchange.request.body)[...]
        if readSource == nil { beginReading() }
        send()
    }

    /// Finishes with an exchange. Returns whether the connection may carry another one.
    func finish() -> Bool {
        let keeps = exchange?.keepsConnection == true && unsent.isEmpty && received.isEmpty
        exchange = nil
        isReused = true
        return keeps
    }

    /// Waits for another exchange.
    /// - Parameter expire: Called after `idleLimit` seconds.
    func rest(_ idleLimit: Double, expire: @escaping @Sendable () -> Void) {
        let timer = idleTimer ?? DispatchSource.makeTimerSource(queue: pool.queue)
        timer.setEventHandler(handler: expire)
        timer.schedule(deadline: .now() + idleLimit)
        if idleTimer == nil { timer.activate() }
        idleTimer = timer
    }

    func close() {
        readSource?.cancel()
        writeSource?.cancel()
        idleTimer?.cancel()
        (readSource, writeSource, idleTimer, exchange) = (nil, nil, nil, nil)
        descriptor.shutDown()
    }

    // MARK: - Reading and writing

    private func beginReading() {
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor.number, queue: pool.queue)
        source.setEventHandler { [weak self] in self?.receive() }
        source.setCancelHandler { [descriptor] in withExtendedLifetime(descriptor) {} }
        source.activate()
        readSource = source
    }

    /// Reads until nothing is left: at the end of a connection, libdispatch reports a last event, although bytes and
    /// the end may still be unread. Other connections get their turn after a few pieces.
    private func receive() {
        for _ in 0..<16 {
            guard readSource != nil, receivePiece() else { return }
        }
        pool.queue.async { [weak self] in self?.receive() }
    }

    /// Returns false if nothing is left to read.
    private func receivePiece() -> Bool {
        let received = descriptor.receive(into: &pool.buffer)
        if case .wouldBlock = received { return false }
        guard let exchange else {
            // The peer closed an idle connection, or sent something on it, which breaks the protocol.
            pool.drop(self)
            return false
        }
        switch received {
        case .bytes(let count):
            self.received += pool.buffer[..<count]
            pool.update(self, exchange, exchange.take(&self.received))
            return true
        case .end where exchange.hasReceivedBytes: pool.update(self, exchange, exchange.takeEndOfInput())
        case .end: pool.lose(self, exchange, "The connection was closed before the response.")
        case .failed(let error): pool.lose(self, exchange, Descriptor.text(error))
        case .wouldBlock: break
        }
        return false
    }

    private func send() {
        while !unsent.isEmpty {
            let (count, error) = descriptor.send(unsent)
            unsent = unsent.dropFirst(count)
            guard error != 0 else { continue }
            if error == EAGAIN { return waitUntilWritable { connection, error in connection.continueSending(error) } }
            // The service may have responded before it closed the connection, so keep reading. The unsent bytes prevent
            // the connection from being reused.
            return
        }
    }

    private func continueSending(_ error: Int32) {
        guard let exchange else { return }
        if error == 0 { send() } else { pool.lose(self, exchange, Descriptor.text(error)) }
    }

    /// Calls `body` once the socket is writable, with error 0. Any other error means that waiting isn't possible.
    ///
    /// This waits on a duplicate of the descriptor. At the end of a connection, libdispatch stops watching the
    /// descriptor, and a source that starts at this moment would receive no event.
    private func waitUntilWritable(_ body: @escaping @Sendable (SocketConnection, Int32) -> Void) {
        guard let duplicate = Descriptor(duplicating: descriptor) else {
            return pool.queue.async { body(self, EMFILE) }
        }
        let source = DispatchSource.makeWriteSource(fileDescriptor: duplicate.number, queue: pool.queue)
        source.setEventHandler { [weak self] in
            guard let self, let writeSource else { return }
            writeSource.cancel()
            self.writeSource = nil
            body(self, 0)
        }
        source.setCancelHandler { withExtendedLifetime(duplicate) {} }
        source.activate()
        writeSource = source
    }
}
