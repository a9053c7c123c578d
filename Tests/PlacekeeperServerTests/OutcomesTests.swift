import PlacekeeperHTTP
import PlacekeeperAPI
import Testing

@testable import PlacekeeperServer

@Suite struct OutcomesTests {
    private static let latest = "/v1/scenes/main/archives/latest"
    private static let phone = "idiom=phone&bundleVersion=42"
    private static let outcomes = "/v1/scenes/main/archives/\(ServerFixture.id(1))/outcomes"

    private let fixture: ServerFixture
    private let member: Member

    init() async throws {
        fixture = try await ServerFixture()
        member = try await fixture.join()
        try await fixture.upload(1, by: member)
    }

    private func report(_ members: String) async throws -> Answer {
        let body = #"{"result": "failed", "idiom": "phone", "bundleVersion": "42", "# + members + "}"
        return try await fixture.send(
            .post, Self.outcomes, token: member.token, fields: ["Content-Type: application/json"],
            body: Array(body.utf8))
    }

    @Test(arguments: [
        (#""launch": """#, "outcome-invalid", "/launch"), (#""launch": "a b""#, "outcome-invalid", "/launch"),
        (#""path": "a\u0007""#, "outcome-invalid", "/path"), (#""step": -1"#, "outcome-invalid", "/step"),
        (#""step": 9223372036854775807"#, "outcome-invalid", "/step"), (#""step": 1.5"#, "invalid-body", "/step"),
        (#""duration": -0.001"#, "outcome-invalid", "/duration"),
        (#""duration": 1e300"#, "outcome-invalid", "/duration"), (#""duration": 1e999"#, "invalid-body", "/duration"),
        (#""duration": "1""#, "invalid-body", "/duration"),
    ])
    func refusesInvalidMembers(_ members: String, _ code: String, _ pointer: String) async throws {
        let answer = try await report(members)
        #expect(answer.status == 422 && answer.problem?.code == code && answer.problem?.pointer == pointer)
        let served = try await fixture.send(.get, Self.latest + "?" + Self.phone, token: member.token)
        #expect(served.status == 200, "the outcome is not recorded")
    }

    @Test func showsDetailsOfAFailureAsReasonOfTheRefusal() async throws {
        #expect(try await report(#""path": "tabs/é", "step": 0, "duration": 1.2345"#).status == 204)
        let refused = try await fixture.send(.get, Self.latest + "?" + Self.phone, token: member.token)
        let reason = try #require(try refused.json(Wire.Problem.self).candidates?.first?.reasons.first)
        #expect(reason.path == "tabs/é" && reason.step == 0 && reason.duration == 1.235)
        let explanation = try await fixture.send(.get, Self.latest + "/explanation?" + Self.phone, token: member.token)
        #expect(try explanation.json(Wire.Explanation.self).candidates.first?.reasons.first == reason)
    }
}
