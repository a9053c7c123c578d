package import PlacekeeperHTTP
import PlacekeeperSystem

extension HTTPServer {
    /// The limits and deadlines of the server. Every buffer has a limit, and every wait has a deadline.
    package struct Configuration: Sendable {
        /// The address to listen on. With port 0, the system chooses a port: see ``HTTPServer/address``.
        package var address = SocketAddress(host: "127.0.0.1", port: 8080)
        /// The number of event loops. Defaults to one per core.
        package var workers = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        /// The kind of poller that reports socket events to the event loops.
        package var poller = PollerKind.fastest
        /// The maximum number of connections that the kernel completes before the server accepts them.
        package var backlog: Int32 = 4096
        /// The maximum number of open connections. At this limit, the server stops accepting until one closes.
        package var connectionLimit = 20_000
        /// The limits of a message.
        package var limits = RequestDecoder.Limits()
        /// The maximum number of bytes in memory for all connections together: received content until the handler
        /// responds, its inflated and decoded forms, and responses that wait for slow peers. At this limit, the server
        /// refuses new content with 503, and closes the connections of slow peers.
        package var bufferLimit = 128 * 1024 * 1024
        /// The number of bytes of a stream that may wait for a slow peer before the stream's writer has to wait too.
        package var unsentLimit = 64 * 1024
        package var deadlines = Deadlines()

        package init() {}
    }

    /// The deadlines for a peer, enforced to within a second.
    package struct Deadlines: Sendable, Hashable {
        /// The maximum time from the first to the last byte of a head. A slower head gets 408.
        package var head = Duration.seconds(10)
        /// The maximum time between two pieces of a body. A slower body gets 408.
        package var body = Duration.seconds(30)
        /// The maximum time from the first to the last byte of a body. Every `bodyRate` received bytes extend it by a
        /// second. A slower body gets 408. Without this limit, a client that sends one byte per `body` interval could
        /// occupy a connection and a buffer for days. The same limit applies to the time that a response waits for its
        /// peer; a slower connection is closed.
        package var wholeBody = Duration.seconds(60)
        /// The minimum rate of a long body, in bytes per second.
        package var bodyRate = 1024
        /// The maximum time between two messages. After that, the connection is closed.
        package var idle = Duration.seconds(75)
        /// The maximum time for which a peer receives no byte of a waiting response. After that, the connection is
        /// closed.
        package var write = Duration.seconds(30)
        /// How long the server discards input after the last response, so that the peer can read the response. After
        /// that, the connection is closed.
        package var linger = Duration.seconds(2)

        package init() {}
    }
}
