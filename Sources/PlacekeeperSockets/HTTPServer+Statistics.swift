extension HTTPServer {
    /// The current numbers of open connections and buffered bytes, and the totals of connections and requests since the
    /// start.
    package struct Statistics: Sendable, Hashable {
        package var openConnections: Int
        package var acceptedConnections: Int
        package var requests: Int
        /// The number of bytes that ``Configuration/bufferLimit`` limits.
        package var bufferedBytes: Int
    }
}
