import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperMatching
import PlacekeeperMemoryStore
@testable import PlacekeeperService
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperServer

extension ProblemTests {
    private static let main = "/v1/scenes/main"

    /// Sends a request whose response has this problem code.
    func provoke(_ code: ProblemCode) async throws -> Answer {
        if let refusal = refusal(code) {
            return Answer(try await ServerFixture().server.response(to: refusal, of: nil, from: "127.0.0.1"))
        }
        var configuration = Server.Configuration()
        configuration.registrationBurst = 1
        let fixture = try await ServerFixture(configuration) { settings in
            settings.allowsScreenshots = code != .screenshotsOff
            if code == .nothingCompatible { settings.policy.minimumBundleVersion = "99" }
            if code == .quotaExceeded { settings.quotas.userArchives = 1 }
        }
        let owner = try await fixture.join()
        try await fixture.upload(1, by: owner)
        let archive = Self.main + "/archives/" + ServerFixture.id(1)
        func send(_ method: PlacekeeperHTTP.Method, _ target: String, _ fields: [String] = [], body: [UInt8] = [])
            async throws -> Answer
        { try await fixture.send(method, target, token: owner.token, fields: fields, body: body) }

        switch code {
        case .placeUnavailable:
            try await fixture.upload(2, by: owner, place: nil)
            return try await send(
                .get, Self.main + "/archives/" + ServerFixture.id(2), ["Accept: \(PlaceForm.mediaType)"])
        case .malformedPath: return try await send(.put, Self.main + "/archives/one", body: [1])
        case .malformedField: return try await fixture.upload(2, by: owner, fields: ["Interaction-Age: soon"])
        case .malformedQuery: return try await send(.get, "/v1/places?idiom=toaster")
        case .malformedJSON: return try await send(.post, "/v1/devices", body: Array("{".utf8))
        case .malformedContentCoding:
            return try await send(.post, "/v1/devices", ["Content-Encoding: gzip"], body: [1, 2, 3])
        case .unauthorized: return try await fixture.send(.get, "/v1/places")
        case .notFound: return try await send(.get, "/v1/nothing")
        case .methodNotAllowed: return try await send(.post, "/v1/places")
        case .contentTooLarge:
            let bomb = try #require(SystemGzip().deflate([UInt8](repeating: 0x20, count: 3 << 20)))
            return try await send(.post, "/v1/devices", ["Content-Encoding: gzip"], body: bomb)
        case .unsupportedContentCoding:
            return try await send(.post, "/v1/devices", ["Content-Encoding: br"], body: [1])
        case .unsupportedMediaType:
            return try await send(.post, "/v1/devices", ["Content-Type: text/plain"], body: Array("{}".utf8))
        case .invalidBody: return try await fixture.send(.post, "/v1/devices", json: ["idiom": "phone"])
        case .notImplemented: return try await fixture.send("BREW", "/v1/places")
        case .appUnknown:
            return try await fixture.send(.post, "/v1/devices", json: ["app": "pk_none", "idiom": "phone"])
        case .deviceNotFound: return try await send(.delete, "/v1/devices/\(ServerFixture.id(1))")
        case .deviceTextInvalid:
            let name = String(repeating: "x", count: 129)
            return try await fixture.send(
                .post, "/v1/devices", json: ["app": fixture.app.publishableKey, "idiom": "phone", "name": name])
        case .linkCodeRequired:
            var settings = fixture.app.settings
            settings.registration = .linkOnly
            try await fixture.service.apps.replaceSettings(of: fixture.app.id, with: settings)
            return try await fixture.send(
                .post, "/v1/devices", json: ["app": fixture.app.publishableKey, "idiom": "phone"])
        case .installationInvalid: return try await register(in: fixture, secret: "short")
        case .installationCloned:
            #expect(try await register(in: fixture, secret: String(repeating: "a", count: 22)).status == 201)
            return try await register(in: fixture, secret: String(repeating: "b", count: 22))
        case .installationCopied:
            #expect(try await send(.get, "/v1/devices/self", ["Counted-Launch: 2-a"]).status == 200)
            return try await send(.get, "/v1/devices/self", ["Counted-Launch: 1-b"])
        case .signInRequired:
            var settings = fixture.app.settings
            settings.registration = .token
            try await fixture.service.apps.replaceSettings(of: fixture.app.id, with: settings)
            return try await fixture.send(
                .post, "/v1/devices", json: ["app": fixture.app.publishableKey, "idiom": "phone"])
        case .signInTokenInvalid: return try await fixture.signIn(owner, as: nil)
        case .signedIn:
            #expect(try await fixture.signIn(owner, as: "anna").status == 200)
            return try await fixture.signIn(owner, as: "ben")
        case .notSignedIn:
            return try await send(.post, "/v1/devices/self/sign-out", body: try JSONText.object(["next": "none"]))
        case .readOnly:
            let reading = try await send(
                .post, "/v1/devices/self/token", body: try JSONText.object(["access": "readOnly"])
            ).json(Wire.NewToken.self).token
            return try await fixture.send(.post, "/v1/link-codes", token: reading)
        case .linkCodeInvalid:
            return try await send(.post, "/v1/devices/self/link", body: try JSONText.object(["code": "00000000"]))
        case .tooManyDevices:
            for _ in 1..<Limits.devices { _ = try await fixture.join(with: owner) }
            let code = try await send(.post, "/v1/link-codes").json(Wire.LinkCode.self).code
            let body = ["app": fixture.app.publishableKey, "idiom": "phone", "linkCode": code]
            return try await fixture.send(.post, "/v1/devices", json: body)
        case .throttled:
            let body = ["app": fixture.app.publishableKey, "idiom": "phone"]
            #expect(try await fixture.send(.post, "/v1/devices", json: body, peer: "203.0.113.9").status == 201)
            return try await fixture.send(.post, "/v1/devices", json: body, peer: "203.0.113.9")
        case .sceneNameInvalid: return try await fixture.upload(2, by: owner, scene: "a%20b")
        case .archiveNotFound: return try await send(.get, Self.main + "/archives/" + ServerFixture.id(9))
        case .archiveDiffers: return try await send(.put, archive, body: try Samples.archive(2))
        case .archiveDeleted:
            _ = try await send(.delete, archive)
            return try await send(.get, archive)
        case .archiveUnreadable: return try await send(.put, archive, body: Array("bplist00".utf8))
        case .archiveTooLarge:
            return try await send(.put, archive, body: [UInt8](repeating: 0, count: Limits.archive + 1))
        case .idiomRequired:
            return try await send(.put, Self.main + "/archives/" + ServerFixture.id(2), body: try Samples.silent())
        case .contextInvalid:
            return try await send(
                .get, "/v1/scenes/main/archives/latest?bundleVersion=" + String(repeating: "1", count: 65))
        case .contextContradicted: return try await fixture.upload(2, by: owner, query: "?idiom=pad")
        case .headMoved: return try await fixture.upload(2, by: owner, fields: ["If-Head: none"])
        case .sceneForgotten:
            _ = try await send(.delete, Self.main)
            return try await fixture.upload(2, by: owner, fields: ["Interaction-Age: 60"])
        case .tooManyScenes:
            let limit = App.Settings.Quotas().scenes
            for number in 2...limit {
                #expect(try await fixture.upload(number, by: owner, scene: "document-\(number)").status == 201)
            }
            return try await fixture.upload(limit + 1, by: owner, scene: "another")
        case .nothingStored: return try await send(.get, "/v1/scenes/other/archives/latest")
        case .nothingCompatible: return try await send(.get, Self.main + "/archives/latest?bundleVersion=1")
        case .outcomeInvalid:
            return try await fixture.send(
                .post, archive + "/outcomes", token: owner.token,
                json: ["result": "failed", "idiom": "phone", "path": ""])
        case .outcomeNotServed:
            let other = try await fixture.join(with: owner)
            return try await fixture.send(
                .post, archive + "/outcomes", token: other.token, json: ["result": "began", "idiom": "phone"])
        case .screenshotNotFound: return try await send(.get, archive + "/screenshot")
        case .screenshotsOff: return try await send(.put, archive + "/screenshot", body: Samples.png)
        case .screenshotTooLarge:
            return try await send(
                .put, archive + "/screenshot", body: Samples.png + [UInt8](repeating: 0, count: Limits.screenshot))
        case .screenshotUnreadable: return try await send(.put, archive + "/screenshot", body: [1, 2, 3])
        case .dataSourceNameInvalid, .dataSourceUnknown, .dataSourceDiffers, .tooManyDataSources, .itemsNotRegistered,
            .identifierInvalid, .aliasInvalid, .tooManyAliases, .deltaTooLarge, .tooManyItems, .itemContradicted,
            .redirectLoops, .redirectTargetUnknown, .cursorStale:
            return try await provoke(code, with: fixture, owner)
        case .notLoggedIn, .logInRefused, .secondFactorRequired, .sessionNotFound, .setUpRefused, .roleInsufficient,
            .csrfTokenInvalid, .originNotAllowed,
            .administratorNotFound, .administratorExists, .lastOwner, .tokenNotFound:
            return try await provoke(code, with: fixture)
        case .appNotFound, .appExists, .bundleIdentifierInvalid, .settingsInvalid, .settingsChanged,
            .preconditionRequired, .userNotFound, .contentsHidden, .itemNotFound, .linkInvalid, .tooManyLinks,
            .decisionNotFound, .undoRefused, .archiveNotInspectable:
            return try await provoke(browsing: code)
        case .changesPruned:
            fixture.clock.advance(.seconds(31 * 86_400))
            try await fixture.service.store.prune(at: fixture.clock.now())
            return try await send(.get, "/v1/changes")
        case .tooManyFollowers:
            var followers: [Answer] = []
            while followers.last?.status ?? 200 == 200 { followers.append(try await send(.get, "/v1/events")) }
            return try #require(followers.last)
        case .draining:
            fixture.server.drain()
            return try await fixture.send(.get, "/readyz")
        case .storeUnavailable: fixture.store.fail(with: .unavailable)
        case .storeFailed: fixture.store.fail(with: .corrupt)
        case .storeFull: fixture.store.fail(with: .full)
        case .internalError:
            let problem = Problem(translating: CancellationError())
            var answer = fixture.server.response(to: problem, for: nil)
            answer.fields.add(.requestID, "1")
            answer.fields.add(.contentTypeOptions, "nosniff")
            answer.fields.add(.contentSecurityPolicy, "default-src 'none'; frame-ancestors 'none'")
            return Answer(answer)
        case .malformedRequest, .requestTimeout, .targetTooLong, .expectationFailed, .fieldsTooLarge,
            .versionNotSupported, .overloaded, .quotaExceeded:
            break
        }
        return try await fixture.upload(2, by: owner)
    }

