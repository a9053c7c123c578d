extension HTTPServer {
    /// Counts since the start, for readiness and metrics.
    package struct Statistics: Sendable, Hashable {
        package var openConnections: Int
        package var acceptedConnections: Int
        package var requests: Int
        /// Bytes of request bodies in memory.
        package var bufferedBodyBytes: Int
    }
}
