import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperMemoryStore
@testable import PlacekeeperServer

/// A request of a route of the admin API, and the status of its answer to a caller with the route's role.
struct AdminProbe {
    var target: String
    var json: [String: String]
    var status: Int
    var fields: [String]
    /// The body, if it is more than an object of texts.
    var body: String?

    init(
        _ target: String, _ status: Int, _ json: [String: String] = [:], fields: [String] = [], body: String? = nil
    ) {
        self.body = body
        self.target = target
        self.json = json
        self.status = status
        self.fields = fields
    }
}

/// The matrix of the admin API: each route with each kind of credential. A new route fails `probesEachRoute` until
/// `AdminWorld.probe` has a request for it.
@Suite(.timeLimit(.minutes(10))) struct AdminMatrixTests {
    static let guarded = Route.all.filter { $0.isAdministrative && $0.leastRole != nil }
    static let writing = guarded.filter(\.writes)

    /// A credential that authenticates nobody.
    enum Invalid: CaseIterable {
        case missing, deviceToken, malformedToken, unknownToken, expiredToken, revokedToken, tokenOfRemovedAdministrator
        case malformedCookie, unknownSession, idleSession, expiredSession, endedSession, sessionOfRemovedAdministrator
        case repeatedCookie, cookieOfAnotherName, tokenInCookie, sessionAsToken
        /// A request with the field `Authorization` is not authenticated by its cookie.
        case sessionBesideDeviceToken
    }

    @Test(arguments: Route.all.filter(\.isAdministrative))
    func probesEachRoute(_ route: Route) async throws {
        guard route.leastRole != nil else { return }
        let world = try await AdminWorld()
        #expect(world.probe(of: route) != nil)
        #expect(!route.needsToken)
    }

    @Test(arguments: Invalid.allCases) func answersEveryInvalidCredentialAlike(_ kind: Invalid) async throws {
        let world = try await AdminWorld()
        let fields = try await world.fields(kind)
        let before = try await world.fixture.adminContents()
        let constant = try await world.fixture.send(.get, "/admin/api/apps")
        #expect(constant.status == 401 && constant.code == .notLoggedIn && constant[.wwwAuthenticate] == "Bearer")
        for route in Self.guarded {
            let answer = try await world.send(route, fields)
            #expect(answer.comparable == constant.comparable, "\(route), \(kind): \(answer.text)")
        }
        #expect(try await world.fixture.adminContents() == before, "\(kind) changed the store")
    }

    /// The transport refuses a request without a well-formed credential before it reads the body.
    @Test(arguments: [Invalid.missing, .deviceToken, .malformedToken, .malformedCookie])
    func refusesMalformedCredentialsBeforeTheBody(_ kind: Invalid) async throws {
        let world = try await AdminWorld()
        let fields = try await world.fields(kind)
        let constant = try await world.fixture.send(.get, "/admin/api/apps")
        for route in Self.guarded {
            let probe = try #require(world.probe(of: route))
            let head = try ServerFixture.head(route.method.rawValue, probe.target, fields: fields)
            guard case .refuse(let response) = world.fixture.server.admit(head, from: "127.0.0.1") else {
                Issue.record("\(route) is admitted")
                continue
            }
            #expect(Answer(response).comparable == constant.comparable, "\(route)")
        }
    }

    @Test(arguments: guarded, Role.allCases) func checksTheRoleOfEachRoute(_ route: Route, _ role: Role) async throws {
        for usesToken in [false, true] {
            let world = try await AdminWorld()
            var fields = try await world.fixture.browser("\(role)", role).fields
            if usesToken { fields = ["Authorization: Bearer " + (try await world.fixture.apiToken(role).text)] }
            // The first use of an API token is noted.
            #expect(try await world.send("listApps", fields).status == 200)
            let before = try await world.fixture.adminContents()
            let answer = try await world.send(route, fields)
            if role >= (try #require(route.leastRole)) {
                // An API token has no session.
                let isOfSession = [
                    "readSession", "logOut", "changePassword", "addSecondFactor", "removeSecondFactor", "listSessions",
                    "endSession",
                ].contains(route)
                let status = try #require(world.probe(of: route)).status
                #expect(answer.status == (isOfSession && usesToken ? 401 : status), "\(route): \(answer.text)")
            } else {
                #expect(answer.status == 403 && answer.code == .roleInsufficient, "\(route): \(answer.text)")
                #expect(try await world.fixture.adminContents() == before, "\(route)")
            }
        }
    }

    @Test(arguments: writing) func refusesWritesWithoutTheCSRFTokenOfTheSession(_ route: Route) async throws {
        let world = try await AdminWorld()
        let owner = try await world.fixture.browser("carl", .owner)
        let other = try Browser(await world.fixture.logIn("carl"))
        let before = try await world.fixture.adminContents()
        for token in [nil, "", "x", other.csrfToken, String(owner.csrfToken.dropLast())] as [String?] {
            let fields = ["Cookie: \(owner.cookie)"] + (token.map { ["X-CSRF-Token: \($0)"] } ?? [])
            let answer = try await world.send(route, fields)
            #expect(answer.status == 403 && answer.code == .csrfTokenInvalid, "\(route): \(answer.text)")
        }
        #expect(try await world.fixture.adminContents() == before)
    }

    @Test(arguments: Route.all.filter { $0.isAdministrative && $0.writes })
    func refusesWritesOfOtherOrigins(_ route: Route) async throws {
        let world = try await AdminWorld()
        let owner = try await world.fixture.browser("carl", .owner)
        let before = try await world.fixture.adminContents()
        for origin in [
            "null", "", "https://evil.example", "http://places.example.evil", "http://places.example:81",
            "http://evil.example/places.example", "ftp://places.example", "places.example",
        ] {
            let fields = owner.fields.dropLast() + ["Origin: \(origin)"]
            let answer = try await world.send(route, fields)
            #expect(answer.status == 403 && answer.code == .originNotAllowed, "\(route), \(origin): \(answer.text)")
        }
        #expect(try await world.fixture.adminContents() == before)
    }

    @Test(arguments: ["http://places.example", "https://places.example", "https://PLACES.example"])
    func acceptsWritesOfTheOwnOrigin(_ origin: String) async throws {
        let world = try await AdminWorld()
        let owner = try await world.fixture.browser("carl", .owner)
        let answer = try await world.send("logOut", owner.fields.dropLast() + ["Origin: \(origin)"])
        #expect(answer.status == 204, "\(answer.text)")
    }

    @Test func refusesAWriteWithTwoOriginFields() async throws {
        let world = try await AdminWorld()
        let owner = try await world.fixture.browser("carl", .owner)
        for other in ["http://places.example", "https://evil.example"] {
            let origins = ["Origin: http://places.example", "Origin: \(other)"]
            let answer = try await world.send("logOut", owner.fields.dropLast() + origins)
            #expect(answer.status == 403 && answer.code == .originNotAllowed, "\(answer.text)")
        }
    }

    @Test func readsNeedNoCSRFTokenAndNoOrigin() async throws {
        let world = try await AdminWorld()
        let owner = try await world.fixture.browser("carl", .owner)
        for route in Self.guarded where !route.writes {
            let answer = try await world.send(route, ["Cookie: \(owner.cookie)", "Origin: https://other.example"])
            #expect(answer.status == 200, "\(route): \(answer.text)")
            #expect(answer.comparable.contains("Vary: Cookie"))
        }
    }

    /// An administrator's credential is worth nothing outside the admin API.
    @Test func refusesAdministratorsOnRoutesOfDevices() async throws {
        let world = try await AdminWorld()
        let owner = try await world.fixture.browser("carl", .owner)
        let token = try await world.fixture.apiToken(.owner).text
        for fields in [owner.fields, ["Authorization: Bearer \(token)"]] {
            #expect(try await world.fixture.send(.get, "/v1/places", fields: fields).code == .unauthorized)
        }
    }
}

