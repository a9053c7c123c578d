import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperServer

@Suite struct RateLimitTests {
    static let peer = "203.0.113.7"

    /// Reads the device's own data from an address that is not on this machine.
    private func read(_ fixture: ServerFixture, _ member: Member, peer: String = Self.peer) async throws -> Answer {
        try await fixture.send(.get, "/v1/devices/self", token: member.token, peer: peer)
    }

    @Test func limitsTheRequestsOfADevice() async throws {
        let fixture = try await ServerFixture { settings in
            settings.rateLimits.deviceBurst = 4
            settings.rateLimits.devicePerSecond = 1
        }
        let member = try await fixture.join()
        let other = try await fixture.join(with: member)
        var policies: [String?] = []
        var states: [String?] = []
        for _ in 0..<4 {
            let answer = try await read(fixture, member)
            #expect(answer.status == 200)
            policies.append(answer[.rateLimitPolicy])
            states.append(answer[.rateLimit])
        }
        #expect(policies == [nil, nil, "\"device\";q=4;w=4", "\"device\";q=4;w=4"])
        #expect(states == [nil, nil, "\"device\";r=1;t=3", "\"device\";r=0;t=4"])
        for _ in 0..<10 {
            let refused = try await read(fixture, member)
            #expect(refused.status == 429)
            #expect(refused.code == .throttled)
            #expect(refused[.retryAfter] == "1")
            #expect(refused[.rateLimitPolicy] == "\"device\";q=4;w=4")
            #expect(refused[.rateLimit] == "\"device\";r=0;t=1")
        }
        #expect(try await read(fixture, other).status == 200, "another device of the same user is not affected")
        fixture.clock.advance(.seconds(1))
        #expect(try await read(fixture, member).status == 200)
        #expect(try await read(fixture, member).status == 429)
    }

