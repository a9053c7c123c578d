import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService

extension Server {
    /// `GET /v1/changes`: the user's changes after a revision, oldest first.
    func listChanges(_ requestContext: RequestContext, _ principal: Principal) async throws -> Response {
        let limit = try requestContext.pageLimit()
        let after: Int64 = try requestContext.number("after", in: 0...Int64.max) ?? 0
        let page = try await service.changes.changes(
            after: Revision(rawValue: after), limit: limit, principal: principal)
        guard !page.isTruncated else {
            var problem = Problem(
                .changesPruned, "Changes after revision \(after) are not available. Start over from the manifest.")
            problem.fields.add(.revision, page.latest.rawValue)
            throw problem
        }
        let last = page.changes.last?.revision
        let next = last.flatMap { $0 < page.latest ? String($0.rawValue) : nil }
        var response = try json(
            Wire.Page(items: page.changes.map(Wire.Change.init), next: next), for: requestContext)
        response.fields.add(.revision, page.latest.rawValue)
        if let next { link("after", next, limit, requestContext, &response) }
        return response
    }
}
