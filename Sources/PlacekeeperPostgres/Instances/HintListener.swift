import Dispatch
import PlacekeeperConcurrency
import PlacekeeperCore
import PlacekeeperService
import PlacekeeperSystem

/// Receives hints from other instances (`LISTEN`) on its own connection and thread. Reconnects if the connection is
/// lost; in the meantime, the search once a second finds the changes.
///
/// `@unchecked Sendable`: the ends of the socket pair never change.
final class HintListener: @unchecked Sendable {
    private let configuration: PostgresStore.Configuration
    private let servers: Servers
    private let instance: [UInt8]
    private let receive = LockBox<(@Sendable (Invalidations) -> Void)?>(nil)
    private let queue = DispatchQueue(label: "placekeeper.postgres.hints")
    /// The thread also waits on one end of this pair, and stops when the other end is closed.
    private let ends: (waiting: Int32, closing: Int32)?
    private let isClosed = LockBox(false)

    init(_ configuration: PostgresStore.Configuration, _ servers: Servers, instance: [UInt8]) {
        self.configuration = configuration
        self.servers = servers
        self.instance = instance
        ends = Platform.makeSocketPair(blocks: true).map { (waiting: $0, closing: $1) }
    }

    /// Calls the closure with the invalidations for writes of other instances. The first call starts the thread.
    func start(_ receive: @escaping @Sendable (Invalidations) -> Void) {
        let isFirst = self.receive.withLock { known in
            defer { known = receive }
            return known == nil
        }
        guard isFirst, let ends, !isClosed.withLock({ $0 }) else { return }
        queue.async { [self] in
            while !isClosed.withLock({ $0 }) {
                try? listen(ends.waiting)
                // After a failure, wait a second before the next attempt, or until the listener is closed.
                var entry = pollfd(fd: ends.waiting, events: Int16(POLLIN), revents: 0)
                poll(&entry, 1, 1000)
            }
        }
    }

    func close() async {
        let isFirst = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return !isClosed
        }
        guard isFirst, let ends else { return }
        PlacekeeperSystem.close(ends.closing)
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
        PlacekeeperSystem.close(ends.waiting)
    }

    private func listen(_ end: Int32) throws {
        let connection = try servers.connect()
        _ = try connection.run(
            Batch([Statement("LISTEN \(Hint.channel)")]), until: .now + configuration.readDeadline)
        // A replaced server sends no more hints.
        while !isClosed.withLock({ $0 }), servers.primary.accepts(connection.server) {
            guard let texts = connection.notifications() else { return }
            for text in texts {
                guard let hint = Hint(text), hint.instance != instance else { continue }
                var invalidations = Invalidations()
                invalidations.news = hint.users
                receive.withLock { $0 }?(invalidations)
            }
            var entries = [
                pollfd(fd: connection.libpq.socket(connection.handle), events: Int16(POLLIN), revents: 0),
                pollfd(fd: end, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&entries, 2, 1000) >= 0 || errno == EINTR else { return }
        }
    }
}

extension Connection {
    /// Returns the texts received since the last call, or `nil` if the connection is lost.
    func notifications() -> [[UInt8]]? {
        guard libpq.consumeInput(handle) == 1, libpq.status(handle) == Libpq.connectionIsGood else { return nil }
        var texts: [[UInt8]] = []
        while let notification = libpq.notifies(handle) {
            // The third field of the struct `pgNotify` is the text. The second is a 4-byte number.
            let text = UnsafeRawPointer(notification).load(
                fromByteOffset: 2 * MemoryLayout<UnsafeRawPointer>.size, as: UnsafePointer<CChar>?.self)
            if let text { texts.append(Array(String(cString: text).utf8)) }
            libpq.free(UnsafeMutableRawPointer(notification))
        }
        return texts
    }
}
