import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService

extension Server {
    /// `GET /admin/api/apps/{app}/users`: those seen last first, unless the parameter `sort` says otherwise.
    func listUsers(_ requestContext: RequestContext, _ look: AppRead) async throws -> Response {
        guard let order = UserOrder(rawValue: try requestContext.query("sort") ?? UserOrder.seen.rawValue) else {
            throw Problem.malformedQuery("sort", "The parameter must be seen, bytes or id.")
        }
        let filter = try requestContext.userFilter()
        let limit = try requestContext.adminPageLimit()
        let last = try requestContext.cursor(UserPosition.init(cursor:))
        try await service.auditLog.record(.usersListed, by: look.principal.auditor, in: look.app.id)
        let found = try await service.browsing.users(
            of: look.app, by: order, matching: filter, after: last, limit: limit)
        var items: [JSONTree] = []
        for user in found.users {
            var subject: Subject?
            if user.isSignedIn, !look.isRedacted {
                subject = try await service.accounts.listedSubject(of: UserKey(app: look.app.id, user: user.user))
            }
            items.append(JSONTree(user, subject))
        }
        return json(JSONTree(page: items, next: found.next.map(\.cursor)).bytes, for: requestContext)
    }

    /// `GET /admin/api/apps/{app}/find`
    func find(_ requestContext: RequestContext, _ look: AppRead) async throws -> Response {
        let text = try requestContext.required("text", try requestContext.query("text"))
        let last = try requestContext.cursor(UserID.init(_:))
        try await service.auditLog.record(
            .searched, by: look.principal.auditor, in: look.app.id, continues: last != nil)
        let found = last == nil ? try await service.browsing.find(text, in: look.app.id) : []
        let items = try await service.browsing.items(text, or: Redaction.key(text), in: look.app.id, after: last)
        let subjects = try await subjects(of: found.map(\.user) + items.items.map(\.list.owner.user), look)
        let trees = items.items.map { item in
            let owner = item.list.owner
            return JSONTree(
                item, Redaction(isOn: look.isRedacted, owner: owner, service: service), subjects[owner.user])
        }
        let page = JSONTree(
            page: found.map { JSONTree($0, subjects[$0.user]) } + trees, next: items.next?.description)
        return json(page.bytes, for: requestContext)
    }

    /// Returns the subjects of those users who have an account, or none if texts are redacted.
    func subjects(of users: [UserID], _ look: AppRead) async throws(ServiceError) -> [UserID: Subject] {
        var subjects: [UserID: Subject] = [:]
        guard !look.isRedacted else { return subjects }
        for user in Set(users) {
            subjects[user] = try await service.accounts.listedSubject(of: UserKey(app: look.app.id, user: user))
        }
        return subjects
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

extension RequestContext {
    fileprivate func userFilter() throws(Problem) -> UserFilter {
        var filter = UserFilter()
        filter.failed = try truth("failed") ?? false
        filter.isSignedIn = try truth("signedIn")
        filter.overQuota = try truth("overQuota") ?? false
        filter.conditions = UserConditions(idiom: try idiom(), version: try query("version"))
        return filter
    }

    func truth(_ name: StaticString) throws(Problem) -> Bool? {
        guard let text = try query(name) else { return nil }
        guard let truth = Bool(text) else { throw .malformedQuery(name, "The parameter must be true or false.") }
        return truth
    }
}

extension UserPosition {
    fileprivate var cursor: String { "\(key).\(user)" }

    fileprivate init?(cursor: String) {
        let parts = cursor.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let key = Int64(parts[0]), let user = UserID(String(parts[1])) else { return nil }
        self.init(key: key, user: user)
    }
}