/// A fixture with an owner `anna` and a viewer `ben`, whom the requests concern. The app has a user with two devices,
/// archives, items and a decision.
struct AdminWorld {
    let fixture: ServerFixture
    let ben: Administrator
    let token: APIToken
    let user: BrowsedUser

    init() async throws {
        fixture = try await ServerFixture {
            $0.allowsScreenshots = true
            $0.showsContents = true
        }
        user = try await BrowsedUser(in: fixture)
        try await fixture.administrator("anna", .owner)
        ben = try await fixture.administrator("ben", .viewer)
        token = try await fixture.apiToken(.viewer).token
    }

    func probe(of route: Route) -> AdminProbe? {
        let password = ServerFixture.password
        return switch route.operation {
        case "readAdminStatus": AdminProbe("/admin/api/status", 200)
        case "setUp": AdminProbe("/admin/api/set-up", 403, ["secret": "x", "name": "dora", "password": password])
        case "logIn": AdminProbe("/admin/api/session", 201, ["name": "anna", "password": password])
        case "readSession": AdminProbe("/admin/api/session", 200)
        case "logOut": AdminProbe("/admin/api/session", 204)
        case "changePassword":
            AdminProbe(
                "/admin/api/session/password", 204, ["password": password, "newPassword": "another " + password])
        case "addSecondFactor":
            AdminProbe(
                "/admin/api/session/second-factor", 422,
                ["password": password, "secret": String(repeating: "A", count: 32), "code": "1"])
        case "removeSecondFactor":
            AdminProbe("/admin/api/session/second-factor/removal", 204, ["password": password, "code": "1"])
        case "listSessions": AdminProbe("/admin/api/sessions", 200)
        case "endSession": AdminProbe("/admin/api/sessions/\(ServerFixture.id(1))", 404)
        case "acceptInvitation":
            AdminProbe("/admin/api/invitation", 403, ["invitation": "x", "password": password])
        case "inviteAdministrator": AdminProbe("/admin/api/administrators/\(ben.id)/invitation", 201)
        case "listAdministrators": AdminProbe("/admin/api/administrators", 200)
        case "createAdministrator":
            AdminProbe("/admin/api/administrators", 201, ["name": "dora", "role": "viewer", "password": password])
        case "changeAdministrator": AdminProbe("/admin/api/administrators/\(ben.id)", 200, ["role": "operator"])
        case "removeAdministrator": AdminProbe("/admin/api/administrators/\(ben.id)", 204)
        case "listAPITokens": AdminProbe("/admin/api/tokens", 200)
        case "createAPIToken": AdminProbe("/admin/api/tokens", 201, ["label": "new", "role": "viewer"])
        case "revokeAPIToken": AdminProbe("/admin/api/tokens/\(token.id)", 204)
        case "listApps": AdminProbe("/admin/api/apps", 200)
        default: browsingProbe(of: route)
        }
    }

