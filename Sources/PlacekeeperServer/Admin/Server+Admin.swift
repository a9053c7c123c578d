import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService

// The admin API. Each request passes these checks before its handler runs.
extension Server {
    /// Returns the principal of an admin API request, after checking the credential, the origin, the CSRF token and the
    /// role, in this order.
    func admitted(_ requestContext: RequestContext, to route: Route, _ least: Role) async throws -> AdminPrincipal {
        guard let principal = try await adminPrincipal(of: requestContext.request, isUse: route.isUse) else {
            throw Problem.notLoggedIn
        }
        try checkOrigin(of: requestContext, route)
        if case .session = principal.credential, route.writes {
            try checkCSRFToken(of: requestContext.request)
        }
        guard principal.role >= least else {
            throw Problem(.roleInsufficient, "The request needs the role \(least.rawValue).")
        }
        return principal
    }

    // Credentials

    /// Returns whether a request has a well-formed credential for the admin API.
    func couldAdminister(_ head: RequestHead, from peer: String) -> Bool {
        if let token = head.bearerToken { return Administration.couldAdminister(token: token) }
        return sessionSecret(of: head, from: peer).map(Administration.couldAdminister(session:)) ?? false
    }

    /// Returns the principal of a request. If there is a bearer token, it alone authenticates the request. Credentials
    /// of other schemes are ignored: they may come from a proxy that asks for a password itself.
    func adminPrincipal(of request: Request, isUse: Bool) async throws -> AdminPrincipal? {
        if let token = request.head.bearerToken {
            return try await service.administration.adminPrincipal(token: token, isUse: isUse)
        }
        guard let secret = sessionSecret(of: request.head, from: request.peer) else { return nil }
        return try await service.administration.adminPrincipal(session: secret, isUse: isUse)
    }

    /// Returns the secret in the session cookie. Nil if there is no such cookie, or more than one.
    func sessionSecret(of head: RequestHead, from peer: String) -> ArraySlice<UInt8>? {
        head.cookie(sessionCookie(isSecure: isSecure(head, from: peer)))
    }

    /// The name of the session cookie. Browsers accept a cookie with the prefix `__Host-` only over HTTPS, and only
    /// from the host itself (RFC 6265bis section 4.1.3.2).
    func sessionCookie(isSecure: Bool) -> String { isSecure ? "__Host-placekeeper" : "placekeeper" }

    // Requests from pages of other sites

    /// Rejects writes from other sites: if the browser sends an origin, its host must be that of the request.
    func checkOrigin(of requestContext: RequestContext, _ route: Route) throws(Problem) {
        let head = requestContext.head
        guard route.writes, let origin = head[.origin] else { return }
        guard head.values(of: .origin).count == 1 else {
            throw Problem(.originNotAllowed, "Send one Origin field.")
        }
        let isSecure = isSecure(head, from: requestContext.request.peer)
        // A proxy may use HTTPS towards the browser without reporting it to the service.
        let schemes = isSecure ? ["https://"] : ["https://", "http://"]
        let isOwn = schemes.contains { scheme in
            guard origin.starts(with: scheme.utf8), let authority = head.authority else { return false }
            return origin.dropFirst(scheme.utf8.count).elementsEqual(head.bytes[authority]) { $0.lowered == $1.lowered }
        }
        guard isOwn else {
            throw Problem(
                .originNotAllowed,
                "Send the request from a page of the service. Behind a proxy, pass the Host field on.")
        }
    }

    /// A write with a cookie must include the session's CSRF token, which pages of other sites can't read.
    private func checkCSRFToken(of request: Request) throws(Problem) {
        guard let given = request.head[.csrfToken],
            let secret = sessionSecret(of: request.head, from: request.peer),
            given.withUnsafeBytes({ service.hashing.sha256($0) })
                == service.hashing.sha256(Array(service.administration.csrfToken(ofSession: secret).utf8))
        else {
            throw Problem(
                .csrfTokenInvalid,
                "The CSRF token is missing or wrong. Send the csrfToken of GET /admin/api/session in the field X-CSRF-Token."
            )
        }
    }
}

extension RequestHead {
    /// Returns the value of a cookie (RFC 6265 section 4.2). Nil if there is no cookie with this name, or more than
    /// one.
    fileprivate func cookie(_ name: String) -> ArraySlice<UInt8>? {
        var found: ArraySlice<UInt8>?
        for field in values(of: .cookie) {
            for pair in field.split(separator: 0x3B) {
                let pair = pair.drop { $0 == 0x20 || $0 == 0x09 }
                guard let equals = pair.firstIndex(of: 0x3D), pair[..<equals].elementsEqual(name.utf8) else { continue }
                guard found == nil else { return nil }
                found = pair[(equals + 1)...]
            }
        }
        return found
    }
}

extension UInt8 {
    /// The lowercase form of an ASCII letter.
    fileprivate var lowered: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}

extension Problem {
    static var notLoggedIn: Problem {
        var problem = Problem(.notLoggedIn, "Log in, or give an API token: Authorization: Bearer pka_….")
        problem.fields.add(.wwwAuthenticate, "Bearer")
        return problem
    }
}
