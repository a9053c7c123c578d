import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService

extension Server {
    /// `GET /v1/export`: streams all of the user's data as lines of JSON (docs/export-format.md).
    ///
    /// Access is checked again before each piece. If the token is no longer valid, or the device left the user, the
    /// connection is closed, so the client notices that the export is incomplete.
    func exportUser(_ requestContext: RequestContext, _ principal: Principal) async throws -> Response {
        guard !isDraining else { throw draining }
        var response = Response(.ok)
        response.fields.add(.contentType, "application/x-ndjson")
        response.fields.add(.contentDisposition, "attachment; filename=\"placekeeper-export.ndjson\"")
        response.fields.add(.cacheControl, "no-store")
        response.fields.add(.vary, "Authorization")
        // The slot counts this export as open until the connection ends.
        let isHead = requestContext.head.method == .head
        let slot = isHead ? nil : try service.exportSlots.take(for: principal.owner, at: service.clock.uptime())
        let token = requestContext.head.bearerToken ?? []
        if !isHead {
            try await service.auditLog.record(.exported, by: .user, in: principal.app.id, about: principal.owner)
        }
        guard let export = try await service.exports.export(principal.owner, of: principal.app) else {
            throw Problem.unauthorized
        }
        let text = ExportText(export, hashing: service.hashing, version: configuration.version)
        response.body = .stream { [service] writer in
            var text = text
            while let piece = try await text.next() {
                let now = try await service.devices.authenticate(token: token)?.principal
                guard let now, now.owner == principal.owner else { throw Problem.unauthorized }
                try await writer.write(piece)
                // A fast client never makes the stream wait, but other connections share its worker.
                await Task.yield()
            }
            withExtendedLifetime(slot) {}
        }
        return response
    }
}
