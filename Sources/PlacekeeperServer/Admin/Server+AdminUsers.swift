import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService

extension Server {
    /// `GET /admin/api/apps/{app}/users`: the users, ordered by id.
    func listUsers(_ requestContext: RequestContext, _ look: AppRead) async throws -> Response {
        let limit = try requestContext.adminPageLimit()
        let last = try requestContext.cursor(UserID.init(_:))
        try await service.auditLog.record(.usersListed, by: look.principal.auditor, in: look.app.id)
        let found = try await service.devices.users(of: look.app.id, after: last, limit: limit + 1)
        let page = JSONTree(
            page: found.prefix(limit).map { JSONTree($0) },
            next: found.count > limit ? found[limit - 1].user.description : nil)
        return json(page.bytes, for: requestContext)
    }

    /// `GET /admin/api/apps/{app}/find`
    func find(_ requestContext: RequestContext, _ look: AppRead) async throws -> Response {
        let text = try requestContext.required("text", try requestContext.query("text"))
        try await service.auditLog.record(.searched, by: look.principal.auditor, in: look.app.id)
        let found = try await service.browsing.find(text, in: look.app.id)
        return json(JSONTree(page: found.map { JSONTree($0) }).bytes, for: requestContext)
    }

    /// `GET /admin/api/apps/{app}/users/{user}`: with a page of the user's scenes.
    func readUser(_ requestContext: RequestContext, _ look: UserRead) async throws -> Response {
        let limit = try requestContext.adminPageLimit()
        let last = try requestContext.cursor { $0 }
        try await look.begin("user")
        let page = try await service.browsing.page(of: look.owner, behind: last, limit: limit)
        return json(JSONTree(page, look.redaction).bytes, for: requestContext)
    }

    /// `GET /admin/api/apps/{app}/audit`, and `GET /admin/api/audit` for the log of the whole service: newest entries
    /// first. The parameters `kind`, `action`, `actor` and `day` select entries.
    func listAuditEntries(_ requestContext: RequestContext, of app: AppID?) async throws -> Response {
        let limit = try requestContext.adminPageLimit()
        let position = try requestContext.cursor { Int64($0) }
        var filter = AuditFilter(
            action: try requestContext.query("action").map(AuditAction.init(rawValue:)),
            actor: try requestContext.query("actor"))
        if let text = try requestContext.query("kind") {
            guard let kind = AuditAction.Kind(rawValue: text) else {
                throw Problem.malformedQuery("kind", "The parameter must be changes, reads or log-ins.")
            }
            filter.kind = kind
        }
        if let text = try requestContext.query("day") {
            guard let day = Time(text + "T00:00:00Z") else {
                throw Problem.malformedQuery("day", "The parameter must be a date such as 2026-11-30.")
            }
            filter.day = Timestamp(milliseconds: day.milliseconds)
        }
        let found = try await service.auditLog.audit(of: app, matching: filter, below: position, limit: limit)
        let page = JSONTree(page: found.entries.map { JSONTree($0) }, next: found.next.map { "\($0)" })
        return json(page.bytes, for: requestContext)
    }
}
