import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService

/// A route of the service and everything the service knows about it. `Route.all` is the table of routes, and
/// `openapi.yaml` lists the same routes. Logs and counters identify a route by its template.
struct Route: Sendable {
    enum Method: String, Sendable, CaseIterable {
        case get = "GET"
        case put = "PUT"
        case post = "POST"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    let method: Method
    /// The path template, with a name in braces for each variable segment (RFC 6570 level 1).
    let template: String
    /// The `operationId` in `openapi.yaml`.
    let operation: String
    let access: Access
    /// The body limit: short by default.
    let body: BodyLimit
    /// Answers from memory if possible. Nil if the route never can.
    let readiness: Readiness?
    /// Whether the route changes data, so read-only tokens are refused.
    let writes: Bool
    /// Whether response times are measured, as for the routes that the SDK uses most.
    let isTimed: Bool
    /// Whether a request shows that somebody is using the admin page. False for the event stream, which an open page
    /// keeps alive and reopens even if nobody is there.
    let isUse: Bool

    /// - Parameter writes: by default, every method except GET.
    init(
        _ method: Method, _ template: String, _ operation: String, _ access: Access, body: BodyLimit = .ofShortBody,
        readiness: Readiness? = nil, writes: Bool? = nil, isTimed: Bool = false, isUse: Bool = true
    ) {
        self.method = method
        self.template = template
        self.operation = operation
        self.access = access
        self.body = body
        self.readiness = readiness
        self.writes = writes ?? (method != .get)
        self.isTimed = isTimed
        self.isUse = isUse
    }

    /// Whether the route belongs to the admin API, which never accepts device tokens.
    var isAdministrative: Bool { template.utf8.starts(with: "/admin/".utf8) }

    /// Whether the route requires a device token.
    var needsToken: Bool { if case .token = access { true } else { false } }

    /// The least role that the route requires. Nil outside the admin API, and for routes that need no credential.
    ///
    /// Inlined into `roles`, it crashes the optimizer of Swift 6.3 (`CopyPropagation`).
    @inline(never)
    var leastRole: Role? { if case .role(let role, _) = access { role } else { nil } }

    /// The least role of each operation that a viewer may not use, as a JSON object.
    static let roles: [UInt8] = {
        var members: [String] = []
        for route in all {
            guard let role = route.leastRole, role > .viewer else { continue }
            members.append("\"\(route.operation)\":\"\(role.rawValue)\"")
        }
        return Array("{\(members.joined(separator: ","))}".utf8)
    }()
}

extension Route {
    /// The credential that a route requires, and the function that handles the request.
    enum Access: Sendable {
        /// The response is made from memory, for anyone.
        case ready(@Sendable (Server) -> Response)
        case anyone(@Sendable (Server, RequestContext) async throws -> Response)
        case token(@Sendable (Server, RequestContext, Authentication) async throws -> Response)
        case role(Role, @Sendable (Server, RequestContext, AdminPrincipal) async throws -> Response)

        static func device(
            _ handle: @escaping @Sendable (Server, RequestContext, Principal) async throws -> Response
        ) -> Access {
            .token { try await handle($0, $1, $2.principal) }
        }

        /// For routes below `/admin/api/apps/{app}`.
        static func app(
            _ role: Role, _ handle: @escaping @Sendable (Server, RequestContext, AppRead) async throws -> Response
        ) -> Access {
            .role(role) { try await handle($0, $1, $0.look(at: $1, $2)) }
        }

        /// For routes below `/admin/api/apps/{app}/users/{user}`.
        static func user(
            _ role: Role, _ handle: @escaping @Sendable (Server, RequestContext, UserRead) async throws -> Response
        ) -> Access {
            .app(role) { try await handle($0, $1, UserRead($2, $1.user(of: $2.app), $0.service)) }
        }
    }

    /// Answers requests from memory, without a task. The principal is cached, and its versions are current.
    struct Readiness: Sendable {
        /// Returns whether memory holds a response, possibly outdated. Only then is a shared store asked for the
        /// principal's versions.
        let mayAnswer: @Sendable (Server, RequestHead, Principal) -> Bool
        /// Returns the response. Nil if the handler must answer.
        let response: @Sendable (Server, RequestHead, Authentication) -> Response?
    }
}
