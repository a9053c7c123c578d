import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperServer

/// Tests of requests that web pages send from other origins (CORS).
@Suite(.timeLimit(.minutes(20))) struct WebPageTests {
    private static let page = "https://reader.example"
    private static let other = "https://elsewhere.example"
    private static let place = "/v1/scenes/main/archives/" + ServerFixture.id(1)
    private static let latest = "/v1/scenes/main/archives/latest?idiom=phone&bundleVersion=42"

    private func fixture(isShared: Bool = false) async throws -> ServerFixture {
        try await ServerFixture(isShared: isShared) { $0.webOrigins = ["http://localhost:5173", Self.page] }
    }

    private func preflight(
        _ fixture: ServerFixture, _ target: String = place, from origin: String? = page, _ method: String? = "PUT"
    ) async throws -> Answer {
        try await fixture.send(
            .options, target,
            fields: (origin.map { ["Origin: " + $0] } ?? [])
                + (method.map { ["Access-Control-Request-Method: " + $0] } ?? []))
    }

    /// The CORS fields of an answer.
    private func fields(_ answer: Answer) -> [String] {
        String(decoding: answer.response.fields.bytes, as: UTF8.self).lowercased().split(separator: "\r\n")
            .filter { $0.hasPrefix("access-control-") }.map(String.init)
    }

    private func varies(_ answer: Answer) -> Bool { answer.response.fields.values(of: .vary).contains("Origin") }

    // MARK: - Preflights

    @Test func answersAPreflightOfAListedPageWithoutACredential() async throws {
        let answer = try await preflight(fixture())
        #expect(answer.status == 204 && answer[.accessControlAllowOrigin] == Self.page && varies(answer))
        #expect(answer[.accessControlAllowMethods] == "GET, HEAD, PUT, POST, PATCH, DELETE, OPTIONS")
        #expect(answer[.accessControlMaxAge] == "7200")
        let allowed = try #require(answer[.accessControlAllowHeaders]).split(separator: ", ").map(String.init)
        let sent = [
            FieldName.authorization, .contentType, .contentEncoding, .ifNoneMatch, .ifHead, .interactionAge,
            .captureSequence, .restoredFrom, .launchID, .countedLaunch, .lastEventID, .requestID,
        ]
        #expect(Set(allowed) == Set(sent.map(\.spelling.description)))
        #expect(!fields(answer).contains { $0.contains("credentials") || $0.hasSuffix("*") })
    }

    @Test(arguments: [
        other, "http://reader.example", "https://reader.example:8443", "https://READER.example", "null", "*", "",
        page + "/", "https://reader.example.elsewhere.example", String(repeating: "x", count: 300),
    ])
    func givesNothingToAPageThatIsNotListed(_ origin: String) async throws {
        let fixture = try await fixture()
        let owner = try await fixture.join()
        let answer = try await preflight(fixture, from: origin)
        #expect(answer.status == 204 && fields(answer).isEmpty && varies(answer))
        let read = try await fixture.send(.get, "/v1/places", token: owner.token, fields: ["Origin: " + origin])
        #expect(read.status == 200 && fields(read).isEmpty && varies(read))
    }

    @Test func answersOnlyPreflightsOfTheDeviceAPI() async throws {
        let fixture = try await fixture()
        #expect(try await preflight(fixture, "/v1/nothing", from: Self.other).status == 404)
        // The page can then read that there is no such path, or no such method.
        for (target, method, status) in [("/v1/nothing", "GET", 404), ("/v1/places", "DELETE", 405)] {
            let allowed = try await preflight(fixture, target, from: Self.page, method)
            #expect(allowed.status == 204 && allowed[.accessControlAllowMethods]?.contains(method) == true)
            let answer = try await fixture.send(
                method, target, token: fixture.join().token, fields: ["Origin: " + Self.page])
            #expect(answer.status == status && answer[.accessControlAllowOrigin] == Self.page)
        }
        for target in ["/admin/api/session", "/livez", "/version", "*"] {
            let answer = try await preflight(fixture, target)
            #expect(answer.status == 204 && fields(answer).isEmpty && !varies(answer), "\(target)")
        }
        // Without a method, the request asks only for the methods of the path.
        let plain = try await preflight(fixture, "/v1/places", nil)
        #expect(plain[.allow] == "GET, HEAD, OPTIONS" && plain[.accessControlAllowMethods] == nil)
    }

    @Test func givesNothingUntilAnAppListsAnOrigin() async throws {
        let fixture = try await ServerFixture()
        let answer = try await preflight(fixture)
        #expect(answer.status == 204 && fields(answer).isEmpty)
        #expect(try await !varies(fixture.send(.get, "/v1/limits")))
    }

    /// A flood of preflights reads the origins once a second, also while the store fails.
    @Test func readsTheOriginsOnceASecond() async throws {
        let fixture = try await fixture()
        for _ in 0..<50 { #expect(try await preflight(fixture)[.accessControlAllowOrigin] == Self.page) }
        #expect(fixture.store.count(of: "apps()") == 1)
        var settings = fixture.app.settings
        settings.webOrigins = [Self.other]
        try await fixture.service.apps.replaceSettings(of: fixture.app.id, with: settings)
        fixture.clock.advance(.milliseconds(999))
        #expect(try await preflight(fixture)[.accessControlAllowOrigin] == Self.page)
        fixture.clock.advance(.milliseconds(1))
        #expect(try await fields(preflight(fixture)).isEmpty)
        #expect(try await preflight(fixture, from: Self.other)[.accessControlAllowOrigin] == Self.other)
        fixture.store.fail(with: .unavailable, in: "apps()")
        fixture.clock.advance(.seconds(1))
        for _ in 0..<50 {
            #expect(try await preflight(fixture, from: Self.other)[.accessControlAllowOrigin] == Self.other)
        }
        #expect(fixture.store.count(of: "apps()") == 3)
    }

    @Test func readsNoOriginsForRequestsOfApps() async throws {
        let fixture = try await fixture()
        let owner = try await fixture.join()
        for _ in 0..<3 { try await fixture.upload(1, by: owner) }
        #expect(try await fixture.send(.options, Self.place).status == 204)
        #expect(fixture.store.count(of: "apps()") == 0)
    }

    // MARK: - Requests

    @Test(arguments: [false, true])
    func letsAListedPageReadEveryResponse(isShared: Bool) async throws {
        let fixture = try await fixture(isShared: isShared)
        let owner = try await fixture.join()
        let origin = ["Origin: " + Self.page]
        func expectReadable(_ answer: Answer, _ status: Int) {
            #expect(answer.status == status && answer[.accessControlAllowOrigin] == Self.page && varies(answer))
            let exposed = answer[.accessControlExposeHeaders] ?? ""
            for name in [FieldName.etag, .retryAfter, .headRevision, .revision, .servedArchive, .requestID, .date] {
                #expect(exposed.contains(name.spelling.description))
            }
        }
        let registered = try await fixture.send(
            .post, "/v1/devices", fields: origin, json: ["app": fixture.app.publishableKey, "idiom": "phone"])
        expectReadable(registered, 201)
        expectReadable(try await fixture.upload(1, by: owner, fields: origin), 201)
        // Twice, because the second answer comes from memory.
        for _ in 0..<2 {
            let latest = try await fixture.send(.get, Self.latest, token: owner.token, fields: origin)
            expectReadable(latest, 200)
            let tag = "If-None-Match: " + (latest[.etag] ?? "")
            expectReadable(
                try await fixture.send(.get, Self.latest, token: owner.token, fields: origin + [tag]), 304)
        }
        expectReadable(try await fixture.send(.get, "/v1/places", fields: origin), 401)
        expectReadable(
            try await fixture.send(.get, "/v1/places", token: owner.token.replacing("_", with: "_x"), fields: origin),
            401)
        expectReadable(try await fixture.send(.get, "/v1/nothing", token: owner.token, fields: origin), 404)
        expectReadable(try await fixture.send(.put, "/v1/places", token: owner.token, fields: origin), 405)
        expectReadable(
            try await fixture.send(.put, Self.place, token: owner.token, fields: origin, body: [1, 2]), 422)
        expectReadable(try await fixture.send(.delete, Self.place, token: owner.token, fields: origin), 204)
    }

    /// What the transport refuses, such as a body that is too large, is readable as well.
    @Test func letsAListedPageReadARefusal() async throws {
        let fixture = try await fixture()
        _ = try await preflight(fixture)
        let head = try ServerFixture.head("PUT", Self.place, fields: ["Origin: " + Self.page])
        guard case .refuse(let response) = fixture.server.admit(head, from: "127.0.0.1") else {
            Issue.record("admitted without a token")
            return
        }
        #expect(response.fields[.accessControlAllowOrigin] == Self.page)
        let refusal = Refusal(.contentTooLarge, code: "content-too-large", "The body is too large.")
        let late = fixture.server.response(to: refusal, of: head, from: "127.0.0.1")
        #expect(late.fields[.accessControlAllowOrigin] == Self.page)
    }

    @Test(arguments: [false, true])
    func judgesARequestWithATokenByTheAppOfTheDevice(isShared: Bool) async throws {
        let fixture = try await fixture(isShared: isShared)
        let second = try await fixture.service.apps.createApp("com.example.second")
        let stranger = try await fixture.join(app: second.publishableKey)
        let owner = try await fixture.join()
        func read(_ member: Member) async throws -> Answer {
            try await fixture.send(.get, "/v1/places", token: member.token, fields: ["Origin: " + Self.page])
        }
        #expect(try await fields(read(stranger)).isEmpty)
        #expect(try await read(owner)[.accessControlAllowOrigin] == Self.page)
        // A change holds at once for requests with a token.
        var settings = fixture.app.settings
        settings.webOrigins = []
        try await fixture.service.apps.replaceSettings(of: fixture.app.id, with: settings)
        #expect(try await fields(read(owner)).isEmpty)
        try await fixture.service.apps.replaceSettings(of: second.id, with: fixture.app.settings)
        #expect(try await read(stranger)[.accessControlAllowOrigin] == Self.page)
    }

    /// An entry may be forgotten while its device's request runs. Then only a refusal can be read.
    @Test func keepsDataFromAPageIfTheTokenIsNotKnown() async throws {
        let fixture = try await fixture()
        let second = try await fixture.service.apps.createApp("com.example.second")
        let stranger = try await fixture.join(app: second.publishableKey)
        _ = try await preflight(fixture)
        let unknown = stranger.token.dropLast() + (stranger.token.last == "A" ? "B" : "A")
        let head = try ServerFixture.head(
            "GET", "/v1/places", fields: ["Origin: " + Self.page, "Authorization: Bearer " + unknown])
        for (status, isReadable) in [(Status.ok, false), (.unauthorized, true)] {
            var response = Response(status)
            fixture.server.allowOrigin(of: head, in: &response)
            #expect((response.fields[.accessControlAllowOrigin] == Self.page) == isReadable)
        }
    }

    @Test func streamsEventsToAPageThatSendsItsTokenInAField() async throws {
        let fixture = try await fixture()
        let owner = try await fixture.join()
        let fields = ["Origin: " + Self.page, "Last-Event-ID: 1", "Accept: text/event-stream"]
        let answer = try await fixture.send(.get, "/v1/events", token: owner.token, fields: fields)
        #expect(answer.status == 200 && answer[.accessControlAllowOrigin] == Self.page)
        var stream = EventReader(answer)
        #expect(await stream.next() == "retry: 2000\n\n")
        try await fixture.upload(1, by: owner)
        var text = ""
        while !text.contains("archiveStored"), let piece = await stream.next() { text += piece }
        #expect(text.contains("event: archiveStored"))
        fixture.server.drain()
    }

    // MARK: - Cookies

    @Test func neitherAcceptsNorSetsCookies() async throws {
        let fixture = try await fixture()
        let owner = try await fixture.join()
        let cookies = ["token=\(owner.token)", "__Host-session=\(owner.token)", "Authorization=Bearer \(owner.token)"]
        for cookie in cookies {
            let answer = try await fixture.send(
                .get, "/v1/places", fields: ["Origin: " + Self.page, "Cookie: " + cookie])
            #expect(answer.status == 401 && answer[.setCookie] == nil)
        }
        for route in Route.all where route.template.hasPrefix("/v1/") {
            let target = route.template.replacing("{scene}", with: "main").replacing("{archive}", with: "latest")
            let answer = try await fixture.send(
                route.method.rawValue, target, token: owner.token, fields: ["Cookie: a=b"])
            #expect(answer[.setCookie] == nil && fields(answer).isEmpty, "\(route)")
        }
    }
}