    func send(_ route: Route, _ fields: some Sequence<String>) async throws -> Answer {
        let probe = try #require(self.probe(of: route))
        let object = probe.json.isEmpty ? [] : try JSONText.object(probe.json)
        let body = probe.body.map { Array($0.utf8) } ?? object
        return try await fixture.send(
            route.method.rawValue, probe.target, fields: Array(fields) + probe.fields, body: body)
    }

    /// Returns the fields with a credential that is no longer valid, or never was.
    func fields(_ kind: AdminMatrixTests.Invalid) async throws -> [String] {
        func bearer(_ token: String) -> [String] { ["Authorization: Bearer \(token)"] }
        let unknown = String(repeating: "A", count: 43)
        switch kind {
        case .missing: return []
        case .deviceToken: return bearer(try await fixture.join().token)
        case .malformedToken: return bearer("pka_x")
        case .unknownToken: return bearer("pka_" + unknown)
        case .expiredToken:
            let token = try await fixture.apiToken(.owner, days: 1).text
            fixture.clock.advance(.seconds(86_400 - 1))
            #expect(try await fixture.send(.get, "/admin/api/apps", token: token).status == 200)
            fixture.clock.advance(.seconds(1))
            return bearer(token)
        case .revokedToken:
            let (token, text) = try await fixture.apiToken(.owner)
            try await fixture.service.administration.revokeToken(token.id, by: .command("test"))
            return bearer(text)
        case .tokenOfRemovedAdministrator:
            let dora = try await fixture.administrator("dora", .owner)
            let text = try await fixture.apiToken(.viewer, creator: dora.id).text
            #expect(try await fixture.send(.get, "/admin/api/apps", token: text).status == 200)
            try await fixture.service.administration.removeAdministrator(dora.id, by: .command("test"))
            return bearer(text)
        case .malformedCookie: return ["Cookie: placekeeper=x"]
        case .unknownSession: return ["Cookie: placekeeper=pks_" + unknown]
        case .idleSession:
            let owner = try await fixture.browser("carl", .owner)
            fixture.clock.advance(AdminSession.idleTime - .milliseconds(1))
            #expect(try await fixture.send(.get, "/admin/api/apps", fields: owner.fields).status == 200)
            fixture.clock.advance(AdminSession.idleTime)
            return owner.fields
        case .expiredSession:
            let owner = try await fixture.browser("carl", .owner)
            var left = AdminSession.lifetime
            while left > .seconds(3600) {
                fixture.clock.advance(.seconds(3600))
                left -= .seconds(3600)
                #expect(try await fixture.send(.get, "/admin/api/apps", fields: owner.fields).status == 200)
            }
            fixture.clock.advance(left)
            return owner.fields
        case .endedSession:
            let owner = try await fixture.browser("carl", .owner)
            #expect(try await send("logOut", owner.fields).status == 204)
            return owner.fields
        case .sessionOfRemovedAdministrator:
            let owner = try await fixture.browser("carl", .owner)
            let carl = try await fixture.service.administration.administrator(.name("carl"))
            #expect(try await fixture.send(.get, "/admin/api/apps", fields: owner.fields).status == 200)
            // Another process removes the administrator.
            #expect(try await fixture.memory.remove(carl.id) == .done)
            return owner.fields
        case .repeatedCookie:
            let owner = try await fixture.browser("carl", .owner)
            return owner.fields + ["Cookie: \(owner.cookie)"]
        case .cookieOfAnotherName:
            let owner = try await fixture.browser("carl", .owner)
            return ["Cookie: __Host-\(owner.cookie)", "Cookie: x\(owner.cookie)"]
        case .tokenInCookie: return ["Cookie: placekeeper=" + (try await fixture.apiToken(.owner).text)]
        case .sessionAsToken:
            let owner = try await fixture.browser("carl", .owner)
            return bearer(String(owner.cookie.dropFirst("placekeeper=".count)))
        case .sessionBesideDeviceToken:
            let owner = try await fixture.browser("carl", .owner)
            return owner.fields + bearer(try await fixture.join().token)
        }
    }
}
