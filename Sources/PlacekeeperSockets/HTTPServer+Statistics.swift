extension HTTPServer {
    /// The current numbers of open connections and buffered bytes, and the total numbers of connections and requests
    /// since the start.
    package struct Statistics: Sendable, Hashable {
        package var openConnections: Int
        package var acceptedConnections: Int
        package var requests: Int
        /// The number of bytes to which ``Configuration/bufferLimit`` applies.
        package var bufferedBytes: Int
    }
}
