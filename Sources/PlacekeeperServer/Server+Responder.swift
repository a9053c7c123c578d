import PlacekeeperAPI
import PlacekeeperCore
package import PlacekeeperHTTP
import PlacekeeperService

extension Server: Responder {
    package func admit(_ head: RequestHead, from peer: String) -> Admission {
        guard let match = router.match(head.bytes, path: head.path),
            let endpoint = router.resources[match.resource].endpoint(for: head.method)
        else { return .accept(bodyLimit: BodyLimit.short) }
        // A request without a well-formed token is refused before its body takes memory. The token is looked up after
        // the body is received.
        if endpoint.needsToken, !(head.bearerToken.map(Devices.couldAuthenticate) ?? false) {
            let response = response(to: .unauthorized, for: head)
            return .refuse(finished(response, requestID(of: head), .route(endpoint), isSecure(head, from: peer)))
        }
        if endpoint.isAdministrative, endpoint.route.leastRole != nil, !couldAdminister(head, from: peer) {
            let response = response(to: .notLoggedIn, for: head)
            return .refuse(finished(response, requestID(of: head), .route(endpoint), isSecure(head, from: peer)))
        }
        // The interaction age is subtracted from the time when the header section arrived, so a slow upload does not
        // make the interaction look newer.
        let uptime = endpoint.route == .storeArchive ? service.clock.uptime() : nil
        return .accept(
            bodyLimit: bodyLimit(of: endpoint.route, head).bytes, note: AdmissionNote(uptime: uptime, match: match))
    }

    /// Responds to `/hello` of a benchmark, and to a request for the latest archive whose caller and answer are cached.
    package func respondAtOnce(to request: Request) -> Response? {
        let head = request.head
        guard head.method == .get else { return nil }
        let start = ContinuousClock.now
        guard let match = request.note?.match ?? router.match(head.bytes, path: head.path) else {
            guard isHello(head) else { return nil }
            return completed(text("hello"), request, requestID(of: head), .none, since: start)
        }
        guard let endpoint = router.resources[match.resource].get, endpoint.route == .readLatest,
            let token = head.bearerToken, let authentication = service.devices.knownAuthentication(of: token)
        else { return nil }
        return latest(request, endpoint, authentication, since: start)
    }

    package var respondsLater: Bool { service.upkeep.isShared }

    /// Responds to a request for the latest archive whose caller and answer are cached, when the shared store has told
    /// whether they are current.
    package func respondLater(
        to request: Request, _ receive: @escaping @Sendable (@escaping LateResponse) -> Void
    ) -> Bool {
        let head = request.head
        let start = ContinuousClock.now
        guard head.method == .get, let match = request.note?.match ?? router.match(head.bytes, path: head.path),
            let endpoint = router.resources[match.resource].get, endpoint.route == .readLatest, !head.asksForPlace,
            let token = head.bearerToken, let cached = service.devices.cachedCaller(of: token),
            latestAnswers.hasAnswer(to: head, of: cached.caller)
        else { return false }
        service.devices.askAuthentication(of: cached) { [self] result in
            receive {
                switch result {
                case .success(let authentication):
                    if let authentication, let response = self.latest(request, endpoint, authentication, since: start) {
                        return .response(response)
                    }
                    return .handler { await self.respond(to: request, authenticated: authentication, since: start) }
                case .failure(let error):
                    let (problem, id) = (Problem(translating: error), self.requestID(of: head))
                    self.note(problem, request, id, .route(endpoint))
                    let response = self.response(to: problem, for: head)
                    return .response(self.completed(response, request, id, .route(endpoint), since: start))
                }
            }
        }
        return true
    }

    /// Returns the cached response to a request for the latest archive. Nil if the cache has none.
    private func latest(
        _ request: Request, _ endpoint: Router.Endpoint, _ authentication: Authentication,
        since start: ContinuousClock.Instant
    ) -> Response? {
        let head = request.head
        guard let answer = knownLatest(head, authentication) else { return nil }
        var response = answer
        do {
            response.fields.add(try spendRequest(request, of: authentication.caller))
        } catch {
            response = self.response(to: Problem(translating: error), for: head)
        }
        return completed(response, request, requestID(of: head), .route(endpoint), since: start)
    }

    package func respond(to request: Request) async -> Response {
        await respond(to: request, authenticated: nil, since: .now)
    }