    @Test func limitsTheRequestsOfAllDevicesOfAUserTogether() async throws {
        let fixture = try await ServerFixture { settings in
            settings.rateLimits.userBurst = 5
            settings.rateLimits.userPerSecond = 2
        }
        let first = try await fixture.join()
        let second = try await fixture.join(with: first)
        let stranger = try await fixture.join()
        for index in 0..<5 { #expect(try await read(fixture, index < 3 ? first : second).status == 200) }
        for member in [first, second] {
            let refused = try await read(fixture, member)
            #expect(refused.code == .throttled)
            #expect(refused[.rateLimitPolicy] == "\"user\";q=5;w=3")
            #expect(refused[.rateLimit] == "\"user\";r=0;t=1")
        }
        #expect(try await read(fixture, stranger).status == 200, "another user is not affected")
    }

    @Test func limitsTheRequestsOfAnAppOnlyIfConfigured() async throws {
        let fixture = try await ServerFixture { settings in
            settings.rateLimits.appBurst = 3
            settings.rateLimits.appPerSecond = 1
        }
        let unlimited = try await fixture.service.apps.createApp("com.example.notes")
        let members = [try await fixture.join(), try await fixture.join()]
        let stranger = try await fixture.join(app: unlimited.publishableKey)
        for index in 0..<3 { #expect(try await read(fixture, members[index % 2]).status == 200) }
        let refused = try await read(fixture, members[0])
        #expect(refused.code == .throttled)
        #expect(refused[.rateLimitPolicy] == "\"app\";q=3;w=3")
        #expect(refused[.rateLimit] == "\"app\";r=0;t=1")
        for _ in 0..<10 { #expect(try await read(fixture, stranger).status == 200, "another app is not affected") }
    }

    @Test func refusedRequestsOfADeviceDoNotUseUpTheUsersQuota() async throws {
        let fixture = try await ServerFixture { settings in
            settings.rateLimits.deviceBurst = 2
            settings.rateLimits.userBurst = 3
            settings.rateLimits.userPerSecond = 1
            settings.rateLimits.devicePerSecond = 1
        }
        let first = try await fixture.join()
        let second = try await fixture.join(with: first)
        for _ in 0..<20 { _ = try await read(fixture, first) }
        let answer = try await read(fixture, second)
        #expect(answer.status == 200)
        #expect(answer[.rateLimitPolicy] == "\"user\";q=3;w=3")
        #expect(answer[.rateLimit] == "\"user\";r=0;t=3")
    }

    @Test func doesNotLimitRequestsFromThisMachine() async throws {
        var configuration = Server.Configuration()
        configuration.clientAddressField = "X-Forwarded-For"
        let fixture = try await ServerFixture(configuration) { settings in
            settings.rateLimits.deviceBurst = 1
            settings.rateLimits.userBurst = 1
            settings.rateLimits.appPerSecond = 1
            settings.rateLimits.appBurst = 1
        }
        let member = try await fixture.join()
        for _ in 0..<20 {
            let answer = try await read(fixture, member, peer: "127.0.0.1")
            #expect(answer.status == 200)
            #expect(answer[.rateLimit] == nil)
        }
        let fields = ["X-Forwarded-For: \(Self.peer)"]
        let statuses = [
            try await fixture.send(.get, "/v1/devices/self", token: member.token, fields: fields).status,
            try await fixture.send(.get, "/v1/devices/self", token: member.token, fields: fields).status,
        ]
        #expect(statuses == [200, 429], "requests through a proxy on this machine are limited")
    }

    @Test func limitsTheNewUsersOfAnApp() async throws {
        let fixture = try await ServerFixture { settings in
            settings.rateLimits.registrationBurst = 2
            settings.rateLimits.registrationsPerDay = 86_400
        }
        let inviter = try await fixture.join()
        let code = try await fixture.send(.post, "/v1/link-codes", token: inviter.token).json(Wire.LinkCode.self).code
        func register(_ host: Int, code: String? = nil) async throws -> Answer {
            var body = ["app": fixture.app.publishableKey, "idiom": "phone"]
            body["linkCode"] = code
            return try await fixture.send(.post, "/v1/devices", json: body, peer: "203.0.113.\(host)")
        }
        for host in 1...2 { #expect(try await register(host).status == 201) }
        let refused = try await register(3)
        #expect(refused.code == .throttled)
        #expect(refused[.retryAfter] == "1")
        #expect(refused[.rateLimitPolicy] == "\"app-registrations\";q=2;w=2")
        #expect(refused[.rateLimit] == "\"app-registrations\";r=0;t=1")
        #expect(try await register(4, code: code).status == 201, "a link code makes no new user")
        for _ in 0..<5 { _ = try await fixture.join() }
        fixture.clock.advance(.seconds(1))
        #expect(try await register(5).status == 201)
        #expect(try await register(6).status == 429)
    }

    /// A client that missed the answer registers again with the same installation.
    @Test func countsOnlyNewUsersTowardTheLimitOfNewUsers() async throws {
        let fixture = try await ServerFixture { settings in
            settings.rateLimits.registrationBurst = 3
            settings.rateLimits.registrationsPerDay = 1
        }
        func register(_ installation: String, host: Int) async throws -> Answer {
            let body = """
                {"app": "\(fixture.app.publishableKey)", "idiom": "phone", "installation": \
                {"id": "2f0c7c1e-6a54-4c0b-8a43-\(installation)", "secret": "9Zq3uXnQmGJw0a4m1Z8pV7c2LrT5yKf"}}
                """
            return try await fixture.send(
                .post, "/v1/devices", fields: ["Content-Type: application/json"], body: Array(body.utf8),
                peer: "203.0.113.\(host)")
        }
        let first = try await register("000000000001", host: 1)
        #expect(first.status == 201)
        for host in 2...6 {
            let again = try await register("000000000001", host: host)
            #expect(try again.json(Wire.Registered.self).device == first.json(Wire.Registered.self).device)
        }
        for number in 2...3 { #expect(try await register("00000000000\(number)", host: 7).status == 201) }
        #expect(try await register("000000000004", host: 8)[.rateLimitPolicy]?.contains("app-registrations") == true)
        #expect(try await register("000000000001", host: 8).status == 201, "a known installation makes no new user")
    }

    @Test func limitsUnknownTokensOfANetwork() async throws {
        let (fixture, used) = try await ServerFixture().withDevice()
        let unused = try await fixture.join()
        #expect(try await read(fixture, used).status == 200)
        func guess(_ number: Int, peer: String = Self.peer) async throws -> Answer {
            let digits = String(number)
            let token = "pkd_" + String(repeating: "x", count: 43 - digits.count) + digits
            return try await fixture.send(.get, "/v1/devices/self", token: token, peer: peer)
        }
        for number in 0..<100 { #expect(try await guess(number).status == 401) }
        let refused = try await guess(100)
        #expect(refused.code == .throttled)
        #expect(refused[.rateLimitPolicy] == "\"unknown-tokens\";q=100;w=100")
        #expect(refused[.rateLimit] == "\"unknown-tokens\";r=0;t=1")
        #expect(try await read(fixture, used).status == 200, "a token that was used recently is not affected")
        #expect(try await read(fixture, unused).status == 429, "the token is not looked up in the store")
        #expect(try await read(fixture, unused, peer: "203.0.113.8").status == 200, "other networks are not affected")
        #expect(try await guess(101, peer: "127.0.0.1").status == 401)
        fixture.clock.advance(.seconds(1))
        #expect(try await guess(102).status == 401)
    }

    @Test func doesNotCountAMissingTokenAsAGuess() async throws {
        let fixture = try await ServerFixture()
        for token in [nil, "none"] {
            for _ in 0..<101 {
                let answer = try await fixture.send(.get, "/v1/devices/self", token: token, peer: Self.peer)
                #expect(answer.status == 401)
            }
        }
    }
}
