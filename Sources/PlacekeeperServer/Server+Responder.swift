import PlacekeeperAPI
import PlacekeeperCore
package import PlacekeeperHTTP
import PlacekeeperService

extension Server: Responder {
    /// What the server knows about a request since its head arrived.
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
        // A request without a well-formed credential is refused before its body takes memory. The credential is looked up
        // after the body is received.
        let problem: Problem? =
            switch endpoint.route.access {
            case .ready, .anyone: nil
            case .token: head.bearerToken.map(Devices.couldAuthenticate) == true ? nil : .unauthorized
            case .role: couldAdminister(head, from: peer) ? nil : .notLoggedIn
            }
        if let problem {
            let response = response(to: problem, for: head)
            return .refuse(finished(response, requestID(of: head), .route(endpoint), isSecure(head, from: peer)))
        }
        // The interaction age is subtracted from the time when the header section arrived, so a slow upload does not
        // make the interaction look newer.
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
            return .ready(completed(respond(self), request, requestID(of: head), .route(endpoint), since: start))
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
        // A shared store is asked whether the caller and the answer in memory are current.
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

    /// Answers from memory if it has the response.
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
        return .ready(completed(response, request, requestID(of: request.head), .route(endpoint), since: start))
    }

    /// Returns the response that `handle` makes, or the response to its error.
    private func respond(
        to request: Request, _ label: Label, since start: ContinuousClock.Instant,
        by handle: (inout Label) async throws -> Response
    ) async -> Response {
        let id = requestID(of: request.head)
        var label = label
        let response: Response
        do {
            response = try await handle(&label)
        } catch {
            response = await self.response(toFailure: error, of: request, id, label)
        }
        return completed(response, request, id, label, since: start)
    }

    /// Checks the credential that a route requires, and handles the request.
    ///
    /// - Parameter known: the caller of a device's token, if it is known already.
    private func handle(
        _ requestContext: RequestContext, _ route: Route, _ known: Authentication?
    ) async throws -> Response {
        switch route.access {
        case .ready(let respond): return respond(self)
        case .anyone(let handle):
            if route.isAdministrative { try checkOrigin(of: requestContext, route) }
            return try await handle(self, requestContext)
        case .role(let role, let handle):
            return try await handle(self, requestContext, try await admitted(requestContext, to: route, role))
        case .token(let handle):
            var authentication = known
            if authentication == nil { authentication = try await authenticate(requestContext.request) }
            guard let authentication else { throw Problem.unauthorized }
            let lowQuotas = try await begin(requestContext, route, authentication.principal)
            do {
                var response = try await handle(self, requestContext, authentication)
                response.fields.add(lowQuotas)
                return response
            } catch {
                throw await naming(headFor: requestContext, authentication.principal, Problem(translating: error))
            }
        }
    }

    /// Checks what a device may do, and notes its launch. Returns the quotas of which less than half is left.
    private func begin(
        _ requestContext: RequestContext, _ route: Route, _ principal: Principal
    ) async throws -> [LowQuota] {
        guard principal.mayWrite || !route.writes else {
            throw Problem(.readOnly, "The request needs a token with full access.")
        }
        let lowQuotas = try consumeRequest(requestContext.request, of: principal)
        if let launch = try requestContext.head.newLaunch(of: principal) {
            do throws(ServiceError) { try await service.devices.begin(launch, for: principal) } catch {
                // A store that cannot write keeps no read from its answer.
                guard !route.writes, error.code != .installationCopied, error.code != .callerGone else { throw error }
            }
        }
        return lowQuotas
    }

    private func response(toFailure error: any Error, of request: Request, _ id: RequestID, _ label: Label) async
        -> Response
    {
        let problem = Problem(translating: error)
        let response = await written(problem, for: request.head)
        note(problem, request, id, label)
        return response
    }

    /// Logs a problem that is a failure of the service.
    private func note(_ problem: Problem, _ request: Request, _ id: RequestID, _ label: Label) {
        let isFailure =
            problem.status.rawValue >= 500 && problem.document.code != ProblemCode.notImplemented.rawValue
        // The task of a request is canceled when the peer is gone. The failure that follows is not logged.
        if isFailure, !Task.isCancelled { logFailure(problem, request, id, label) }
    }

    /// Adds the fields that every response has. Counts, times and logs the response.
    private func completed(
        _ response: Response, _ request: Request, _ id: RequestID, _ label: Label, since start: ContinuousClock.Instant
    ) -> Response {
        let response = finished(response, id, label, isSecure(request.head, from: request.peer))
        let duration = ContinuousClock.now - start
        if case .route(let endpoint) = label, endpoint.route.isTimed, !isUnanswered(response) {
            counts.count(endpoint.row, after: duration)
        }
        if configuration.logsAccess { logAccess(response.status, request, id, label, after: duration) }
        return response
    }

    /// Returns the response to a problem. A document with candidates is long, so it is encoded on the offload queue.
    private func written(_ problem: Problem, for head: RequestHead) async -> Response {
        guard let refused = problem.refused else { return response(to: problem, for: head) }
        do throws(ServiceError) {
            return try await service.offload(for: refused.owner) { response(to: problem, for: head) }.get()
        } catch {
            return response(to: Problem(translating: error), for: head)
        }
    }

    /// Adds the fields that every response has, and counts the response if the request has a route.
    private func finished(_ response: Response, _ id: RequestID, _ label: Label, _ isSecure: Bool) -> Response {
        var response = response
        id.add(to: &response.fields)
        response.fields.add(.contentTypeOptions, "nosniff")
        response.fields.add(.contentSecurityPolicy, label.contentSecurityPolicy)
        // The browser uses HTTPS for a year (RFC 6797). The field must not be sent over plain HTTP (section 7.2).
        if isSecure { response.fields.add(.strictTransportSecurity, "max-age=31536000") }
        guard case .route(let endpoint) = label else { return response }
        if endpoint.route.isAdministrative { response.fields.add(.vary, "Cookie") }
        if !isUnanswered(response) { counts.count(endpoint.row, response.status) }
        return response
    }

    /// Returns whether a response is not sent. The task is canceled when the peer is gone, and a response 503 follows.
    private func isUnanswered(_ response: Response) -> Bool {
        Task.isCancelled && response.status == .serviceUnavailable
    }

    package func response(to refusal: Refusal, of head: RequestHead?, from peer: String) -> Response {
        var problem = Problem(refusal)
        guard let head else {
            return finished(response(to: problem, for: nil), .made(requestIDs.next()), .none, false)
        }
        let endpoint = router.match(head.bytes, path: head.path)
            .flatMap { router.resources[$0.resource].endpoint(for: head.method) }
        if refusal.status == .contentTooLarge { problem = (endpoint?.route.body ?? .ofShortBody).problem }
        return finished(
            response(to: problem, for: head), requestID(of: head), endpoint.map(Label.route) ?? .none,
            isSecure(head, from: peer))
    }

    /// The name of a request in counters and logs.
    enum Label {
        case none, asset
        case route(Router.Endpoint)

        /// A response of the API is no page: a browser that shows it loads nothing, and shows it in no frame.
        var contentSecurityPolicy: StaticString {
            if case .asset = self { Assets.Asset.policy } else { "default-src 'none'; frame-ancestors 'none'" }
        }

        var text: String {
            switch self {
            case .none: "none"
            case .asset: "asset"
            case .route(let endpoint): endpoint.route.template
            }
        }
    }

    private func requestID(of head: RequestHead) -> RequestID {
        if let given = head[.requestID], RequestID.isSound(given) { return .given(given) }
        return .made(requestIDs.next())
    }

    /// Answers a request without a route: for an asset, for the methods of a resource, or with the reason.
    ///
    /// - Parameter match: the resource of the path, which lacks the request's method. Nil if there is no such path.
    private func unrouted(_ head: RequestHead, _ match: PathMatch?, _ label: inout Label) throws(Problem) -> Response {
        guard head.method != .other else {
            throw Problem(.notImplemented, "The service does not implement this method.")
        }
        let path = head.bytes[head.path]
        var allow = "GET, HEAD, OPTIONS"
        if let match {
            allow = router.resources[match.resource].allow
        } else if head.method == .options, path.elementsEqual([0x2A]) {
            allow = "GET, HEAD, PUT, POST, PATCH, DELETE, OPTIONS"
        } else if let folder = assets.folder(at: path), [.get, .head].contains(head.method) {
            label = .asset
            var response = Response(.permanentRedirect)
            response.fields.add(.location, folder)
            return response
        } else {
            guard let asset = assets[path] else { throw .notFound }
            label = .asset
            if [.get, .head].contains(head.method) { return asset.response(for: head, isPage: true) }
        }
        guard head.method == .options else { throw methodNotAllowed(allow) }
        return options(allow)
    }

    private func options(_ allow: String) -> Response {
        var response = Response(.noContent)
        response.fields.add(.allow, allow)
        return response
    }

    private func methodNotAllowed(_ allow: String) -> Problem {
        var problem = Problem(.methodNotAllowed, "The path supports only \(allow).")
        problem.fields.add(.allow, allow)
        return problem
    }

    /// Adds the scene's head to a problem, because every response about a scene names the scene's head.
    private func naming(
        headFor requestContext: RequestContext, _ principal: Principal, _ problem: Problem
    ) async -> Problem {
        guard problem.head == nil, problem.status.rawValue < 500, requestContext.isAboutScene,
            let scene = try? requestContext.scene()
        else { return problem }
        var problem = problem
        // If the head cannot be read, the response is still the original problem.
        problem.head = try? await service.archives.head(of: scene, principal: principal)?.revision
        return problem
    }
}
