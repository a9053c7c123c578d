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
        let token = requestContext.head.bearerToken ?? []
        var response = try await export(principal.owner, of: principal.app, requestContext, orThrow: .unauthorized) {
            try await service.auditLog.record(.exported, by: .user, in: principal.app.id, about: principal.owner)
        } mayRead: { [service] in
            try await service.devices.authenticate(token: token)?.principal.owner == principal.owner
        }
        response.fields.add(.vary, "Authorization")
        return response
    }

    /// `GET /admin/api/apps/{app}/users/{user}/export`
    func exportUsersData(_ requestContext: RequestContext, _ look: UserRead) async throws -> Response {
        try look.requireContents()
        let (request, principal) = (requestContext.request, look.principal)
        let missing = Problem(.userNotFound, "The app has no such user.")
        return try await export(look.owner, of: look.app, requestContext, orThrow: missing) {
            try await look.begin("", as: .exported)
        } mayRead: {
            guard try await self.adminPrincipal(of: request, isUse: false)?.role == principal.role else { return false }
            return try await self.service.apps.app(.id(look.app.id)).settings.showsContents
        }
    }

    /// - Parameters:
    ///   - missing: the problem if there is no such user.
    ///   - record: adds an entry to the audit log.
    ///   - mayRead: checks access before each piece.
    private func export(
        _ owner: UserKey, of app: App, _ requestContext: RequestContext, orThrow missing: Problem,
        record: () async throws -> Void, mayRead: @escaping @Sendable () async throws -> Bool
    ) async throws -> Response {
        guard !isDraining else { throw draining }
        var response = Response(.ok)
        response.fields.add(.contentType, "application/x-ndjson")
        response.fields.add(.contentDisposition, "attachment; filename=\"placekeeper-export.ndjson\"")
        response.fields.add(.cacheControl, "no-store")
        // The slot counts this export as open until the connection ends.
        let isHead = requestContext.head.method == .head
        let slot = isHead ? nil : try service.exportSlots.take(for: owner, at: service.clock.uptime())
        if !isHead { try await record() }
        guard let export = try await service.exports.export(owner, of: app) else { throw missing }
        let text = ExportText(export, hashing: service.hashing, version: configuration.version)
        response.body = .stream { writer in
            var text = text
            while let piece = try await text.next() {
                guard try await mayRead() else { throw Problem.unauthorized }
                try await writer.write(piece)
                // A fast client never makes the stream wait, but other connections share its worker.
                await Task.yield()
            }
            withExtendedLifetime(slot) {}
        }
        return response
    }
}
