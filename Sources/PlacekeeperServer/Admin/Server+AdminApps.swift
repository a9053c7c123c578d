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
}
