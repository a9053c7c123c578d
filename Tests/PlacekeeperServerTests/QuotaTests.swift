import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperServer

@Suite struct QuotaTests {
    private func limits(_ fixture: ServerFixture, _ member: Member) async throws -> Wire.Limits {
        try await fixture.send(.get, "/v1/limits", token: member.token).json(Wire.Limits.self)
    }

    @Test func tellsACallerTheQuotasAndTheUsage() async throws {
        let fixture = try await ServerFixture { settings in
            settings.quotas.userArchives = 7
            settings.quotas.appBytes = nil
        }
        let member = try await fixture.join()
        _ = try await fixture.join(with: member)
        try await fixture.upload(1, by: member)
        let answer = try await limits(fixture, member)
        let size = try Samples.archive(1, place: "Albums").count
        #expect(answer.usage == Wire.Limits.Usage(bytes: size, archives: 1, devices: 2))
        #expect(
            answer.quotas
                == Wire.Limits.Quotas(
                    userBytes: 256 << 20, anonymousBytes: 32 << 20, userArchives: 7, userDevices: 256,
                    userScenes: 256, appBytes: nil, appUsers: nil, appDevices: nil))
        #expect(answer.scenes == 256)
        #expect(answer.changes == 1000)
    }

    @Test func tellsARequestWithoutATokenOnlyTheLimits() async throws {
        let answer = try await ServerFixture().send(.get, "/v1/limits").json(Wire.Limits.self)
        #expect(answer.quotas == nil && answer.usage == nil)
        #expect(answer.scenes == 256)
    }

    @Test func refusesMoreScenesThanTheAppsQuotaAndSaysWhatToDo() async throws {
        let fixture = try await ServerFixture { $0.quotas.userScenes = 2 }
        let member = try await fixture.join()
        for number in 1...2 {
            #expect(try await fixture.upload(number, by: member, scene: "document-\(number)").status == 201)
        }
        let refused = try await fixture.upload(3, by: member, scene: "document-3")
        #expect(refused.status == 409 && refused.problem?.code == "too-many-scenes")
        #expect(refused.problem?.details == ["quota": "userScenes", "limit": "2"])
        #expect(
            refused.problem?.detail == """
                A user of this app can have at most 2 scenes with archives, and 4096 scenes including those that were \
                forgotten in the last 30 days. Forget scenes that are no longer needed, or ask an operator to raise the \
                app's quota userScenes, to at most 10000.
                """)
        #expect(try await fixture.upload(4, by: member, scene: "document-2").status == 201)
        #expect(try await limits(fixture, member).scenes == 2)
    }

    @Test(arguments: ["Bearer pkd_" + String(repeating: "A", count: 43), "Bearer nonsense", "Basic YTpi", "Bearer"])
    func refusesAnInvalidTokenForTheLimits(_ authorization: String) async throws {
        let fixture = try await ServerFixture()
        let answer = try await fixture.send(.get, "/v1/limits", fields: ["Authorization: \(authorization)"])
        #expect(answer.code == .unauthorized)
        #expect(answer[.wwwAuthenticate] == "Bearer")
    }

    @Test func limitsRequestsForTheLimitsWithAToken() async throws {
        let fixture = try await ServerFixture { settings in
            settings.rateLimits.deviceBurst = 1
            settings.rateLimits.devicePerSecond = 1
        }
        let member = try await fixture.join()
        func read() async throws -> Answer {
            try await fixture.send(.get, "/v1/limits", token: member.token, peer: RateLimitTests.peer)
        }
        #expect(try await read().status == 200)
        #expect(try await read().code == .throttled)
    }

    @Test func refusesAnUploadBeyondAQuotaWithTheQuotaItsLimitAndTheUse() async throws {
        let fixture = try await ServerFixture { settings in
            settings.quotas.anonymousBytes = 1500
            settings.allowsScreenshots = true
        }
        let member = try await fixture.join()
        let size = try Samples.archive(1, place: "Albums").count
        var number = 0
        var refused: Answer?
        while refused == nil, number < 100 {
            number += 1
            let answer = try await fixture.upload(number, by: member, scene: "document-\(number)")
            if answer.status != 201 { refused = answer }
        }
        let answer = try #require(refused)
        #expect(answer.status == 409)
        #expect(answer.code == .quotaExceeded)
        let problem = try #require(answer.problem)
        #expect(problem.details?["quota"] == "anonymousBytes" && problem.details?["limit"] == "1500")
        let used = try await limits(fixture, member).usage?.bytes
        #expect(problem.details?["used"].flatMap { Int($0) } == used && (used ?? 0) > 1500 - size - 10)
        #expect(problem.detail.contains("Sign in to an account") && !problem.detail.contains("--set"))

        let screenshot = Samples.png + [UInt8](repeating: 0, count: 1500)
        let target = "/v1/scenes/document-1/archives/\(ServerFixture.id(1))"
        #expect(
            try await fixture.send(.put, target + "/screenshot", token: member.token, body: screenshot).code
                == .quotaExceeded)
        #expect(try await fixture.send(.get, target, token: member.token).status == 200)
        #expect(try await fixture.send(.delete, target, token: member.token).status == 204)
        #expect(try await fixture.upload(number, by: member, scene: "document-\(number)").status == 201)
        let other = try await fixture.join()
        #expect(try await fixture.upload(900, by: other).status == 201)
    }

    @Test func tellsTheLimitOfDevicesToADeviceThatSignsIn() async throws {
        let fixture = try await ServerFixture { $0.quotas.userDevices = 1 }
        func signIn(_ member: Member) async throws -> Answer {
            try await fixture.send(
                .post, "/v1/devices/self/sign-in", token: member.token, json: ["token": "subject anna"])
        }
        #expect(try await signIn(fixture.join()).status == 200)
        let refused = try await signIn(fixture.join())
        #expect(refused.code == .tooManyDevices)
        #expect(refused.problem?.details == ["quota": "userDevices", "limit": "1"])
        #expect(refused.problem?.detail.contains("Revoke an unused device") == true)
        #expect(refused.problem?.detail.contains("code") == false)
    }

    @Test func refusesItemsAndNewUsersBeyondAQuota() async throws {
        let fixture = try await ServerFixture { settings in
            settings.quotas.userBytes = 10
            settings.quotas.appUsers = 1
        }
        let member = try await fixture.join()
        let source = "/v1/data-sources/photos"
        _ = try await fixture.send(.put, source, token: member.token, json: ["scope": "registered"])
        let items = Array(#"{"upserts": [{"identifier": "a long identifier"}]}"#.utf8)
        let refused = try await fixture.send(
            .patch, source + "/items", token: member.token, fields: ["Content-Type: application/json"], body: items)
        #expect(refused.code == .quotaExceeded)
        let joined = try await fixture.send(
            .post, "/v1/devices", json: ["app": fixture.app.publishableKey, "idiom": "phone"])
        #expect(joined.code == .quotaExceeded)
        #expect(joined.problem?.details?["quota"] == "appUsers")
        _ = try await fixture.join(with: member)
    }
}
