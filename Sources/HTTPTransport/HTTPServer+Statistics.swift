extension HTTPServer {
    /// Counts since the start, for readiness and metrics.
    package struct Statistics: Sendable, Hashable {
        package var openConnections: Int
        package var acceptedConnections: Int
        package var requests: Int
        /// The bytes that count towards ``Configuration/bufferLimit``.
        package var bufferedBytes: Int
    }
}