    /// - Parameter authentication: the caller and its versions, if the store told them after the request arrived.
    private func respond(
        to request: Request, authenticated authentication: Authentication?, since start: ContinuousClock.Instant
    ) async -> Response {
        let id = requestID(of: request.head)
        var label = Label.none
        let response: Response
        do {
            response = try await answer(request, authenticated: authentication, &label)
        } catch {
            response = await self.response(toFailure: error, of: request, id, label)
        }
        return completed(response, request, id, label, since: start)
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
        if case .route(let endpoint) = label, endpoint.isTimed, !isUnanswered(response) {
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
        if endpoint.isAdministrative { response.fields.add(.vary, "Cookie") }
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
        if refusal.status == .contentTooLarge { problem = bodyLimit(of: endpoint?.route, head).problem }
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

    private func bodyLimit(of route: Route?, _ head: RequestHead) -> BodyLimit {
        switch route {
        case .storeArchive: BodyLimit(bytes: Limits.archive, code: .archiveTooLarge)
        case .storeSnapshot: BodyLimit(bytes: Limits.snapshot, code: .snapshotTooLarge)
        case .changeItems, .resolveIdentifiers: BodyLimit(bytes: Limits.itemsBody)
        // Every other body, read or ignored.
        default: .ofShortBody
        }
    }

    private func requestID(of head: RequestHead) -> RequestID {
        if let given = head[.requestID], RequestID.isSound(given) { return .given(given) }
        return .made(requestIDs.next())
    }

    /// A routed request, or the response to a request without a route.
    private enum Routed {
        case response(Response)
        case handler(RequestContext, Router.Endpoint)
    }

    private func answer(
        _ request: Request, authenticated known: Authentication?, _ label: inout Label
    ) async throws -> Response {
        switch try routed(request, &label) {
        case .response(let response): return response
        case .handler(let requestContext, let endpoint):
            if endpoint.isAdministrative { return try await answer(requestContext, admin: endpoint.route) }
            guard endpoint.needsToken else { return try await answer(requestContext, open: endpoint.route) }
            if let known { return try await answer(requestContext, from: known, endpoint) }
            guard let authentication = try await authenticate(requestContext.request) else {
                throw Problem.unauthorized
            }
            return try await answer(requestContext, from: authentication, endpoint)
        }
    }

    private func routed(_ request: Request, _ label: inout Label) throws -> Routed {
        let head = request.head
        guard head.method != .other else {
            throw Problem(.notImplemented, "The service does not implement this method.")
        }
        guard let match = request.note?.match ?? router.match(head.bytes, path: head.path) else {
            return .response(try unrouted(head, &label))
        }
        let resource = router.resources[match.resource]
        guard let endpoint = resource.endpoint(for: head.method) else {
            if head.method == .options { return .response(options(resource.allow)) }
            throw methodNotAllowed(resource.allow)
        }
        label = .route(endpoint)
        let limit = bodyLimit(of: endpoint.route, head)
        return .handler(RequestContext(request: request, match: match, bodyLimit: limit), endpoint)
    }

    /// Answers a request with a valid token.
    private func answer(
        _ requestContext: RequestContext, from authentication: Authentication, _ endpoint: Router.Endpoint
    ) async throws -> Response {
        let caller = authentication.caller
        guard caller.mayWrite || !endpoint.writes else {
            throw Problem(.readOnly, "The request needs a token with full access.")
        }
        let lowQuotas = try spendRequest(requestContext.request, of: caller)
        if let launch = try requestContext.head.newLaunch(of: caller) {
            do throws(ServiceError) { try await service.devices.begin(launch, for: caller) } catch {
                // A store that cannot write keeps no read from its answer.
                guard !endpoint.writes, error.code != .installationCopied, error.code != .callerGone else {
                    throw error
                }
            }
        }
        do {
            var response = try await answer(requestContext, from: authentication, endpoint.route)
            response.fields.add(lowQuotas)
            return response
        } catch {
            throw await naming(headFor: requestContext, caller, Problem(translating: error), endpoint.route)
        }
    }

    private func answer(_ requestContext: RequestContext, open route: Route) async throws -> Response {
        switch route {
        case .registerDevice: try await registerDevice(requestContext)
        case .readLimits: try await readLimits(requestContext)
        case .readLiveness: text("ok\n")
        case .readReadiness: try await readReadiness()
        case .readMetrics: try readMetrics()
        case .readVersion: try readVersion(requestContext)
        default: try readDescription(requestContext)
        }
    }

    private func answer(
        _ requestContext: RequestContext, from authentication: Authentication, _ route: Route
    ) async throws -> Response {
        let caller = authentication.caller
        return switch route {
        case .readLatest: try await readLatest(requestContext, caller, at: authentication.freshness.version)
        case .storeArchive: try await storeArchive(requestContext, caller)
        case .readArchive: try await readArchive(requestContext, caller)
        case .deleteArchive: try await deleteArchive(requestContext, caller)
        case .listArchives: try await listArchives(requestContext, caller)
        case .forgetScene: try await forgetScene(requestContext, caller)
        case .explainLatest: try await explainLatest(requestContext, caller)
        case .readRestorable: try await readRestorable(requestContext, caller)
        case .reportOutcome: try await reportOutcome(requestContext, caller)
        case .makeHead: try await makeHead(requestContext, caller)
        case .storeSnapshot: try await storeSnapshot(requestContext, caller)
        case .readSnapshot: try await readSnapshot(requestContext, caller)
        case .listDevices: try await listDevices(requestContext, caller)
        case .readOwnDevice: try readOwnDevice(requestContext, caller)
        case .describeOwnDevice: try await describeOwnDevice(requestContext, caller)
        case .signIn: try await signIn(requestContext, caller)
        case .signOut: try await signOut(requestContext, caller)
        case .replaceToken: try await replaceToken(requestContext, caller)
        case .revokeOwnDevice: try await revoke(caller.device.id, caller)
        case .linkOwnDevice: try await linkOwnDevice(requestContext, caller)
        case .revokeDevice: try await revokeDevice(requestContext, caller)
        case .createLinkCode: try await createLinkCode(requestContext, caller)
        case .eraseUser: try await eraseUser(caller)
        case .exportUser: try await exportUser(requestContext, caller)
        case .listDataSources: try listDataSources(requestContext, caller)
        case .declareDataSource: try await declareDataSource(requestContext, caller)
        case .readDataSource: try await readDataSource(requestContext, caller)
        case .changeItems: try await changeItems(requestContext, caller)
        case .listItems: try await listItems(requestContext, caller)
        case .resolveIdentifiers: try await resolveIdentifiers(requestContext, caller)
        case .listPlaces: try await listPlaces(requestContext, caller)
        case .readManifest: try await readManifest(requestContext, caller)
        case .listChanges: try await listChanges(requestContext, caller)
        case .streamEvents: try streamEvents(requestContext, caller)
        default: throw Problem.notFound
        }
    }

    /// Answers a path that matches no template with an asset or with `not-found`.
    private func unrouted(_ head: RequestHead, _ label: inout Label) throws(Problem) -> Response {
        let path = head.bytes[head.path]
        if head.method == .options, path.elementsEqual([0x2A]) {
            return options("GET, HEAD, PUT, POST, PATCH, DELETE, OPTIONS")
        }
        if let folder = assets.folder(at: path), [.get, .head].contains(head.method) {
            label = .asset
            var response = Response(.permanentRedirect)
            response.fields.add(.location, folder)
            return response
        }
        let isHello = isHello(head)
        guard isHello || assets[path] != nil else { throw .notFound }
        label = isHello ? .none : .asset
        let allow = "GET, HEAD, OPTIONS"
        switch head.method {
        case .get, .head: break
        case .options: return options(allow)
        default: throw methodNotAllowed(allow)
        }
        guard !isHello, let asset = assets[path] else { return text("hello") }
        return asset.response(for: head, isPage: true)
    }

    /// Whether a request asks for the text that only a benchmark requests.
    private func isHello(_ head: RequestHead) -> Bool {
        configuration.answersHello && head.bytes[head.path].elementsEqual("/hello".utf8)
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
    private func naming(headFor requestContext: RequestContext, _ caller: Caller, _ problem: Problem, _ route: Route)
        async
        -> Problem
    {
        guard problem.head == nil, problem.status.rawValue < 500, requestContext.isAboutScene,
            let scene = try? requestContext.scene()
        else { return problem }
        var problem = problem
        // If the head cannot be read, the response is still the original problem.
        problem.head = try? await service.archives.head(of: scene, caller: caller)?.revision
        return problem
    }
}
