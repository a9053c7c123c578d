import Dispatch
import PlacekeeperConcurrency

/// Requests to cancel statements. libpq waits for the server without a deadline, so each host has its own thread: a
/// frozen server doesn't keep the requests to its successor from being sent.
final class Cancellations: Sendable {
    static let shared = Cancellations()

    /// Requests beyond this are dropped: the server doesn't answer, and ends the statements itself when it notices that
    /// the connections are gone.
    private static let limit = 64

    private let hosts = LockBox<[ServerHost: (queue: DispatchQueue, waiting: Int)]>([:])

    /// Sends a request in the background.
    func perform(_ work: Cancellation, at host: ServerHost) {
        let queue = hosts.withLock { hosts -> DispatchQueue? in
            let queue = hosts[host]?.queue ?? DispatchQueue(label: "placekeeper.postgres.cancel")
            let waiting = hosts[host]?.waiting ?? 0
            guard waiting < Self.limit else { return nil }
            hosts[host] = (queue, waiting + 1)
            return queue
        }
        queue?.async { [self] in
            work.perform()
            hosts.withLock { hosts in
                hosts[host]?.waiting -= 1
                if hosts[host]?.waiting == 0 { hosts[host] = nil }
            }
        }
        if queue == nil { work.drop() }
    }
}

/// `@unchecked Sendable`: libpq allows another thread to send the request.
struct Cancellation: @unchecked Sendable {
    let request: OpaquePointer
    let libpq: Libpq

    func perform() {
        var message = [CChar](repeating: 0, count: 256)
        _ = libpq.cancel(request, &message, Int32(message.count))
        drop()
    }

    func drop() { libpq.freeCancel(request) }
}
