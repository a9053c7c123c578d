/// What a responder answers with. The transport adds framing (`Content-Length` or chunked), `Date` and `Connection`.
package struct Response: Sendable {
    package enum Body: Sendable {
        case empty
        case bytes([UInt8])
        /// Content that comes in pieces, for as long as the closure runs; sent chunked (RFC 9112 section 7.1).
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

/// Takes the pieces of a streamed body.
package protocol BodyWriter: Sendable {
    /// Sends a piece, and waits while the peer is slow to take what was sent before. Throws when the peer is gone or
    /// the server drains; the closure should then return.
    func write(_ bytes: [UInt8]) async throws
}
