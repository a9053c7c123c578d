import HTTPCodec
import PlacekeeperAPI
import RestorationService

extension Server {
    /// `GET /v1/events`: the user's changes as server-sent events, each under its revision.
    ///
    /// The change log is the truth, and a wake only says that it is worth reading: so a stream that is resumed after a
    /// revision has no gap, also when the server was started anew in between.
    func streamEvents(_ requestContext: RequestContext, _ caller: Caller) throws -> Response {
        let start = try requestContext.number(.lastEventID)
        var response = Response(.ok)
        response.fields.add(.contentType, "text/event-stream")
        response.fields.add(.cacheControl, "no-store")
        response.fields.add(.vary, "Authorization")
        // Asked before the log is read: what is written in between wakes the stream.
        let wakes = requestContext.head.method == .head ? nil : try service.follow(caller)
        // Asked afterwards: whoever follows before the server drains is ended by that, whoever follows later here.
        guard !isDraining else { throw draining }
        let token = requestContext.head.bearerToken ?? []
        response.body = .stream { writer in
            guard let wakes else { return }
            var events = EventStream(of: self, for: caller, token: token, after: start.map(Revision.init))
            try await events.begin(writer)
            for await _ in wakes {
                guard try await events.sendUpdates(writer) else { return }
            }
        }
        return response
    }

    var draining: Problem {
        var problem = Problem(.draining, "The service is about to stop.")
        problem.retry(after: .seconds(1))
        return problem
    }
}
