import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperServer

@Suite struct DevicesTests {
    @Test func registersADeviceOfANewUser() async throws {
        let fixture = try await ServerFixture()
        let answer = try await fixture.send(
            .post, "/v1/devices",
            json: [
                "app": fixture.app.publishableKey, "idiom": "vision", "model": "RealityDevice14,1", "name": "Vision",
            ])
        #expect(answer.status == 201)
        #expect(answer[.location] == "/v1/devices/self")
        let registered = try answer.json(Wire.Registered.self)
        let own = try await fixture.send(.get, "/v1/devices/self", token: registered.token).json(Wire.Device.self)
        #expect(own.id == registered.device)
        #expect(own.user == registered.user)
        #expect(own.idiom == .vision)
        #expect(own.model == "RealityDevice14,1")
        #expect(own.name == "Vision")
        #expect(own.isSelf)
        #expect(try await fixture.join().user != registered.user)
    }

    @Test func acceptsALinkCodeOnce() async throws {
        let (fixture, first) = try await ServerFixture().withDevice()
        let made = try await fixture.send(.post, "/v1/link-codes", token: first.token)
        #expect(made.status == 201)
        let code = try made.json(Wire.LinkCode.self)
        #expect(code.expiresAt.milliseconds == fixture.clock.now().milliseconds + 600_000)
        let body = ["app": fixture.app.publishableKey, "idiom": "pad", "linkCode": code.code]
        let second = try await fixture.send(.post, "/v1/devices", json: body).json(Wire.Registered.self)
        #expect(second.user == first.user)
        #expect(try await fixture.send(.post, "/v1/devices", json: body).code == .linkCodeInvalid)
        let devices = try await fixture.send(.get, "/v1/devices", token: first.token)
            .json(Wire.Page<Wire.Device>.self).items
        #expect(Set(devices.map(\.id)) == [first.device, second.device])
        #expect(devices.filter(\.isSelf).map(\.id) == [first.device])
    }

