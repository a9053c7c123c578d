import PlacekeeperAPI
package import PlacekeeperHTTP

/// Answers each request from memory, and accepts no bodies.
package struct MemoryResponder: Responder {
    private let respond: @Sendable (RequestHead) -> Response
    private let requestIDs = RequestIDs()

    /// For the time in which the store is being opened: `/livez` with 200, and everything else with 503.
    ///
    /// - Parameter reason: returns why the store isn't open yet, as a sentence that anyone may read.
    package static func opening(reason: @escaping @Sendable () -> String) -> Self {
        Self { head in
            if head.asks(for: "/livez") { return Server.text("ok\n") }
            var problem = Problem(.storeUnavailable, reason())
            problem.retry(after: .seconds(1))
            return problem.response()
        }
    }

    /// For a listener that only monitoring reaches: `GET /metrics` with a server's metrics, and nothing else.
    package static func metrics(of server: Server) -> Self {
        Self { $0.asks(for: "/metrics") ? server.metrics : Problem.notFound.response() }
    }

    package func admit(_ head: RequestHead, from peer: String) -> Admission {
        // Refuse a body instead of reading it. Without a body, the connection stays open for further requests.
        [.none, .length(0)].contains(head.framing)
            ? .accept(bodyLimit: 0) : .refuse(completed(respond(head), for: head))
    }

    package func answer(to request: Request) -> Answer { .ready(completed(respond(request.head), for: request.head)) }

    package func response(to refusal: Refusal, of head: RequestHead?, from peer: String) -> Response {
        completed(Problem(refusal).response(), for: head)
    }

    private func completed(_ response: Response, for head: RequestHead?) -> Response {
        var response = response
        response.addUsualFields(head.map(requestIDs.id) ?? .made(requestIDs.next()))
        return response
    }
}

extension RequestHead {
    fileprivate func asks(for path: String) -> Bool {
        [.get, .head].contains(method) && bytes[self.path].elementsEqual(path.utf8)
    }
}
