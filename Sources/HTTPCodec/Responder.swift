/// What answers requests: the server's routes, seen from the transport. It knows no socket.
package protocol Responder: Sendable {
    /// Asked when a head has announced a body, before a byte of it is taken: how large it may be, or a refusal.
    func admit(_ head: RequestHead) -> Admission

    /// Answers a whole request. Runs on the connection's own worker; after a wait it comes back to that worker.
    func respond(to request: Request) async -> Response

    /// Answers what the codec or a deadline refused: `head` is that of the message, if it came whole. The connection
    /// closes behind it.
    func response(to refusal: Refusal, of head: RequestHead?) -> Response
}

/// Whether the body that a head announces is taken.
package enum Admission: Sendable {
    /// Taken, up to this many bytes; 413 beyond. The time is on the responder's own clock, and comes back with the request.
    case accept(bodyLimit: Int, at: Int64? = nil)
    case refuse(Response)
}

/// Why a message was refused before it reached a route.
package struct Refusal: Error, Sendable, Hashable {
    package var status: Status
    /// A stable code in kebab case, such as `host-missing`.
    package var code: String
    /// One sentence that is safe to show.
    package var message: String

    package init(_ status: Status, code: String, _ message: String) {
        self.status = status
        self.code = code
        self.message = message
    }
}
