package import PlacekeeperHTTP
import PlacekeeperSystem

extension HTTPServer {
    /// The limits and deadlines of the server. Every buffer has a limit and every wait has a deadline.
    package struct Configuration: Sendable {
        /// The address to listen on. If the port is 0, the system chooses a port: see ``HTTPServer/address``.
        package var address = SocketAddress(host: "127.0.0.1", port: 8080)
        /// The number of event loops. The default is one for each core.
        package var workers = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        /// The kind of poller that reports the events of the sockets to the event loops.
        package var poller = PollerKind.fastest
        /// The maximum number of connections that the kernel completes before the server accepts them.
        package var backlog: Int32 = 4096
        /// The maximum number of open connections. At this limit the server pauses accepting.
        package var connectionLimit = 20_000
        /// The limits of a message.
        package var limits = RequestDecoder.Limits()
        /// Limits the bytes in memory of all connections together: received content until the handler responds, the
        /// inflated and decoded forms of this content, and responses that wait for slow peers. When the limit is
        /// reached, the server refuses new content with 503, and closes the connections of slow peers.
        package var bufferLimit = 128 * 1024 * 1024
        /// The number of bytes of a stream that may wait for a slow peer before the stream's writer waits too.
        package var unsentLimit = 64 * 1024
        package var deadlines = Deadlines()

        package init() {}
    }

    /// The deadlines for a peer. The server enforces a deadline to within a second.
    package struct Deadlines: Sendable, Hashable {
        /// Limits the time from the first byte of a head to the last byte. A slower head gets 408.
        package var head = Duration.seconds(10)
        /// Limits the time between two pieces of a body. A slower body gets 408.
        package var body = Duration.seconds(30)
        /// Limits the time from the first byte of a body to the last byte. Each `bodyRate` received bytes add a
        /// second. A slower body gets 408. Without this limit, a client that sends one byte in each `body` interval
        /// would keep a connection and a buffer for days. The same limit applies to the time that a response waits
        /// for its peer. A connection with a slower response is closed.
        package var wholeBody = Duration.seconds(60)
        /// The minimum rate of a long body, in bytes per second.
        package var bodyRate = 1024
        /// Limits the time between two messages. After this time, the connection is closed.
        package var idle = Duration.seconds(75)
        /// Limits the time in which the peer receives no byte of a waiting response. After this time, the connection
        /// is closed.
        package var write = Duration.seconds(30)
        /// Limits the time in which the server discards input after the last response, so that the peer can read the
        /// response. After this time, the connection is closed.
        package var linger = Duration.seconds(2)

        package init() {}
    }
}
