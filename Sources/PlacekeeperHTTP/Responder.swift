/// The interface through which the transport calls the server's routes. A responder does not use sockets.
package protocol Responder: Sendable {
    /// Returns the size limit of the body that a request head announces, or a refusal. The transport calls this
    /// function before it reads the body.
    ///
    /// - Parameter peer: The address of the peer without its port.
    func admit(_ head: RequestHead, from peer: String) -> Admission

    /// Answers a complete request. The transport calls this function on the worker of the connection, so it must not wait.
    func answer(to request: Request) -> Answer

    /// Returns the response to a message that the codec refused or that missed a deadline. The connection closes after
    /// this response.
    ///
    /// - Parameters:
    ///   - head: The request head of the message, or nil if the head did not arrive completely.
    ///   - peer: The address of the peer without its port.
    func response(to refusal: Refusal, of head: RequestHead?, from peer: String) -> Response
}

/// How a request is answered.
package enum Answer: Sendable {
    /// The response follows from facts in memory. It must not be a stream.
    case ready(Response)
    /// The answer needs a task. The function runs on the worker of the connection, also after it was suspended.
    case handler(@Sendable () async -> Response)
    /// The answer needs a lookup that runs while other requests are handled. The function starts it.
    case later(@Sendable (_ receive: @escaping @Sendable (@escaping LateAnswer) -> Void) -> Void)

    /// Makes the answer after the lookup. The lookup passes it to `receive` once, on any thread. The transport calls it on the
    /// worker of the connection, unless the peer is gone.
    package typealias LateAnswer = @Sendable () -> Answer

    /// Returns the response as the transport does.
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

/// The decision whether to accept the body that a request head announces.
package enum Admission: Sendable {
    /// Accepts the body up to a limit in bytes. A larger body gets 413. The note becomes the request's `note`.
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
