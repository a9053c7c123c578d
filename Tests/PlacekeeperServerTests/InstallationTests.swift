import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

/// Tests of an installation pair that registers several times, and after a sign-out (docs/accounts.md).
@Suite struct InstallationTests {
    private let fixture: ServerFixture

    init() async throws { fixture = try await ServerFixture() }

    private func register() async throws -> Wire.Registered {
        let body = """
            {"app": "\(fixture.app.publishableKey)", "idiom": "phone",
            "installation": {"id": "\(ServerFixture.id(1))", "secret": "9Zq3uXnQmGJw0a4m1Z8pV7c2LrT5yKfHbEsD6xNoWiU"}}
            """
        return try await fixture.send(.post, "/v1/devices", body: Array(body.utf8)).json(Wire.Registered.self)
    }

    private func isValid(_ token: String) async throws -> Bool {
        try await fixture.send(.get, "/v1/devices/self", token: token).status == 200
    }

    private func signOut(_ device: Wire.Registered, next: String) async throws -> Answer {
        let signedIn = try await fixture.send(
            .post, "/v1/devices/self/sign-in", token: device.token, json: ["token": "subject anna"])
        #expect(signedIn.status == 200)
        return try await fixture.send(
            .post, "/v1/devices/self/sign-out", token: device.token, json: ["next": next])
    }

    @Test func keepsOneEarlierTokenForTheClientThatMissedTheAnswer() async throws {
        let (first, second, third) = (try await register(), try await register(), try await register())
        #expect(try await !isValid(first.token))
        #expect(try await isValid(second.token))
        #expect(try await isValid(third.token))
        let made = try await fixture.send(.post, "/v1/devices/self/token", token: third.token)
            .json(Wire.NewToken.self)
        #expect(try await !isValid(second.token))
        #expect(try await isValid(third.token))
        // The client missed the answer and asks again.
        let last = try await fixture.send(.post, "/v1/devices/self/token", token: third.token)
            .json(Wire.NewToken.self)
        #expect(try await isValid(third.token))
        #expect(try await !isValid(made.token))
        #expect(try await isValid(last.token))
    }

    @Test func movesThePairToTheNewDeviceOfASignOut() async throws {
        let fresh = try await signOut(try await register(), next: "anonymous").json(Wire.Registered.self)
        #expect(try await register().device == fresh.device)
    }

    @Test func freesThePairAtASignOutWithoutANextUser() async throws {
        let old = try await register()
        #expect(try await signOut(old, next: "none").status == 204)
        let new = try await register()
        #expect(new.device != old.device && new.user != old.user)
    }
}
