import PlacekeeperAPI
import PlacekeeperCore
package import PlacekeeperHTTP
import PlacekeeperService

extension Server: Responder {
    /// What the server learned from a request's head: when it arrived, and which resource it matches.
    final class Arrival: Sendable {
        let uptime: Duration
        let match: PathMatch

        init(uptime: Duration, match: PathMatch) {
            self.uptime = uptime
            self.match = match
        }
    }

    package func admit(_ head: RequestHead, from peer: String) -> Admission {
        guard let match = router.match(head.bytes, path: head.path),
            let endpoint = router.resources[match.resource].endpoint(for: head.method)
        else { return .accept(bodyLimit: BodyLimit.short) }
        // Reject a request without a well-formed credential before its body takes memory. The credential itself is
        // looked up after the body arrives.
        let problem: Problem? =
            switch endpoint.route.access {
            case .ready, .anyone: nil
            case .token: head.bearerToken.map(Devices.couldAuthenticate) == true ? nil : .unauthorized
            case .role: couldAdminister(head, from: peer) ? nil : .notLoggedIn
            }
        if let problem {
            let response = response(to: problem, for: head)
            return .refuse(finished(response, to: head, from: peer, requestIDs.id(of: head), .route(endpoint)))
        }
        // The interaction age is subtracted from the time at which the head arrived, so a slow upload doesn't make the
        // interaction look newer.
        return .accept(
            bodyLimit: endpoint.route.body.bytes, note: Arrival(uptime: service.clock.uptime(), match: match))
    }

    package func answer(to request: Request) -> Answer {
        let (head, start) = (request.head, ContinuousClock.now)
        let match = (request.note as? Arrival)?.match ?? router.match(head.bytes, path: head.path)
        guard let match, let endpoint = router.resources[match.resource].endpoint(for: head.method) else {
            return .handler {
                await self.respond(to: request, .none, since: start) { try self.unrouted(head, match, &$0) }
            }
        }
        if case .ready(let respond) = endpoint.route.access {
            return .ready(completed(respond(self), request, requestIDs.id(of: head), .route(endpoint), since: start))
        }
        let handle = { @Sendable (authentication: Authentication?) async -> Response in
            await self.respond(to: request, .route(endpoint), since: start) { _ in
                let context = RequestContext(request: request, match: match, bodyLimit: endpoint.route.body)
                return try await self.handle(context, endpoint.route, authentication)
            }
        }
        guard let readiness = endpoint.route.readiness, head.method == .get, let token = head.bearerToken else {
            return .handler { await handle(nil) }
        }
        if let authentication = service.devices.knownAuthentication(of: token) {
            return answer(request, endpoint, readiness, authentication, since: start, or: handle)
        }
        // With a shared store, ask first whether the cached principal and response are current.
        guard let cached = service.devices.cachedPrincipal(of: token), readiness.mayAnswer(self, head, cached.principal)
        else {
            return .handler { await handle(nil) }
        }
        return .later { receive in
            self.service.devices.askAuthentication(of: cached) { result in
                receive {
                    do {
                        guard let authentication = try result.get() else { return .handler { await handle(nil) } }
                        return self.answer(request, endpoint, readiness, authentication, since: start, or: handle)
                    } catch {
                        return .handler {
                            await self.respond(to: request, .route(endpoint), since: start) { _ in throw error }
                        }
                    }
                }
            }
        }
    }

    /// Answers from memory if possible, and otherwise with the handler.
    private func answer(
        _ request: Request, _ endpoint: Router.Endpoint, _ readiness: Route.Readiness,
        _ authentication: Authentication, since start: ContinuousClock.Instant,
        or handle: @escaping @Sendable (Authentication?) async -> Response
    ) -> Answer {
        guard var response = readiness.response(self, request.head, authentication) else {
            return .handler { await handle(authentication) }
        }
        do {
            response.fields.add(try consumeRequest(request, of: authentication.principal))
        } catch {
            response = self.response(to: Problem(translating: error), for: request.head)
        }
        return .ready(completed(response, request, requestIDs.id(of: request.head), .route(endpoint), since: start))
    }

    /// Returns the response of `handle`, or the response to the error that it throws.
    private func respond(
        to request: Request, _ label: Label, since start: ContinuousClock.Instant,
        by handle: (inout Label) async throws -> Response
    ) async -> Response {
        let id = requestIDs.id(of: request.head)
        var label = label
        let response: Response
        await refreshWebOrigins(for: request.head)
        do {
            response = try await handle(&label)
        } catch {
            response = await self.response(toFailure: error, of: request, id, label)
        }
        return completed(response, request, id, label, since: start)
    }

