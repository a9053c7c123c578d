import PlacekeeperAPI
import PlacekeeperConcurrency
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService

extension Server {
    /// `GET /v1/events`: streams the user's changes as server-sent events. The id of an event is the revision of its
    /// change.
    ///
    /// The stream reads the changes from the change log. A wake-up only means that there may be new changes, so a
    /// stream that resumes after a revision misses nothing, even after a restart of the server.
    func streamEvents(_ requestContext: RequestContext, _ principal: Principal) throws -> Response {
        let start = try requestContext.number(.lastEventID)
        var response = Response(.ok)
        response.fields.add(.contentType, "text/event-stream")
        response.fields.add(.cacheControl, "no-store")
        response.fields.add(.vary, "Authorization")
        // Subscribe before the first read of the change log, so changes after the read wake the stream.
        let wakes = requestContext.head.method == .head ? nil : try service.changes.follow(principal)
        // Check for the shutdown after subscribing: the shutdown ends all earlier streams, and later streams are
        // refused here.
        guard !isDraining else { throw draining }
        let token = requestContext.head.bearerToken ?? []
        response.body = .stream { writer in
            guard let wakes else { return }
            self.eventStreams.withLock { $0 += 1 }
            defer { self.eventStreams.withLock { $0 -= 1 } }
            var events = EventStream(of: self, for: principal, token: token, after: start.map(Revision.init))
            try await events.begin(writer)
            if start != nil {
                guard try await events.sendUpdates(writer) else { return }
            }
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