    private func register(in fixture: ServerFixture, secret: String) async throws -> Answer {
        let body = """
            {"app": "\(fixture.app.publishableKey)", "idiom": "phone",
            "installation": {"id": "\(ServerFixture.id(1))", "secret": "\(secret)"}}
            """
        return try await fixture.send(.post, "/v1/devices", body: Array(body.utf8))
    }

    /// Provokes a problem of data sources and items.
    private func provoke(_ code: ProblemCode, with fixture: ServerFixture, _ owner: Member) async throws
        -> Answer
    {
        func declare(_ name: String, _ scope: String) async throws -> Answer {
            try await fixture.send(.put, "/v1/data-sources/\(name)", token: owner.token, json: ["scope": scope])
        }
        func change(_ json: String, _ name: String = "photos") async throws -> Answer {
            try await fixture.send(
                .patch, "/v1/data-sources/\(name)/items", token: owner.token, fields: [], body: Array(json.utf8))
        }
        #expect(try await declare("photos", "registered").status == 201)
        switch code {
        case .dataSourceNameInvalid: return try await declare("a%20b", "shared")
        case .dataSourceUnknown: return try await change(#"{"upserts": []}"#, "others")
        case .dataSourceDiffers: return try await declare("photos", "shared")
        case .tooManyDataSources:
            for number in 1..<Limits.dataSources {
                #expect(try await declare("list-\(number)", "keyed").status == 201)
            }
            return try await declare("another", "keyed")
        case .itemsNotRegistered:
            #expect(try await declare("books", "shared").status == 201)
            return try await change(#"{"upserts": []}"#, "books")
        case .identifierInvalid: return try await change("{\"removals\": [\"\"]}")
        case .aliasInvalid:
            let alias = String(repeating: "a", count: 513)
            return try await change("{\"upserts\": [{\"identifier\": \"p1\", \"aliases\": [\"\(alias)\"]}]}")
        case .tooManyAliases:
            let aliases = (0...Limits.aliases).map { "\"a\($0)\"" }.joined(separator: ",")
            return try await change("{\"upserts\": [{\"identifier\": \"p1\", \"aliases\": [\(aliases)]}]}")
        case .deltaTooLarge:
            let removals = (0...Limits.deltaItems).map { "\"p\($0)\"" }.joined(separator: ",")
            return try await change("{\"removals\": [\(removals)]}")
        case .tooManyItems:
            let items = (0...ServerFixture.itemLimit).map { "{\"identifier\": \"p\($0)\"}" }.joined(separator: ",")
            return try await change("{\"upserts\": [\(items)]}")
        case .itemContradicted:
            return try await change("{\"upserts\": [{\"identifier\": \"p1\"}], \"removals\": [\"p1\"]}")
        case .redirectLoops: return try await change("{\"redirects\": [{\"from\": \"p1\", \"to\": \"p1\"}]}")
        case .redirectTargetUnknown:
            return try await change("{\"redirects\": [{\"from\": \"p1\", \"to\": \"p2\"}]}")
        default:
            #expect(try await change("{\"upserts\": [{\"identifier\": \"p1\"}]}").status == 200)
            return try await change("{\"upserts\": [{\"identifier\": \"p2\"}], \"after\": 0}")
        }
    }

    /// Returns a refusal by the codec or the transport that becomes this code. Nil if the code has another cause.
    private func refusal(_ code: ProblemCode) -> Refusal? {
        let status: Status? =
            switch code {
            case .malformedRequest: .badRequest
            case .requestTimeout: .requestTimeout
            case .targetTooLong: .uriTooLong
            case .expectationFailed: .expectationFailed
            case .fieldsTooLarge: .requestHeaderFieldsTooLarge
            case .versionNotSupported: .httpVersionNotSupported
            case .overloaded: .serviceUnavailable
            default: nil
            }
        return status.map { Refusal($0, code: "some-reason", "Something is wrong.") }
    }

    /// Provokes a problem of the part of the admin API about apps and users.
    private func provoke(browsing code: ProblemCode) async throws -> Answer {
        let world = try await AdminWorld()
        let token = try await world.fixture.apiToken(.owner).text
        func send(
            _ method: PlacekeeperHTTP.Method, _ target: String, _ fields: [String] = [], json: [String: String] = [:]
        ) async throws -> Answer {
            let body = json.isEmpty ? [] : try JSONText.object(json)
            return try await world.fixture.send(method, target, token: token, fields: fields, body: body)
        }
        let (app, photos) = (world.user.app, world.user.photos)
        let pair = ["kind": "same", "first": "\(world.user.phone.device):x", "second": "\(world.user.pad.device):y"]
        switch code {
        case .archiveNotInspectable:
            try await world.upload(Samples.unshowable(), as: 7)
            return try await send(.get, world.user.path + "/scenes/main/archives/\(ServerFixture.id(7))")
        case .appNotFound: return try await send(.get, "/admin/api/apps/none")
        case .appExists:
            return try await send(.post, "/admin/api/apps", json: ["bundleIdentifier": "com.example.photos"])
        case .bundleIdentifierInvalid: return try await send(.post, "/admin/api/apps", json: ["bundleIdentifier": "x"])
        case .settingsInvalid:
            return try await world.fixture.send(
                .patch, app + "/settings", token: token, fields: ["If-Match: *"],
                body: Array(#"{"retainedArchives": 0}"#.utf8))
        case .settingsChanged:
            return try await send(.patch, app + "/settings", ["If-Match: \"x\""], json: ["restoration": "off"])
        case .preconditionRequired: return try await send(.patch, app + "/settings", json: ["restoration": "off"])
        case .userNotFound: return try await send(.get, app + "/users/none")
        case .contentsHidden:
            try await world.showContents(false)
            return try await send(.get, world.user.archive + "/content")
        case .itemNotFound: return try await send(.get, photos + "/items/none?device=\(world.user.phone.device)")
        case .linkInvalid:
            return try await send(.post, photos + "/decisions", json: ["kind": "same", "first": "x", "second": "y"])
        case .tooManyLinks:
            let list = ItemList(owner: try world.ownerOfData, dataSource: "photos")
            for number in 1..<Limits.links {
                let name = { (device: String) throws in
                    ItemName(device: try #require(DeviceID(device)), identifier: "\(number)")
                }
                try await world.fixture.service.lists.decide(
                    .same, try name(world.user.phone.device), try name(world.user.pad.device), note: "", in: list)
            }
            return try await send(.post, photos + "/decisions", json: pair)
        case .undoRefused:
            _ = try await world.fixture.send(.delete, "/v1/scenes/main", token: world.user.phone.token)
            return try await world.send("undeleteArchive", as: .operator)
        default:
            return try await send(
                .delete, photos + "/decisions?first=\(pair["first"] ?? "")&second=\(pair["second"] ?? "")")
        }
    }

    /// Provokes a problem of the admin API.
    private func provoke(_ code: ProblemCode, with fixture: ServerFixture) async throws -> Answer {
        let owner = try await fixture.browser("anna", .owner)
        let administrators = "/admin/api/administrators"
        func send(_ method: PlacekeeperHTTP.Method, _ target: String, json: [String: String]? = nil) async throws
            -> Answer
        {
            try await fixture.send(
                method, target, fields: owner.fields, body: try json.map(JSONText.object) ?? [])
        }
        switch code {
        case .logInRefused: return try await fixture.logIn("anna", "wrong password")
        case .secondFactorRequired:
            let id = try await fixture.service.administration.administrator(.name("anna")).id
            let factor = SecondFactor(secret: [], recoveryCodes: [])
            #expect(try await fixture.memory.replaceSecondFactor(nil, with: factor, of: id))
            return try await fixture.logIn("anna")
        case .sessionNotFound: return try await send(.delete, "/admin/api/sessions/none")
        case .setUpRefused:
            return try await send(
                .post, "/admin/api/set-up", json: ["secret": "x", "name": "ben", "password": ServerFixture.password])
        case .roleInsufficient:
            let viewer = try await fixture.browser("ben", .viewer)
            return try await fixture.send(.get, administrators, fields: viewer.fields)
        case .csrfTokenInvalid:
            return try await fixture.send(.delete, "/admin/api/session", fields: ["Cookie: \(owner.cookie)"])
        case .originNotAllowed:
            return try await fixture.send(
                .delete, "/admin/api/session", fields: owner.fields.dropLast() + ["Origin: null"])
        case .administratorNotFound:
            return try await send(.delete, administrators + "/" + ServerFixture.id(1))
        case .administratorExists:
            return try await send(
                .post, administrators,
                json: ["name": "anna", "role": "viewer", "password": ServerFixture.password])
        case .lastOwner:
            let id = try await fixture.service.administration.administrator(.name("anna")).id
            return try await send(.delete, "\(administrators)/\(id)")
        case .tokenNotFound: return try await send(.delete, "/admin/api/tokens/none")
        default: return try await fixture.send(.get, "/admin/api/session")
        }
    }
}
