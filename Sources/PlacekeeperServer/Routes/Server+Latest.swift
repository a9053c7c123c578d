import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService

extension Server {
    /// `GET /v1/scenes/{scene}/archives/latest`
    ///
    /// - Parameter authentication: the principal, and the user's version when the request arrived.
    func readLatest(_ requestContext: RequestContext, _ authentication: Authentication) async throws -> Response {
        let (principal, version) = (authentication.principal, authentication.userVersion.version)
        // The cache holds only archives, so a request for JSON neither uses nor fills it.
        let form = requestContext.head.archiveForm
        if form == .archive, let answer = cachedLatest(requestContext.head, principal, at: version) { return answer }
        let scene = try requestContext.scene()
        var context = try requestContext.context(of: principal)
        context.takesPlacesOnly = form == .place
        let selection = try await service.restores.latest(
            in: scene, of: try requestContext.device(of: principal), for: context, principal: principal,
            launch: try requestContext.launch(), from: knownNetwork(of: requestContext.request),
            isServing: requestContext.takesContent,
            isHeld: requestContext.holds)
        switch selection {
        case .served(let served, let bytes) where form != .archive:
            return try await place(of: served, bytes, as: form, for: requestContext, principal)
        case .served(let served, let bytes):
            let tag = served.version.entityTag
            let response = whole(served, bytes, tag, principal)
            remember(
                served, whole: response, unchanged: unchanged(served, tag, principal), tag, requestContext, principal,
                version)
            return response
        case .notModified(let served):
            let tag = served.version.entityTag
            let response = unchanged(served, tag, principal)
            remember(served, whole: nil, unchanged: response, tag, requestContext, principal, version)
            return response
        case .nothingStored, .incompatible: return try response(with: selection, to: context, principal)
        }
    }

    /// Returns whether the cache may have the response to a request for the latest archive.
    func mayKnowLatest(_ head: RequestHead, _ principal: Principal) -> Bool {
        head.archiveForm == .archive && latestAnswers.hasAnswer(to: head, of: principal)
    }

    /// Returns the cached response to a request for the latest archive. Nil if there is none, or if the request asks
    /// for JSON.
    func knownLatest(_ head: RequestHead, _ authentication: Authentication) -> Response? {
        guard head.archiveForm == .archive else { return nil }
        // Return nil for a malformed field or a new launch: the handler rejects the field, or records the launch.
        do throws(Problem) { guard try head.newLaunch(of: authentication.principal) == nil else { return nil } } catch {
            return nil
        }
        return cachedLatest(head, authentication.principal, at: authentication.userVersion.version)
    }

    private func cachedLatest(_ head: RequestHead, _ principal: Principal, at version: Int64) -> Response? {
        // Return nil for a malformed field, so that the handler rejects it.
        do throws(Problem) { _ = try head.launch() } catch { return nil }
        return latestAnswers.answer(to: head, of: principal, at: version, service.clock.now())
    }

    private func remember(
        _ served: Selection.Served, whole: Response?, unchanged: Response, _ tag: String,
        _ requestContext: RequestContext, _ principal: Principal, _ version: Int64
    ) {
        guard let expiry = served.expiry else { return }
        let answer = LatestCache.Answer(
            to: requestContext.head, of: principal, at: version, until: expiry, entityTag: tag, unchanged: unchanged,
            whole: whole)
        latestAnswers.insert(answer, for: requestContext.head)
    }

    /// `GET /v1/scenes/{scene}/archives/latest/explanation`
    func explainLatest(_ requestContext: RequestContext, _ principal: Principal) async throws -> Response {
        let explanation = try await service.restores.explainLatest(
            in: try requestContext.scene(), of: try requestContext.device(of: principal),
            for: try requestContext.context(of: principal),
            principal: principal, launch: try requestContext.launch())
        // The explanation may be long, so it is encoded on the offload queue.
        return try await service.offload(for: principal.owner) { () async throws in
            try json(Wire.Explanation(explanation), for: requestContext, head: explanation.head)
        }.get()
    }

    /// `GET /v1/scenes/{scene}/archives/{archive}/restorable`
    func readRestorable(_ requestContext: RequestContext, _ principal: Principal) async throws -> Response {
        let form = requestContext.head.archiveForm
        var context = try requestContext.context(of: principal)
        context.takesPlacesOnly = form == .place
        let selection = try await service.restores.restorable(
            try requestContext.storedArchive(), in: try requestContext.scene(), for: context, principal: principal,
            launch: try requestContext.launch(), from: knownNetwork(of: requestContext.request),
            isServing: requestContext.takesContent,
            isHeld: requestContext.holds)
        if form != .archive, case .served(let served, let bytes) = selection {
            return try await place(of: served, bytes, as: form, for: requestContext, principal)
        }
        return try response(with: selection, to: context, principal)
    }

    private func response(
        with selection: Selection, to asked: Context, _ principal: Principal
    ) throws(Problem) -> Response {
        switch selection {
        case .served(let served, let bytes): return whole(served, bytes, served.version.entityTag, principal)
        case .notModified(let served): return unchanged(served, served.version.entityTag, principal)
        case .nothingStored: throw Problem(.nothingStored, "The scene has no archives.")
        case .incompatible(let candidates, let omitted, let head):
            let refused = Problem.Refused(owner: principal.owner, candidates: candidates, omitted: omitted)
            throw Problem(refused, asked: asked, head: head)
        }
    }

    private func unchanged(_ served: Selection.Served, _ tag: String, _ principal: Principal) -> Response {
        var response = Response(.notModified, fields: Self.servedFields)
        response.fields.add(.etag, tag)
        response.fields.add(.headRevision, served.head.rawValue)
        response.fields.addLimits(of: served)
        response.fields.add(principal.app.settings.restoration)
        return response
    }

    private func whole(_ served: Selection.Served, _ bytes: [UInt8], _ tag: String, _ principal: Principal) -> Response
    {
        var response = Response(.ok, fields: Self.servedFields, body: .bytes(bytes))
        response.fields.add(.contentType, "application/x-plist")
        response.fields.add(.etag, tag)
        response.fields.add(.headRevision, served.head.rawValue)
        response.fields.addFacts(of: served, for: principal.app)
        return response
    }

    /// The common fields of responses with an archive that a device may restore.
    private static let servedFields: ResponseFields = {
        var fields = ResponseFields()
        fields.add(.cacheControl, "private, no-cache")
        fields.add(.vary, "Authorization, Accept")
        return fields
    }()
}

extension RequestContext {
    /// Whether the requesting device gets the content. HEAD is a safe method, so it doesn't count as serving the
    /// archive (RFC 9110 section 9.3.2).
    fileprivate var takesContent: Bool { head.method != .head }
}
