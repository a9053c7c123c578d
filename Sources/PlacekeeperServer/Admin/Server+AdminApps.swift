import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService

extension Server {
    /// `GET /admin/api/apps`
    func listApps(_ requestContext: RequestContext) async throws -> Response {
        let limit = try requestContext.adminPageLimit()
        let last = try requestContext.cursor { $0 }
        let apps = try await service.apps.apps().filter { app in last.map { $0 < app.bundleIdentifier } ?? true }
        var items: [JSONTree] = []
        for app in apps.prefix(limit) { items.append(JSONTree(app, usage: try await service.apps.usage(of: app.id))) }
        let next = apps.count > limit ? apps[limit - 1].bundleIdentifier : nil
        return json(JSONTree(page: items, next: next).bytes, for: requestContext)
    }

    /// `DELETE /admin/api/apps/{app}`
    func deleteApp(_ requestContext: RequestContext, _ look: AppRead) async throws -> Response {
        let name = try requestContext.required("confirm", try requestContext.query("confirm"))
        guard name.utf8.elementsEqual(look.app.bundleIdentifier.utf8) else {
            throw Problem.malformedQuery("confirm", "The parameter must be the app's bundle identifier.")
        }
        if !look.app.isBeingDeleted { try await service.apps.delete(look.app, by: look.principal.auditor) }
        return Response(.accepted)
    }
}
