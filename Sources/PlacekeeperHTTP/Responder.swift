/// The interface through which the transport calls the server's routes. A responder does not use sockets.
package protocol Responder: Sendable {
    /// Returns the size limit of the body that a request head announces, or a refusal. The transport calls this
    /// function before it reads the body.
    ///
    /// - Parameter peer: The address of the peer without its port.
    func admit(_ head: RequestHead, from peer: String) -> Admission

    /// Returns the response to a complete request if it follows from facts in memory. Nil for every other request, to
    /// which `respond(to:)` responds. The transport calls this function first, because a call of an async function needs
    /// a task. The response must not be a stream.
    func respondAtOnce(to request: Request) -> Response?

    /// Whether `respondLater` prepares responses. Otherwise the transport does not call it.
    var respondsLater: Bool { get }

    /// Prepares the response to a complete request while other requests are handled, if the response needs no task.
    /// Returns false, and does nothing, for every other request, to which `respond(to:)` responds.
    ///
    /// - Parameter receive: called once, on any thread, with a closure that returns the response. The transport calls
    ///   this closure on the worker of the connection, unless the peer is gone.
    func respondLater(to request: Request, _ receive: @escaping @Sendable (@escaping LateResponse) -> Void) -> Bool

    /// Responds to a complete request. Runs on the worker of the connection, also after the function was suspended.
    func respond(to request: Request) async -> Response

    /// Returns the response to a message that the codec refused or that missed a deadline. The connection closes after
    /// this response.
    ///
    /// - Parameters:
    ///   - head: The request head of the message, or nil if the head did not arrive completely.
    ///   - peer: The address of the peer without its port.
    func response(to refusal: Refusal, of head: RequestHead?, from peer: String) -> Response
}

/// Returns the response to a request that was prepared while other requests were handled.
package typealias LateResponse = @Sendable () -> PreparedResponse

package enum PreparedResponse: Sendable {
    /// A response that is no stream.
    case response(Response)
    /// The response needs a task after all.
    case handler(@Sendable () async -> Response)
}

extension Responder {
    package func respondAtOnce(to request: Request) -> Response? { nil }

    package var respondsLater: Bool { false }

    package func respondLater(
        to request: Request, _ receive: @escaping @Sendable (@escaping LateResponse) -> Void
    ) -> Bool { false }

    /// Responds to a complete request as the transport does.
    package func response(to request: Request) async -> Response {
        if let response = respondAtOnce(to: request) { return response }
        guard respondsLater else { return await respond(to: request) }
        let late: LateResponse? = await withCheckedContinuation { continuation in
            if !respondLater(to: request, { continuation.resume(returning: $0) }) {
                continuation.resume(returning: nil)
            }
        }
        switch late?() {
        case .response(let response): return response
        case .handler(let handle): return await handle()
        case nil: return await respond(to: request)
        }
    }
}

/// The decision whether to accept the body that a request head announces.
package enum Admission: Sendable {
    /// Accepts the body up to a limit in bytes. A larger body gets 413. The note becomes the request's `note`.
    case accept(bodyLimit: Int, note: AdmissionNote? = nil)
    case refuse(Response)
}

/// The reason why a message was refused before it reached a route.
package struct Refusal: Error, Sendable, Hashable {
    package var status: Status
    /// A stable code in kebab case, such as `host-missing`.
    package var code: String
    /// A sentence that is safe to show to the client.
    package var message: String

    package init(_ status: Status, code: String, _ message: String) {
        self.status = status
        self.code = code
        self.message = message
    }
}
