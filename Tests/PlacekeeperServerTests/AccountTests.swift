import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperServer

/// Tests of registering again, signing in and out, and tokens.
@Suite struct AccountTests {
    private static let secret = "9Zq3uXnQmGJw0a4m1Z8pV7c2LrT5yKfHbEsD6xNoWiU"

    /// Registers an installation.
    private func register(
        _ number: Int = 1, secret: String = secret, in fixture: ServerFixture, with member: String = ""
    ) async throws -> Answer {
        let body = """
            {"app": "\(fixture.app.publishableKey)", "idiom": "phone"\(member),
            "installation": {"id": "\(ServerFixture.id(number))", "secret": "\(secret)"}}
            """
        return try await fixture.send(.post, "/v1/devices", body: Array(body.utf8))
    }

    private func isValid(_ token: String, in fixture: ServerFixture) async throws -> Bool {
        try await fixture.send(.get, "/v1/devices/self", token: token).status == 200
    }

    @Test func givesAKnownInstallationTheSameDeviceWithANewToken() async throws {
        let fixture = try await ServerFixture()
        let first = try await register(in: fixture).json(Wire.Registered.self)
        let again = try await register(in: fixture)
        #expect(again.status == 201)
        let second = try again.json(Wire.Registered.self)
        #expect(second.device == first.device && second.user == first.user && second.token != first.token)
        #expect(try await isValid(first.token, in: fixture))
        #expect(try await isValid(second.token, in: fixture))
        fixture.clock.advance(.seconds(60))
        #expect(try await !isValid(first.token, in: fixture))
        #expect(try await isValid(second.token, in: fixture))
        #expect(try await register(2, in: fixture).json(Wire.Registered.self).device != first.device)
    }