    /// Checks the credential that the route requires, and handles the request.
    ///
    /// - Parameter known: the principal of a device's token, if it is already known.
    private func handle(
        _ requestContext: RequestContext, _ route: Route, _ known: Authentication?
    ) async throws -> Response {
        switch route.access {
        case .ready(let respond): return respond(self)
        case .anyone(let handle):
            if route.isAdministrative { try checkOrigin(of: requestContext, route) }
            return try await handle(self, requestContext)
        case .role(let role, let handle):
            return try await answerAdministrator(requestContext, route, role, handle)
        case .token(let handle):
            var authentication = known
            if authentication == nil { authentication = try await authenticate(requestContext.request) }
            guard let authentication else { throw Problem.unauthorized }
            let lowQuotas = try admit(requestContext, route, authentication.principal)
            if let launch = try requestContext.head.newLaunch(of: authentication.principal) {
                try await begin(launch, route, authentication.principal)
            }
            do {
                return adding(lowQuotas, to: try await handle(self, requestContext, authentication))
            } catch {
                throw await naming(headFor: requestContext, authentication.principal, error)
            }
        }
    }

    @inline(never)
    private func adding(_ lowQuotas: [LowQuota], to response: Response) -> Response {
        var response = response
        response.fields.add(lowQuotas)
        return response
    }

    @inline(never)
    private func answerAdministrator(
        _ requestContext: RequestContext, _ route: Route, _ role: Role,
        _ handle: @Sendable (Server, RequestContext, AdminPrincipal) async throws -> Response
    ) async throws -> Response {
        try await handle(self, requestContext, try await admitted(requestContext, to: route, role))
    }

    /// Checks what a device may do. Returns the quotas that are more than half used.
    @inline(never)
    private func admit(
        _ requestContext: RequestContext, _ route: Route, _ principal: Principal
    ) throws -> [LowQuota] {
        guard principal.mayWrite || !route.writes else {
            throw Problem(.readOnly, "The request needs a token with full access.")
        }
        return try consumeRequest(requestContext.request, of: principal)
    }

    /// Records a launch of a device's app.
    @inline(never)
    private func begin(_ launch: CountedLaunch, _ route: Route, _ principal: Principal) async throws {
        do throws(ServiceError) { try await service.devices.begin(launch, for: principal) } catch {
            // Even if the store can't write, a read is answered.
            guard !route.writes, error.code != .installationCopied, error.code != .callerGone else { throw error }
        }
    }

    private func response(toFailure error: any Error, of request: Request, _ id: RequestID, _ label: Label) async
        -> Response
    {
        let problem = Problem(translating: error)
        let response = await written(problem, for: request.head)
        note(problem, request, id, label)
        return response
    }

    /// Logs a problem if it is a failure of the service.
    private func note(_ problem: Problem, _ request: Request, _ id: RequestID, _ label: Label) {
        let isFailure =
            problem.status.rawValue >= 500 && problem.document.code != ProblemCode.notImplemented.rawValue
        // The request's task is canceled when the peer disconnects. The resulting failure isn't logged.
        if isFailure, !Task.isCancelled { logFailure(problem, request, id, label) }
    }

    /// Adds the fields that every response has, and counts, times and logs the response.
    private func completed(
        _ response: Response, _ request: Request, _ id: RequestID, _ label: Label, since start: ContinuousClock.Instant
    ) -> Response {
        let response = finished(response, to: request.head, from: request.peer, id, label)
        let duration = ContinuousClock.now - start
        if case .route(let endpoint) = label, endpoint.route.isTimed, !isUnanswered(response) {
            counts.count(endpoint.row, after: duration)
        }
        if configuration.logsAccess { logAccess(response.status, request, id, label, after: duration) }
        return response
    }

    /// Returns the response to a problem. A problem with candidates is long, so it is encoded on the offload queue.
    private func written(_ problem: Problem, for head: RequestHead) async -> Response {
        guard let refused = problem.refused else { return response(to: problem, for: head) }
        do throws(ServiceError) {
            return try await service.offload(for: refused.owner) { response(to: problem, for: head) }.get()
        } catch {
            return response(to: Problem(translating: error), for: head)
        }
    }

