import PlacekeeperAPI
package import PlacekeeperHTTP

/// Answers requests while the store is being opened: `/livez` with 200, and everything else with 503.
package struct OpeningResponder: Responder {
    private let reason: @Sendable () -> String
    private let requestIDs = RequestIDs()

    /// - Parameter reason: returns why the store isn't open yet, as a sentence that anyone may read.
    package init(reason: @escaping @Sendable () -> String) { self.reason = reason }

    package func admit(_ head: RequestHead, from peer: String) -> Admission {
        // Refuse a body instead of reading it. Without a body, the connection stays open for further requests.
        [.none, .length(0)].contains(head.framing) ? .accept(bodyLimit: 0) : .refuse(response(for: head))
    }

    package func answer(to request: Request) -> Answer { .ready(response(for: request.head)) }

    package func response(to refusal: Refusal, of head: RequestHead?, from peer: String) -> Response {
        completed(Problem(refusal).response(), for: head)
    }

    private func response(for head: RequestHead) -> Response {
        let isLiveness =
            [.get, .head].contains(head.method) && head.bytes[head.path].elementsEqual("/livez".utf8)
        guard !isLiveness else { return completed(Server.text("ok\n"), for: head) }
        var problem = Problem(.storeUnavailable, reason())
        problem.retry(after: .seconds(1))
        return completed(problem.response(), for: head)
    }

    private func completed(_ response: Response, for head: RequestHead?) -> Response {
        var response = response
        response.addUsualFields(head.map(requestIDs.id) ?? .made(requestIDs.next()))
        return response
    }
}
