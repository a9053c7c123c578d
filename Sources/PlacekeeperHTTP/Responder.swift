/// The interface through which the transport calls the server's routes. A responder doesn't use sockets.
package protocol Responder: Sendable {
    /// Returns the size limit of the body that follows a request head, or a refusal. The transport calls this function
    /// before it reads the body.
    ///
    /// - Parameter peer: The peer's address, without its port.
    func admit(_ head: RequestHead, from peer: String) -> Admission

    /// Answers a complete request. The transport calls this function on the connection's worker, so it must not block.
    func answer(to request: Request) -> Answer

    /// Returns the response to a message that the codec rejected or that missed a deadline. The connection closes after
    /// this response.
    ///
    /// - Parameters:
    ///   - head: The head of the message, or nil if it didn't arrive completely.
    ///   - peer: The peer's address, without its port.
    func response(to refusal: Refusal, of head: RequestHead?, from peer: String) -> Response
}

/// A way to answer a request.
package enum Answer: Sendable {
    /// The response is already made. It must not be a stream.
    case ready(Response)
    /// The answer needs a task. The function runs on the connection's worker, even after a suspension.
    case handler(@Sendable () async -> Response)
    /// The answer needs a lookup, during which other requests are handled. The function starts the lookup.
    case later(@Sendable (_ receive: @escaping @Sendable (@escaping LateAnswer) -> Void) -> Void)

    /// Makes the answer after the lookup. The lookup passes this function to `receive` once, on any thread. The
    /// transport then calls the function on the connection's worker, unless the peer is gone.
    package typealias LateAnswer = @Sendable () -> Answer

    /// Returns the response in the same way as the transport does.
    package var response: Response {
        get async {
            switch self {
            case .ready(let response): return response
            case .handler(let handler): return await handler()
            case .later(let ask):
                let answer = await withCheckedContinuation { continuation in
                    ask { continuation.resume(returning: $0) }
                }
                return await answer().response
            }
        }
    }
}

/// The decision whether to accept the body that follows a request head.
package enum Admission: Sendable {
    /// Accepts a body of at most `bodyLimit` bytes. A larger body gets 413. The note becomes the request's `note`.
    case accept(bodyLimit: Int, note: (any Sendable)? = nil)
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