    /// Adds the fields that every response has, and counts the response if the request has a route.
    private func finished(
        _ response: Response, to head: RequestHead?, from peer: String, _ id: RequestID, _ label: Label
    ) -> Response {
        var response = response
        response.addUsualFields(id, contentSecurityPolicy: label.contentSecurityPolicy)
        allowOrigin(of: head, in: &response)
        // Makes the browser use HTTPS for a year (RFC 6797). The field must not be sent over plain HTTP (section 7.2).
        if let head, isSecure(head, from: peer) { response.fields.add(.strictTransportSecurity, "max-age=31536000") }
        guard case .route(let endpoint) = label else { return response }
        if endpoint.route.isAdministrative { response.fields.add(.vary, "Cookie") }
        if !isUnanswered(response) { counts.count(endpoint.row, response.status) }
        return response
    }

    /// Returns whether a response will never be sent. When the peer disconnects, the task is canceled, and the response
    /// becomes a 503.
    private func isUnanswered(_ response: Response) -> Bool {
        Task.isCancelled && response.status == .serviceUnavailable
    }

    package func response(to refusal: Refusal, of head: RequestHead?, from peer: String) -> Response {
        var problem = Problem(refusal)
        guard let head else {
            return finished(
                response(to: problem, for: nil), to: nil, from: peer, .made(requestIDs.next()), .none)
        }
        let endpoint = router.match(head.bytes, path: head.path)
            .flatMap { router.resources[$0.resource].endpoint(for: head.method) }
        if refusal.status == .contentTooLarge { problem = (endpoint?.route.body ?? .ofShortBody).problem }
        return finished(
            response(to: problem, for: head), to: head, from: peer, requestIDs.id(of: head),
            endpoint.map(Label.route) ?? .none)
    }

    /// How counters and logs identify a request.
    enum Label {
        case none
        case asset(contentSecurityPolicy: StaticString)
        case route(Router.Endpoint)

        var contentSecurityPolicy: StaticString {
            if case .asset(let policy) = self { policy } else { Response.apiPolicy }
        }

        var text: String {
            switch self {
            case .none: "none"
            case .asset: "asset"
            case .route(let endpoint): endpoint.route.template
            }
        }
    }

    /// Answers a request without a route: serves an asset, lists the methods of a resource, or throws a problem.
    ///
    /// - Parameter match: the resource at the path, which doesn't support the request's method. Nil if there is none.
    private func unrouted(_ head: RequestHead, _ match: PathMatch?, _ label: inout Label) throws(Problem) -> Response {
        guard head.method != .other else {
            throw Problem(.notImplemented, "The service does not implement this method.")
        }
        // A browser sends a request only after its preflight got a 2xx, so every path and method has one. The page can
        // then read that there is no such path.
        if let preflight = preflight(head) { return preflight }
        let path = head.bytes[head.path]
        var allow = "GET, HEAD, OPTIONS"
        if let match {
            allow = router.resources[match.resource].allow
        } else if head.method == .options, path.elementsEqual([0x2A]) {
            allow = Self.allMethods
        } else if let folder = assets.folder(at: path), [.get, .head].contains(head.method) {
            label = .asset(contentSecurityPolicy: Assets.Asset.policy)
            var response = Response(.permanentRedirect)
            response.fields.add(.location, folder)
            return response
        } else {
            guard let asset = assets[path] else { throw .notFound }
            label = .asset(contentSecurityPolicy: asset.contentSecurityPolicy)
            if [.get, .head].contains(head.method) { return asset.response(for: head, isPage: true) }
        }
        guard head.method == .options else { throw methodNotAllowed(allow) }
        var response = Response(.noContent)
        response.fields.add(.allow, allow)
        return response
    }

    static let allMethods = "GET, HEAD, PUT, POST, PATCH, DELETE, OPTIONS"

    private func methodNotAllowed(_ allow: String) -> Problem {
        var problem = Problem(.methodNotAllowed, "The path supports only \(allow).")
        problem.fields.add(.allow, allow)
        return problem
    }

    /// Converts an error to a problem, and adds the scene's head: every response about a scene includes the head.
    @inline(never)
    private func naming(
        headFor requestContext: RequestContext, _ principal: Principal, _ error: any Error
    ) async -> any Error {
        var problem = Problem(translating: error)
        guard problem.head == nil, problem.status.rawValue < 500, requestContext.isAboutScene,
            let scene = try? requestContext.scene()
        else { return problem }
        // If the head can't be read, respond with the original problem.
        problem.head = try? await service.archives.head(of: scene, principal: principal)?.revision
        return problem
    }
}