    @Test func acceptsAUsedLinkCodeAgainFromTheInstallationThatUsedIt() async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        let code = try await fixture.send(.post, "/v1/link-codes", token: owner.token).json(Wire.LinkCode.self).code
        let member = #", "linkCode": "\#(code)""#
        let first = try await register(in: fixture, with: member).json(Wire.Registered.self)
        #expect(first.user == owner.user)
        let again = try await register(in: fixture, with: member).json(Wire.Registered.self)
        #expect(again.device == first.device && again.user == owner.user)
        #expect(try await register(2, in: fixture, with: member).code == .linkCodeInvalid)
    }

    @Test func rejectsALinkCodeTogetherWithASignInToken() async throws {
        let fixture = try await ServerFixture()
        let answer = try await register(in: fixture, with: #", "linkCode": "7K3M9QXA", "signInToken": "subject anna""#)
        #expect(answer.code == .invalidBody && answer.problem?.pointer == "/signInToken")
    }

    @Test func rejectsAnInstallationWhoseIDIsNoUUID() async throws {
        let fixture = try await ServerFixture()
        let body = """
            {"app": "\(fixture.app.publishableKey)", "idiom": "phone",
            "installation": {"id": "1", "secret": "\(Self.secret)"}}
            """
        let answer = try await fixture.send(.post, "/v1/devices", body: Array(body.utf8))
        #expect(answer.code == .invalidBody && answer.problem?.pointer == "/installation/id")
    }

    @Test func registersWithASignInTokenIfTheAppNeedsOne() async throws {
        let fixture = try await ServerFixture { $0.registration = .token }
        #expect(try await register(in: fixture).code == .signInRequired)
        #expect(try await register(in: fixture, with: #", "signInToken": "nonsense""#).code == .signInTokenInvalid)
        let first = try await register(in: fixture, with: #", "signInToken": "subject anna""#)
        let registered = try first.json(Wire.Registered.self)
        // The secret of a known installation is enough.
        #expect(try await register(in: fixture).json(Wire.Registered.self).device == registered.device)
        let code = try await fixture.send(.post, "/v1/link-codes", token: registered.token)
            .json(Wire.LinkCode.self).code
        let invited = try await register(2, in: fixture, with: #", "linkCode": "\#(code)""#)
        #expect(try invited.json(Wire.Registered.self).user == registered.user)
    }

    @Test func movesTheAnonymousPlacesToTheAccount() async throws {
        let (fixture, phone) = try await ServerFixture().withDevice()
        #expect(try await fixture.signIn(phone, as: "anna").json(Wire.Device.self).isSignedIn)
        try await fixture.upload(1, by: phone)
        let pad = try await fixture.join("pad")
        try await fixture.upload(2, by: pad)
        let signedIn = try await fixture.signIn(pad, as: "anna").json(Wire.Device.self)
        #expect(signedIn.user == phone.user && signedIn.id == pad.device)
        let history = try await fixture.send(.get, "/v1/scenes/main/archives", token: pad.token)
        #expect(try history.json(Wire.Page<Wire.Archive>.self).items.count == 2)
    }

    @Test func answersEveryInvalidSignInTokenAlike() async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        var answers: Set<String> = []
        for token in ["", "subject ", "a.b.c", String(repeating: "x", count: 9000), "subject \u{7F}"] {
            let answer = try await fixture.send(
                .post, "/v1/devices/self/sign-in", token: owner.token, json: ["token": token])
            #expect(answer.status == 401 && answer[.wwwAuthenticate] == "Bearer")
            answers.insert(answer.comparable)
        }
        #expect(answers.count == 1)
    }

    @Test func signsOutForANewAnonymousUser() async throws {
        let (fixture, phone) = try await ServerFixture().withDevice()
        _ = try await fixture.signIn(phone, as: "anna")
        try await fixture.upload(1, by: phone)
        let answer = try await fixture.send(
            .post, "/v1/devices/self/sign-out", token: phone.token, json: ["next": "anonymous"])
        #expect(answer.status == 201 && answer[.location] == "/v1/devices/self")
        let fresh = try answer.json(Wire.Registered.self)
        #expect(fresh.user != phone.user && fresh.device != phone.device)
        #expect(try await !isValid(phone.token, in: fixture))
        #expect(try await fixture.send(.get, "/v1/places", token: fresh.token).text == #"{"items":[]}"#)
        // The account keeps its data.
        let pad = try await fixture.join()
        #expect(try await fixture.signIn(pad, as: "anna").json(Wire.Device.self).user == phone.user)
        #expect(try await fixture.send(.get, "/v1/places", token: pad.token).text.contains(ServerFixture.id(1)))
    }

    @Test func countsOnlyASignOutThatMakesANewUser() async throws {
        let fixture = try await ServerFixture { settings in
            settings.rateLimits.registrationBurst = 1
            settings.rateLimits.registrationsPerDay = 1
        }
        let (guest, phone) = (try await fixture.join(), try await fixture.join())
        #expect(try await fixture.signIn(phone, as: "anna").status == 200)
        func signOut(_ token: String) async throws -> Answer {
            try await fixture.send(.post, "/v1/devices/self/sign-out", token: token, json: ["next": "anonymous"])
        }
        for _ in 0..<3 { #expect(try await signOut(guest.token).code == .notSignedIn) }
        #expect(try await signOut(phone.token).status == 201)
    }

    @Test func signsOutWithoutANextUser() async throws {
        let fixture = try await ServerFixture { $0.registration = .token }
        let registered = try await register(in: fixture, with: #", "signInToken": "subject anna""#)
            .json(Wire.Registered.self)
        func signOut(_ next: String) async throws -> Answer {
            try await fixture.send(
                .post, "/v1/devices/self/sign-out", token: registered.token, json: ["next": next])
        }
        #expect(try await signOut("anonymous").code == .signInRequired)
        #expect(try await isValid(registered.token, in: fixture))
        #expect(try await signOut("none").status == 204)
        #expect(try await signOut("none").status == 401)
    }

    @Test func replacesATokenAndKeepsTheOldOneForAMinute() async throws {
        let (fixture, phone) = try await ServerFixture().withDevice()
        let answer = try await fixture.send(.post, "/v1/devices/self/token", token: phone.token)
        #expect(answer.status == 201)
        let new = try answer.json(Wire.NewToken.self)
        #expect(new.access == .full && new.token != phone.token)
        fixture.clock.advance(.milliseconds(59_999))
        #expect(try await isValid(phone.token, in: fixture))
        fixture.clock.advance(.milliseconds(1))
        #expect(try await !isValid(phone.token, in: fixture))
        let body = Array(#"{"revokesPrevious": true}"#.utf8)
        let last = try await fixture.send(.post, "/v1/devices/self/token", token: new.token, body: body)
            .json(Wire.NewToken.self)
        #expect(try await !isValid(new.token, in: fixture))
        #expect(try await isValid(last.token, in: fixture))
    }

    @Test func endsTheStreamOfAReplacedTokenWhenTheTokenExpires() async throws {
        let (fixture, phone) = try await ServerFixture().withDevice()
        var stream = EventReader(try await fixture.send(.get, "/v1/events", token: phone.token))
        #expect(await stream.next() != nil)
        _ = try await fixture.send(.post, "/v1/devices/self/token", token: phone.token)
        #expect(await stream.next() == ":\n\n", "the old token is still valid")
        fixture.clock.advance(.seconds(60))
        fixture.server.sendHeartbeats()
        #expect(await stream.next() == nil)
    }

    @Test func endsTheStreamOfARevokedTokenAtOnce() async throws {
        let (fixture, phone) = try await ServerFixture().withDevice()
        var stream = EventReader(try await fixture.send(.get, "/v1/events", token: phone.token))
        #expect(await stream.next() != nil)
        let body = Array(#"{"revokesPrevious": true}"#.utf8)
        _ = try await fixture.send(.post, "/v1/devices/self/token", token: phone.token, body: body)
        #expect(await stream.next() == nil)
    }

    @Test func endsTheStreamOfADeviceThatSignsOut() async throws {
        let (fixture, phone) = try await ServerFixture().withDevice()
        _ = try await fixture.signIn(phone, as: "anna")
        var stream = EventReader(try await fixture.send(.get, "/v1/events", token: phone.token))
        #expect(await stream.next() != nil)
        _ = try await fixture.send(.post, "/v1/devices/self/sign-out", token: phone.token, json: ["next": "none"])
        #expect(await stream.next() == nil)
    }

    @Test func recordsNoServingForAReadOnlyToken() async throws {
        let (fixture, phone, pad) = try await ServerFixture().withDevices()
        try await fixture.upload(1, by: phone)
        let reading = try await fixture.send(
            .post, "/v1/devices/self/token", token: pad.token, json: ["access": "readOnly"]
        ).json(Wire.NewToken.self).token
        let latest = "/v1/scenes/main/archives/latest?idiom=phone&bundleVersion=42&systemVersion=17"
        let outcome = "/v1/scenes/main/archives/\(ServerFixture.id(1))/outcomes"
        let began = ["result": "began", "idiom": "phone"]
        #expect(try await fixture.send(.get, latest, token: reading).status == 200)
        #expect(try await fixture.send(.post, outcome, token: pad.token, json: began).code == .outcomeNotServed)
        #expect(try await fixture.send(.post, outcome, token: reading, json: began).code == .readOnly)
        #expect(try await fixture.send(.get, latest, token: pad.token).status == 200)
        #expect(try await fixture.send(.post, outcome, token: pad.token, json: began).status == 204)
    }

    @Test func changesTheDescriptionOfTheDevice() async throws {
        let (fixture, phone) = try await ServerFixture().withDevice()
        func patch(_ body: String) async throws -> Answer {
            try await fixture.send(.patch, "/v1/devices/self", token: phone.token, body: Array(body.utf8))
        }
        let changed = try await patch(#"{"name": "Sea", "systemVersion": "18.2", "idiom": "pad"}"#)
            .json(Wire.Device.self)
        #expect(changed.name == "Sea" && changed.systemVersion == "18.2" && changed.idiom == .pad)
        #expect(changed.model == "iPhone16,1")
        #expect(try await patch(#"{"name": null}"#).json(Wire.Device.self).name == nil)
        let own = try await fixture.send(.get, "/v1/devices/self", token: phone.token).json(Wire.Device.self)
        #expect(own.name == nil && own.systemVersion == "18.2")
        #expect(try await patch(#"{"idiom": "unspecified"}"#).code == .idiomRequired)
        #expect(try await patch(#"{"model": "\#(String(repeating: "x", count: 129))"}"#).code == .deviceTextInvalid)
        #expect(try await patch(#"{"idiom": null}"#).code == .invalidBody)
    }
}
