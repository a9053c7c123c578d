package import HTTPCodec
import Glibc

extension HTTPServer {
    /// What the server may use and how long it waits. Every buffer has a limit and every wait a deadline.
    package struct Configuration: Sendable {
        /// Where to listen. Port 0 lets the system choose: see ``HTTPServer/address``.
        package var address = SocketAddress(host: "127.0.0.1", port: 8080)
        /// Event loops; one for each core.
        package var workers = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        /// Connections that the kernel completes before they are accepted.
        package var backlog: Int32 = 4096
        /// Open connections; accepting pauses at it.
        package var connectionLimit = 20_000
        /// What a message may measure.
        package var limits = RequestDecoder.Limits()
        /// Bytes in memory over all connections: of content that came in and is not answered yet, of its inflated and
        /// decoded forms, and of answers that wait for slow peers. Beyond it new content is refused with 503, and a
        /// peer that is slow loses its connection.
        package var bufferLimit = 128 * 1024 * 1024
        /// Bytes of a stream that wait for a slow peer before its writer waits, too.
        package var unsentLimit = 64 * 1024
        package var deadlines = Deadlines()

        package init() {}
    }

    /// How long a peer may take. They are kept to within a second.
    package struct Deadlines: Sendable, Hashable {
        /// For a head, from its first byte to its last; 408 beyond.
        package var head = Duration.seconds(10)
        /// Between two pieces of a body; 408 beyond.
        package var body = Duration.seconds(30)
        /// For a body from its first byte to its last, and a second more for each `bodyRate` bytes that have come; 408
        /// beyond. Otherwise one byte in each `body` would keep a connection and a buffer for days. The same for
        /// answers, from when some of them have to wait for the peer until none do; closed beyond.
        package var wholeBody = Duration.seconds(60)
        /// Bytes in a second.
        package var bodyRate = 1024
        /// Without a message; closed beyond.
        package var idle = Duration.seconds(75)
        /// Without taking a byte of an answer that waits; closed beyond.
        package var write = Duration.seconds(30)
        /// For what still comes in after the last answer, so that the peer gets to read it; closed beyond.
        package var linger = Duration.seconds(2)

        package init() {}
    }
}
