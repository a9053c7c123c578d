import HTTPCodec
import PlacekeeperAPI
import RestorationService

extension Server {
    /// `GET /v1/events`: streams the user's changes as server-sent events with their revisions as ids.
    ///
    /// The stream reads the changes from the change log; a wake-up only says that there may be new ones. So a stream
    /// that resumes after a revision has no gap, even if the server restarted in between.
    func streamEvents(_ requestContext: RequestContext, _ caller: Caller) throws -> Response {
        let start = try requestContext.number(.lastEventID)
        var response = Response(.ok)
        response.fields.add(.contentType, "text/event-stream")
        response.fields.add(.cacheControl, "no-store")
        response.fields.add(.vary, "Authorization")
        // The subscription comes before the first read of the log, so that a change in between wakes the stream.
        let wakes = requestContext.head.method == .head ? nil : try service.follow(caller)
        // The check comes after the subscription. A stream that subscribes before the shutdown is ended by it; a later
        // stream is refused here.
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
        var problem = Problem(.draining, "The service is shutting down. Try again shortly.")
        problem.retry(after: .seconds(1))
        return problem
    }
}
