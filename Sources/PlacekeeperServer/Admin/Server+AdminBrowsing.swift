import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService

// The part of the admin API that is about apps and their users' data.
extension Server {
    /// Returns the administrator's request about the app in the path.
    func look(at requestContext: RequestContext, _ principal: AdminPrincipal) async throws -> AppRead {
        AppRead(app: try await app(of: requestContext), principal: principal)
    }

    private func app(of requestContext: RequestContext) async throws -> App {
        let missing = Problem(.appNotFound, "There is no such app.")
        guard let id: AppID = requestContext.id(\.parameters.0) else { throw missing }
        do {
            return try await service.apps.app(.id(id))
        } catch  where error.code == .appUnknown {
            throw missing
        }
    }
}

/// A request of an administrator about an app.
struct AppRead: Sendable {
    var app: App
    var principal: AdminPrincipal
    /// Whether the response leaves out archive values and users' texts. Always true for a viewer. For other roles, true
    /// unless the app's settings allow these contents.
    var isRedacted: Bool { !app.settings.showsContents || principal.role < .operator }
}

/// A request of an administrator about a user.
struct UserRead: Sendable {
    var look: AppRead
    var owner: UserKey
    var redaction: Redaction
    var app: App { look.app }
    var principal: AdminPrincipal { look.principal }
    private let service: RestorationService

    init(_ look: AppRead, _ owner: UserKey, _ service: RestorationService) {
        self.look = look
        self.owner = owner
        self.service = service
        redaction = Redaction(isOn: look.isRedacted, owner: owner, service: service)
    }

    /// Adds an entry to the audit log. Must be called before the service reads or changes the user's data.
    func begin(_ detail: String, as action: AuditAction = .shown) async throws(ServiceError) {
        try await service.browsing.begin(action, detail, by: look.principal.auditor, about: owner)
    }

    /// Refuses a request for contents that can't be redacted.
    func requireContents() throws(Problem) {
        guard !redaction.isOn else {
            throw Problem(
                .contentsHidden,
                "Only operators and owners see contents, and only if the app's setting showsContents is turned on.")
        }
    }
}

extension RequestContext {
    /// Returns the user in the path.
    func user(of app: App) throws(Problem) -> UserKey {
        guard let id: UserID = id(\.parameters.1) else {
            throw Problem(.userNotFound, "The app has no such user.")
        }
        return UserKey(app: app.id, user: id)
    }

    /// Returns the scene in the path.
    func scene(of look: UserRead) throws(Problem) -> SceneKey {
        guard let name = text(match.parameters.2) else {
            throw Problem(.malformedPath, "The scene's name is not UTF-8\(Self.markLimit).")
        }
        return SceneKey(owner: look.owner, name: name)
    }

    /// Returns the archive's id in the path.
    func usersArchive() throws(Problem) -> ArchiveID {
        guard let id: ArchiveID = id(\.parameters.3) else {
            throw Problem(.archiveNotFound, "There is no such archive.")
        }
        return id
    }

    /// Returns an id from the query, or nil if the parameter is absent.
    func id<Entity>(query name: StaticString) throws(Problem) -> ID<Entity>? {
        guard let text = try query(name) else { return nil }
        guard let id = ID<Entity>(text) else { throw .malformedQuery(name, "The parameter must be an id.") }
        return id
    }

    func required<Value>(_ name: StaticString, _ value: Value?) throws(Problem) -> Value {
        guard let value else { throw .malformedQuery(name, "The parameter is missing.") }
        return value
    }
}
