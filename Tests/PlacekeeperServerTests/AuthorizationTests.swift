import HTTPCodec
import PlacekeeperAPI
import RestorationService
import Testing

@testable import PlacekeeperServer

/// Tests of each route's access rights.
@Suite struct AuthorizationTests {
    /// A user with two devices, a device of another user, and a device of another app. The second device may be
    /// revoked.
    private struct Cast {
        let fixture: ServerFixture
        let owner: Member
        let second: Member
        let stranger: Member
        let otherApp: Member
        let scenarios: [Scenario]

        init() async throws {
            fixture = try await ServerFixture(description: [0x61], settings: { $0.allowsSnapshots = true })
            owner = try await fixture.join()
            second = try await fixture.join(with: owner)
            stranger = try await fixture.join()
            let app = try await fixture.service.createApp("com.example.other")
            var settings = app.settings
            settings.allowsSnapshots = true
            try await fixture.service.replaceSettings(of: app.id, with: settings)
            otherApp = try await fixture.join(app: app.publishableKey)
            try await fixture.upload(1, by: owner)
            let code = try await fixture.send(.post, "/v1/link-codes", token: stranger.token).json(Wire.LinkCode.self)
                .code
            scenarios = try Scenario.all(device: second.device, app: fixture.app.publishableKey, code: code)
        }

        func send(_ scenario: Scenario, token: String?) async throws -> Answer {
            try await fixture.send(
                scenario.method, scenario.target, token: token, fields: scenario.fields, body: scenario.body)
        }
    }

    @Test func coversEveryRoute() async throws {
        #expect(Set(try await Cast().scenarios.map(\.route)) == Set(Route.allCases))
    }

    @Test func answersTheOwner() async throws {
        let cast = try await Cast()
        for scenario in cast.scenarios {
            let answer = try await cast.send(scenario, token: cast.owner.token)
            #expect(answer.status == scenario.expected, "\(scenario.route): \(answer.text)")
            #expect(answer[.requestID] != nil)
            #expect(answer[.contentTypeOptions] == "nosniff")
        }
    }

    @Test(arguments: [nil, "", "nonsense", "pkd_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"])
    func answersEveryInvalidTokenAlike(_ token: String?) async throws {
        let cast = try await Cast()
        var bodies: Set<String> = []
        for scenario in cast.scenarios where scenario.route.needsToken {
            let answer = try await cast.send(scenario, token: token)
            #expect(answer.status == 401, "\(scenario.route)")
            #expect(answer[.wwwAuthenticate] == "Bearer")
            bodies.insert(answer.comparable)
        }
        #expect(bodies.count == 1)
        #expect(try await cast.send(cast.scenarios[3], token: cast.owner.token).status == 200)
    }

    @Test func answersARevokedTokenLikeAMissingOne() async throws {
        let cast = try await Cast()
        #expect(try await cast.send(cast.scenarios[0], token: cast.second.token).status == 200)
        _ = try await cast.fixture.send(.delete, "/v1/devices/\(cast.second.device)", token: cast.owner.token)
        for scenario in cast.scenarios where scenario.route.needsToken {
            let revoked = try await cast.send(scenario, token: cast.second.token)
            #expect(revoked.comparable == (try await cast.send(scenario, token: nil)).comparable, "\(scenario.route)")
        }
    }

    @Test func answersOpenRoutesWithoutAToken() async throws {
        let cast = try await Cast()
        for scenario in cast.scenarios where !scenario.route.needsToken {
            #expect(try await cast.send(scenario, token: nil).status == scenario.expected, "\(scenario.route)")
        }
    }

    /// The response about the owner's resource is byte for byte the same as the response about a missing resource.
    @Test(arguments: [
        Route.readArchive, .readLatest, .readRestorable, .storeSnapshot, .readSnapshot, .reportOutcome,
        .makeHead, .deleteArchive, .revokeDevice, .explainLatest, .listArchives,
    ])
    func hidesTheOwnersResourcesFromOthers(_ route: Route) async throws {
        let cast = try await Cast()
        let scenario = try #require(cast.scenarios.first { $0.route == route })
        var missing = scenario
        missing.target = scenario.target.replacing(ServerFixture.id(1), with: ServerFixture.id(99))
            .replacing(cast.second.device, with: ServerFixture.id(99))
        if !scenario.target.contains(ServerFixture.id(1)) {
            missing.target = missing.target.replacing("/scenes/main", with: "/scenes/none")
        }
        for member in [cast.stranger, cast.otherApp] {
            let answer = try await cast.send(scenario, token: member.token)
            #expect(answer.comparable == (try await cast.send(missing, token: member.token)).comparable)
            #expect(answer.status == ([.explainLatest, .listArchives].contains(route) ? 200 : 404), "\(answer.text)")
            #expect(answer[.headRevision] == nil)
        }
        // The owner's resources still exist.
        #expect(try await cast.send(cast.scenarios[3], token: cast.owner.token).status == 200)
        #expect(try await cast.send(cast.scenarios[0], token: cast.second.token).status == 200)
    }

    @Test func listsOnlyTheCallersOwnResources() async throws {
        let cast = try await Cast()
        for member in [cast.stranger, cast.otherApp] {
            #expect(try await cast.fixture.send(.get, "/v1/places", token: member.token).text == #"{"items":[]}"#)
            let devices = try await cast.fixture.send(.get, "/v1/devices", token: member.token)
            #expect(try devices.json(Wire.Page<Wire.Device>.self).items.map(\.id) == [member.device])
            let changes = try await cast.fixture.send(.get, "/v1/changes", token: member.token)
            #expect(try changes.json(Wire.Page<Wire.Change>.self).items.allSatisfy { $0.archive == nil })
            #expect(
                try await cast.fixture.send(.get, "/v1/manifest", token: member.token).json(Wire.Manifest.self).scenes
                    .isEmpty)
        }
    }

    /// The same id names another archive for another user, and a user can only forget their own scene.
    @Test func separatesUsersWithTheSameArchiveID() async throws {
        let cast = try await Cast()
        #expect(try await cast.fixture.upload(1, by: cast.stranger).status == 201)
        #expect(try await cast.fixture.send(.delete, "/v1/scenes/main", token: cast.stranger.token).status == 204)
        #expect(try await cast.send(cast.scenarios[3], token: cast.owner.token).status == 200)
    }
}