    @Test func movesADeviceWithItsArchives() async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        let mover = try await fixture.join()
        try await fixture.upload(1, by: mover)
        let code = try await fixture.send(.post, "/v1/link-codes", token: owner.token).json(Wire.LinkCode.self).code
        let moved = try await fixture.send(.post, "/v1/devices/self/link", token: mover.token, json: ["code": code])
        #expect(moved.status == 200)
        #expect(try moved.json(Wire.Device.self).user == owner.user)
        #expect(
            try await fixture.send(.get, "/v1/scenes/main/archives/\(ServerFixture.id(1))", token: owner.token).status
                == 200)
    }

    @Test func letsADeviceRevokeItself() async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        #expect(try await fixture.send(.delete, "/v1/devices/self", token: owner.token).status == 204)
        #expect(try await fixture.send(.get, "/v1/devices/self", token: owner.token).status == 401)
    }

    @Test func throttlesRegistrationsByAddressButNotOnLoopback() async throws {
        var configuration = Server.Configuration()
        configuration.registrationBurst = 2
        configuration.registrationInterval = .seconds(30)
        let fixture = try await ServerFixture(configuration)
        func register(_ peer: String) async throws -> Answer {
            try await fixture.send(
                .post, "/v1/devices", json: ["app": fixture.app.publishableKey, "idiom": "phone"], peer: peer)
        }
        for peer in ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"] {
            for _ in 0..<4 { #expect(try await register(peer).status == 201) }
        }
        for _ in 0..<2 { #expect(try await register("203.0.113.7").status == 201) }
        let refused = try await register("203.0.113.7")
        #expect(refused.code == .throttled)
        #expect(refused[.retryAfter] == "30")
        #expect(refused[.rateLimitPolicy] == "\"registrations\";q=2;w=60")
        #expect(refused[.rateLimit] == "\"registrations\";r=0;t=30")
        #expect(try await register("203.0.113.8").status == 201)
        fixture.clock.advance(.seconds(30))
        #expect(try await register("203.0.113.7").status == 201)
        #expect(try await register("203.0.113.7").status == 429)
    }

    /// A page of any origin may send a body of these types, or one without a type, without a preflight.
    @Test(arguments: [
        (["Content-Type: text/plain"], 415), (["Content-Type: application/x-www-form-urlencoded"], 415),
        (["Origin: https://b.example"], 415), (["Content-Type: application/json; charset=utf-8"], 201), ([], 201),
    ])
    func registersOnlyWhatIsJSON(_ fields: [String], _ status: Int) async throws {
        let fixture = try await ServerFixture()
        let body = try JSONText.object(["app": fixture.app.publishableKey, "idiom": "phone"])
        #expect(try await fixture.send(.post, "/v1/devices", fields: fields, body: body).status == status)
    }

    @Test func throttlesAllAddressesOfANetworkTogether() async throws {
        var configuration = Server.Configuration()
        configuration.registrationBurst = 1
        let fixture = try await ServerFixture(configuration)
        let body = try JSONText.object(["app": fixture.app.publishableKey, "idiom": "phone"])
        for (peer, status) in [("2001:db8::1", 201), ("2001:db8::2", 429), ("2001:db8:0:1::1", 201)] {
            #expect(try await fixture.send(.post, "/v1/devices", body: body, peer: peer).status == status)
        }
    }

    @Test func ignoresTheAddressFieldUnlessConfigured() async throws {
        var configuration = Server.Configuration()
        configuration.registrationBurst = 1
        let fixture = try await ServerFixture(configuration)
        let body = try JSONText.object(["app": fixture.app.publishableKey, "idiom": "phone"])
        for _ in 1...2 {
            let fields = ["X-Forwarded-For: 203.0.113.7"]
            #expect(try await fixture.send(.post, "/v1/devices", fields: fields, body: body).status == 201)
        }
    }

    @Test func countsWrongLinkCodesByTheAddressFromALocalProxy() async throws {
        var configuration = Server.Configuration()
        configuration.clientAddressField = "X-Forwarded-For"
        let fixture = try await ServerFixture(configuration)
        func guess(_ client: String) async throws -> Answer {
            let device = try await fixture.join()
            return try await fixture.send(
                .post, "/v1/devices/self/link", token: device.token, fields: ["X-Forwarded-For: \(client)"],
                json: ["code": "00000000"])
        }
        for _ in 0..<10 { #expect(try await guess("203.0.113.7").code == .linkCodeInvalid) }
        #expect(try await guess("203.0.113.7").code == .throttled)
        #expect(try await guess("203.0.113.8").code == .linkCodeInvalid)
    }

    @Test func throttlesGuessesOfLinkCodesWhateverTheRoute() async throws {
        let (fixture, device) = try await ServerFixture().withDevice()
        func guess(_ registers: Bool) async throws -> Answer {
            if registers {
                return try await fixture.send(
                    .post, "/v1/devices",
                    json: ["app": fixture.app.publishableKey, "idiom": "phone", "linkCode": "00000000"])
            }
            return try await fixture.send(
                .post, "/v1/devices/self/link", token: device.token, json: ["code": "00000000"])
        }
        for number in 0..<10 { #expect(try await guess(number.isMultiple(of: 3)).code == .linkCodeInvalid) }
        #expect(try await guess(true).code == .throttled)
        #expect(try await guess(false).code == .throttled)
        _ = try await fixture.join()
    }

    @Test(arguments: [true, false])
    func throttlesGuessesOfLinkCodesOnLoopback(_ registers: Bool) async throws {
        let fixture = try await ServerFixture()
        func guess() async throws -> Answer {
            if registers {
                return try await fixture.send(
                    .post, "/v1/devices",
                    json: ["app": fixture.app.publishableKey, "idiom": "phone", "linkCode": "00000000"])
            }
            // Each guess comes from a new device, because an attacker can register devices freely.
            let device = try await fixture.join()
            return try await fixture.send(
                .post, "/v1/devices/self/link", token: device.token, json: ["code": "00000000"])
        }
        for _ in 0..<10 { #expect(try await guess().code == .linkCodeInvalid) }
        let refused = try await guess()
        #expect(refused.code == .throttled)
        #expect(refused[.retryAfter] == "60")
        fixture.clock.advance(.seconds(60))
        #expect(try await guess().code == .linkCodeInvalid)
    }
}
