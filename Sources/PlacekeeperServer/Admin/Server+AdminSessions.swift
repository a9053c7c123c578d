import PlacekeeperHTTP
import PlacekeeperAPI
import PlacekeeperService

extension Server {
    /// `GET /admin/api/status`
    func readAdminStatus(_ requestContext: RequestContext) async throws -> Response {
        let status: JSONTree = [
            "needsSetUp": .truth(try await service.administration.needsSetUp()),
            "version": .text(configuration.version),
        ]
        return json(status.bytes, for: requestContext)
    }

    /// `POST /admin/api/set-up`
    func setUp(_ requestContext: RequestContext) async throws -> Response {
        let body = try requestContext.members(self)
        let session = try await service.administration.setUp(
            secret: try body.text("secret"), name: try body.text("name"), password: try body.text("password"),
            network: client(of: requestContext.request).network)
        return try await started(session, for: requestContext)
    }

    /// `POST /admin/api/session`
    func logIn(_ requestContext: RequestContext) async throws -> Response {
        let body = try requestContext.members(self)
        let session = try await service.administration.logIn(
            name: try body.text("name"), password: try body.text("password"), code: try body.optionalText("code"),
            from: source(of: requestContext))
        return try await started(session, for: requestContext)
    }

    /// `POST /admin/api/invitation`
    func acceptInvitation(_ requestContext: RequestContext) async throws -> Response {
        let body = try requestContext.members(self)
        let session = try await service.administration.acceptInvitation(
            try body.text("invitation"), password: try body.text("password"), code: try body.optionalText("code"),
            from: source(of: requestContext))
        return try await started(session, for: requestContext)
    }

    /// Returns the response that starts a new session in place of the browser's current one.
    private func started(_ started: StartedSession, for requestContext: RequestContext) async throws -> Response {
        let request = requestContext.request
        if let earlier = sessionSecret(of: request.head, from: request.peer) {
            try await service.administration.endSession(earlier)
        }
        guard case .session(let session) = started.principal.credential else { throw Problem.notLoggedIn }
        var response = json(
            document(started.principal, session, Array(started.secret.utf8)[...]).bytes, .created, for: requestContext)
        response.fields.add(.location, "/admin/api/session")
        setCookie(started.secret, for: request, &response)
        return response
    }

    /// `GET /admin/api/session`
    func readSession(_ requestContext: RequestContext, _ principal: AdminPrincipal) throws -> Response {
        guard case .session(let session) = principal.credential,
            let secret = sessionSecret(of: requestContext.head, from: requestContext.request.peer)
        else { throw Problem.notLoggedIn }
        return json(document(principal, session, secret).bytes, for: requestContext)
    }

    private func document(
        _ principal: AdminPrincipal, _ session: AdminSession, _ secret: ArraySlice<UInt8>
    ) -> JSONTree {
        [
            "administrator": [
                "id": .id(session.administrator), "name": .text(principal.name), "role": .text(principal.role.rawValue),
                "hasSecondFactor": .truth(principal.hasSecondFactor),
            ],
            "roles": .encoded(Route.roles), "csrfToken": .text(service.administration.csrfToken(ofSession: secret)),
            "idleExpiresAt": .time(session.idleExpiresAt), "expiresAt": .time(session.expiresAt),
        ]
    }

    /// `DELETE /admin/api/session`
    func logOut(_ requestContext: RequestContext, _ principal: AdminPrincipal) async throws -> Response {
        try await service.administration.logOut(principal)
        var response = Response(.noContent)
        setCookie(nil, for: requestContext.request, &response)
        return response
    }

    /// `PUT /admin/api/session/password`
    func changePassword(_ requestContext: RequestContext, _ principal: AdminPrincipal) async throws -> Response {
        let body = try requestContext.members(self)
        try await service.administration.changePassword(
            of: principal, from: try body.text("password"), to: try body.text("newPassword"),
            source: source(of: requestContext))
        return Response(.noContent)
    }

    /// `PUT /admin/api/session/second-factor`
    func addSecondFactor(_ requestContext: RequestContext, _ principal: AdminPrincipal) async throws -> Response {
        let body = try requestContext.members(self)
        let codes = try await service.administration.addSecondFactor(
            secret: try body.text("secret"), code: try body.text("code"), to: principal,
            password: try body.text("password"), source: source(of: requestContext))
        let document: JSONTree = ["recoveryCodes": .list(codes.map(JSONTree.text))]
        return json(document.bytes, for: requestContext)
    }

    /// `POST /admin/api/session/second-factor/removal`
    func removeSecondFactor(_ requestContext: RequestContext, _ principal: AdminPrincipal) async throws -> Response {
        let body = try requestContext.members(self)
        try await service.administration.removeSecondFactor(
            of: principal, password: try body.text("password"), code: try body.text("code"),
            source: source(of: requestContext))
        return Response(.noContent)
    }

    /// `GET /admin/api/sessions`
    func listSessions(_ requestContext: RequestContext, _ principal: AdminPrincipal) async throws -> Response {
        let items = try await service.administration.sessions(for: principal).map { session, name -> JSONTree in
            [
                "id": .id(session.publicID), "administrator": .id(session.administrator), "name": .text(name),
                "createdAt": .time(session.createdAt), "lastUsedAt": .time(session.lastUsedAt),
                "isCurrent": .truth(principal.credential == .session(session)),
            ]
        }
        return json(JSONTree(page: items, next: nil).bytes, for: requestContext)
    }

    /// `DELETE /admin/api/sessions/{session}`
    func endSession(_ requestContext: RequestContext, _ principal: AdminPrincipal) async throws -> Response {
        guard let id: AdminSessionID = requestContext.id(\.parameters.0) else {
            throw Problem(.sessionNotFound, "There is no such session.")
        }
        try await service.administration.endSession(id, by: principal)
        return Response(.noContent)
    }

    private func source(of requestContext: RequestContext) -> LogInSource {
        let client = client(of: requestContext.request)
        return LogInSource(network: client.network, isExempt: client.isExempt)
    }

    /// Sets the session cookie, which the browser keeps until it closes. Deletes the cookie if there is no secret.
    private func setCookie(_ secret: String?, for request: Request, _ response: inout Response) {
        let isSecure = isSecure(request.head, from: request.peer)
        var cookie = sessionCookie(isSecure: isSecure) + "=" + (secret ?? "")
        cookie += "; Path=/; HttpOnly; SameSite=Strict"
        if isSecure { cookie += "; Secure" }
        if secret == nil { cookie += "; Max-Age=0" }
        response.fields.add(.setCookie, cookie)
    }
}
