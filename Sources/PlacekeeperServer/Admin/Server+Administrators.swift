import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService

extension Server {
    /// `GET /admin/api/administrators`
    func listAdministrators(_ requestContext: RequestContext) async throws -> Response {
        let limit = try requestContext.adminPageLimit()
        let found = try await service.administration.administrators(
            after: try requestContext.cursor { $0 }, limit: limit + 1)
        let page = JSONTree(
            page: found.prefix(limit).map { JSONTree($0) }, next: found.count > limit ? found[limit - 1].name : nil)
        return json(page.bytes, for: requestContext)
    }

    /// `POST /admin/api/administrators`
    func createAdministrator(_ requestContext: RequestContext, _ principal: AdminPrincipal) async throws -> Response {
        let body = try requestContext.members(self)
        let (name, role) = (try body.text("name"), try body.role())
        let administrator: Administrator
        var invitation: Invitation?
        if let password = try body.optionalText("password") {
            administrator = try await service.administration.createAdministrator(
                name, role, password: password, by: principal.auditor,
                source: client(of: requestContext.request).network)
        } else {
            (administrator, invitation) = try await service.administration.inviteAdministrator(
                name, role, by: principal.auditor)
        }
        let document = JSONTree(administrator, invitation: invitation)
        var response = json(document.bytes, .created, for: requestContext)
        response.fields.add(.location, "/admin/api/administrators/\(administrator.id)")
        return response
    }

    /// `PATCH /admin/api/administrators/{administrator}`
    func changeAdministrator(_ requestContext: RequestContext, _ principal: AdminPrincipal) async throws -> Response {
        let body = try requestContext.members(self)
        let (id, password) = (try administrator(in: requestContext), try body.optionalText("password"))
        guard password == nil || id != principal.id else {
            throw Problem.invalid(
                "password",
                "Change your own password with PUT /admin/api/session/password, which requires the current one.")
        }
        let removesSecondFactor = try body.optionalTruth("hasSecondFactor") == false
        guard !removesSecondFactor || id != principal.id else {
            throw Problem.invalid(
                "hasSecondFactor",
                "Remove your own second factor with POST /admin/api/session/second-factor/removal, which requires a code."
            )
        }
        var administrator = try await service.administration.changeAdministrator(
            id, role: try body.optionalRole(), password: password, by: principal.auditor, keeping: principal,
            source: client(of: requestContext.request).network)
        if removesSecondFactor {
            try await service.administration.removeSecondFactor(of: id, by: principal.auditor)
            administrator.hasSecondFactor = false
        }
        return json(JSONTree(administrator).bytes, for: requestContext)
    }

    /// `DELETE /admin/api/administrators/{administrator}`
    func removeAdministrator(_ requestContext: RequestContext, _ principal: AdminPrincipal) async throws -> Response {
        try await service.administration.removeAdministrator(
            try administrator(in: requestContext), by: principal.auditor)
        return Response(.noContent)
    }

    /// `POST /admin/api/administrators/{administrator}/invitation`
    func inviteAdministrator(_ requestContext: RequestContext, _ principal: AdminPrincipal) async throws -> Response {
        let id = try administrator(in: requestContext)
        // The password and all sessions would end at once, and the last owner would be locked out with the link.
        guard id != principal.id else {
            throw Problem(
                .invalidBody,
                "Change your own password with PUT /admin/api/session/password, which requires the current one.")
        }
        let invitation = try await service.administration.invite(id, by: principal.auditor)
        return json(JSONTree(invitation).bytes, .created, for: requestContext)
    }

    private func administrator(in requestContext: RequestContext) throws(Problem) -> AdministratorID {
        guard let id: AdministratorID = requestContext.id(\.parameters.0) else {
            throw Problem(.administratorNotFound, "There is no such administrator.")
        }
        return id
    }

    /// `GET /admin/api/tokens`
    func listAPITokens(_ requestContext: RequestContext) async throws -> Response {
        let limit = try requestContext.adminPageLimit()
        let found = try await service.administration.tokens(
            after: try requestContext.cursor(APITokenID.init(_:)), limit: limit + 1)
        let page = JSONTree(
            page: found.prefix(limit).map { JSONTree($0) },
            next: found.count > limit ? found[limit - 1].id.description : nil)
        return json(page.bytes, for: requestContext)
    }

    /// `POST /admin/api/tokens`
    func createAPIToken(_ requestContext: RequestContext, _ principal: AdminPrincipal) async throws -> Response {
        let body = try requestContext.members(self)
        let (token, text) = try await service.administration.createToken(
            try body.text("label"), try body.role(), days: try body.number("days", in: Limits.tokenDays),
            creator: principal.id, by: principal.auditor)
        return json(JSONTree(token, text: text).bytes, .created, for: requestContext)
    }

    /// `DELETE /admin/api/tokens/{token}`
    func revokeAPIToken(_ requestContext: RequestContext, _ principal: AdminPrincipal) async throws -> Response {
        guard let id: APITokenID = requestContext.id(\.parameters.0) else {
            throw Problem(.tokenNotFound, "There is no such API token.")
        }
        try await service.administration.revokeToken(id, by: principal.auditor)
        return Response(.noContent)
    }
}
