/// A response from a responder. The transport adds the framing (`Content-Length` or chunked), `Date` and `Connection`.
package struct Response: Sendable {
    package enum Body: Sendable {
        case empty
        case bytes([UInt8])
        /// Content that the closure writes in pieces. Each piece is sent as a chunk (RFC 9112 section 7.1).
        case stream(@Sendable (any BodyWriter) async throws -> Void)
    }

    package var status: Status
    package var fields: ResponseFields
    package var body: Body

    package init(_ status: Status, fields: ResponseFields = ResponseFields(), body: Body = .empty) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}

/// Sends the pieces of a streamed body.
package protocol BodyWriter: Sendable {
    /// Sends a piece. Waits while the peer is slow to receive earlier pieces. Throws if the connection is lost or the
    /// server shuts down. The closure of `Response.Body.stream` should return after an error.
    func write(_ bytes: [UInt8]) async throws
}
