import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService

/// A stream of server-sent events.
struct EventStream {
    private let server: Server
    private let token: ArraySlice<UInt8>
    private var principal: Principal
    /// The stream sends the changes after this revision. If the client sent no `Last-Event-ID`, nil until `begin` reads
    /// the current revision.
    private var position: Revision?

    init(of server: Server, for principal: Principal, token: ArraySlice<UInt8>, after position: Revision?) {
        self.server = server
        self.principal = principal
        self.token = token
        self.position = position
    }

    /// Starts the stream. A client that sent no `Last-Event-ID` starts at the current revision.
    mutating func begin(_ writer: any BodyWriter) async throws {
        var text = "retry: 2000\n\n"
        if position == nil {
            let page = try await changes(after: Revision(rawValue: .max))
            position = page.latest
            // An id without data is not an event, but the client stores the id, and resumes after it even if it never
            // received an event.
            text += "id: \(page.latest.rawValue)\n\n"
        }
        try await writer.write(Array(text.utf8))
    }

    /// Sends the changes after `position` in pages, or the event `reset` if they are no longer available. Also sends an
    /// event if the app's settings changed. If there is nothing to send, sends a comment, so both sides notice a broken
    /// connection. Returns false if the stream must end because the token was revoked or the device moved to another
    /// user.
    mutating func sendUpdates(_ writer: any BodyWriter) async throws -> Bool {
        var hasTold = false
        while let position {
            let page = try await changes(after: position)
            // Access is checked after the read, so a device never receives a change from after its access ended.
            guard let now = try await server.service.devices.authenticate(token: token)?.principal,
                now.owner == principal.owner
            else { return false }
            var text = now.app.settings == principal.app.settings ? "" : "event: settingsChanged\ndata: {}\n\n"
            principal = now
            if page.isTruncated {
                self.position = page.latest
                text += try event("reset", page.latest, Wire.Reset(revision: page.latest.rawValue))
            } else if let last = page.changes.last?.revision {
                self.position = last
                for change in page.changes {
                    text += try event(change.kind.rawValue, change.revision, Wire.Change(change))
                }
            }
            if text.isEmpty { break }
            try await writer.write(Array(text.utf8))
            hasTold = true
        }
        if !hasTold { try await writer.write(Array(":\n\n".utf8)) }
        return true
    }

    private func changes(after revision: Revision) async throws(ServiceError) -> ChangePage {
        try await server.service.changes.changes(after: revision, limit: Limits.page, principal: principal)
    }

    private func event(_ name: String, _ id: Revision, _ data: some Encodable) throws -> String {
        let json = String(decoding: try JSONBody.encode(data), as: UTF8.self)
        return "id: \(id.rawValue)\nevent: \(name)\ndata: \(json)\n\n"
    }
}
