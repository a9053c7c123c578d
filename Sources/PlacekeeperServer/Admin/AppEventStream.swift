import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService

/// A stream of an app's changes as server-sent events. An event's id is the cursor after its change.
struct AppEventStream {
    private let server: Server
    private let request: Request
    private let look: AppRead
    /// The stream sends the changes after this cursor. Nil until `begin` if the client sent no `Last-Event-ID`.
    private var cursor: String?
    /// The position in `service.answers` from which the stream sends answers to devices.
    private var firstAnswer: Int

    init(of server: Server, for look: AppRead, _ request: Request, after cursor: String?) {
        self.server = server
        self.look = look
        self.request = request
        self.cursor = cursor
        firstAnswer = server.service.answers.begin(look.app.id)
    }

    /// Ends the stream. Call this method once.
    func end() { server.service.answers.end(look.app.id) }

    /// Starts the stream. A client that sent no `Last-Event-ID` gets the newest changes.
    mutating func begin(_ writer: any BodyWriter, recent: Int) async throws {
        var text = "retry: 2000\n\n"
        if cursor == nil {
            let page = try await server.service.changes.newestChanges(of: look.app.id, limit: recent)
            cursor = page.cursor
            for change in page.changes { text += Self.event(change) }
            // An id without data is not an event, but the client stores the id and resumes after it.
            text += "id: \(page.cursor)\n\n"
        }
        try await writer.write(Array(text.utf8))
    }

    /// Sends the changes after `cursor`, or the event `reset` if the store can't. Then sends the new answers. If there is
    /// nothing to send, sends a comment. Returns false if the stream must end, because the session or API token ended or
    /// the role changed.
    mutating func sendUpdates(_ writer: any BodyWriter) async throws -> Bool {
        var text = ""
        if let cursor {
            let page = try await server.service.changes.changes(of: look.app.id, after: cursor)
            // As in `EventStream`, access is checked after the read.
            guard try await server.adminPrincipal(of: request, isUse: false)?.role == look.principal.role else {
                return false
            }
            self.cursor = page.cursor
            if page.isTruncated { text = "id: \(page.cursor)\nevent: reset\ndata: {}\n\n" }
            for change in page.changes { text += Self.event(change) }
            if !text.isEmpty { try await writer.write(Array(text.utf8)) }
        }
        if try await tellAnswers(writer) || !text.isEmpty { return true }
        try await writer.write(Array(":\n\n".utf8))
        return true
    }

    /// Sends an event for each new answer that a device got. Returns false if there were none. The events have no id,
    /// because they can't be replayed.
    private mutating func tellAnswers(_ writer: any BodyWriter) async throws -> Bool {
        let page = server.service.answers.entries(of: look.app.id, from: firstAnswer)
        firstAnswer = page.next
        if page.entries.isEmpty { return false }
        var text = page.isTruncated ? "event: missed\ndata: {}\n\n" : ""
        for entry in page.entries {
            text += "event: answer\ndata: \(String(decoding: JSONTree(entry).bytes, as: UTF8.self))\n\n"
        }
        try await writer.write(Array(text.utf8))
        return true
    }

    private static func event(_ change: AppChange) -> String {
        let json = String(decoding: JSONTree(change).bytes, as: UTF8.self)
        return "id: \(change.cursor)\nevent: change\ndata: \(json)\n\n"
    }
}

extension Server {
    /// `GET /admin/api/apps/{app}/events`: streams the changes of the app's users as server-sent events.
    ///
    /// In a busy app, each write wakes the streams. A stream pauses after each wake-up, and all wake-ups during the
    /// pause count as one.
    func streamAppEvents(_ requestContext: RequestContext, _ look: AppRead) async throws -> Response {
        let start = requestContext.head[.lastEventID].map { String(decoding: $0, as: UTF8.self) }
        let recent = try requestContext.number("recent", in: Limits.recentChanges) ?? 0
        var response = Response(.ok)
        response.fields.add(.contentType, "text/event-stream")
        response.fields.add(.cacheControl, "no-store")
        guard requestContext.head.method != .head else {
            response.body = .stream { _ in }
            return response
        }
        // As in `streamEvents`, subscribe before the first read and before checking for the shutdown.
        let wakes = try service.changes.follow(look.app.id)
        guard !isDraining else { throw draining }
        try await service.auditLog.record(.eventsFollowed, by: look.principal.auditor, in: look.app.id)
        let (request, pause) = (requestContext.request, configuration.pauseOfAppEvents)
        response.body = .stream { writer in
            var events = AppEventStream(of: self, for: look, request, after: start)
            defer { events.end() }
            try await events.begin(writer, recent: recent)
            if start != nil {
                guard try await events.sendUpdates(writer) else { return }
            }
            for await _ in wakes {
                guard try await events.sendUpdates(writer) else { return }
                await pause()
            }
        }
        return response
    }
}
