import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService
import Testing

@testable import PlacekeeperServer

/// Tests that each request with an unknown word is refused, although a client accepts any word in a response.
@Suite struct WordTests {
    private static let idioms = "unspecified, phone, pad, tv, carPlay, watch, mac, vision"
    private static let outcomes = "/v1/scenes/main/archives/\(ServerFixture.id(1))/outcomes"

    @Test func refusesADeviceWithAnUnknownIdiom() async throws {
        let fixture = try await ServerFixture()
        let answer = try await fixture.send(
            .post, "/v1/devices", json: ["app": fixture.app.publishableKey, "idiom": "toaster"])
        expect(answer, refuses: "/idiom", allowing: Self.idioms)
    }

    @Test(arguments: [
        ("result", "burnt", "began, restored, failed, crashed, abandoned"), ("idiom", "toaster", idioms),
        ("idiom", "Phone", idioms), ("idiom", "", idioms), ("layout", "round", "compact, regular"),
    ])
    func refusesAnOutcomeWithAnUnknownWord(_ member: String, _ word: String, _ allowed: String) async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        var body = ["result": "restored", "idiom": "phone", "layout": "compact"]
        body[member] = word
        let answer = try await fixture.send(.post, Self.outcomes, token: owner.token, json: body)
        expect(answer, refuses: "/" + member, allowing: allowed)
    }

    @Test func refusesADataSourceWithAnUnknownScope() async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        expect(try await fixture.declare("global", by: owner), refuses: "/scope", allowing: "shared, keyed, registered")
        #expect(try await fixture.send(.get, "/v1/data-sources/photos", token: owner.token).code == .dataSourceUnknown)
    }

    @Test(arguments: [
        ("idiom", "toaster", "The idiom must be one of \(idioms)."),
        ("layout", "round", "The layout must be compact or regular."),
    ])
    func refusesAQueryWithAnUnknownWord(_ parameter: String, _ word: String, _ detail: String) async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        let archives = "/v1/scenes/main/archives/"
        for path in [
            "/v1/places", archives + "latest", archives + "latest/explanation",
            archives + ServerFixture.id(1) + "/restorable",
        ] {
            let answer = try await fixture.send(.get, "\(path)?\(parameter)=\(word)", token: owner.token)
            expect(answer, refusesParameter: parameter, detail)
        }
        let upload = try await fixture.send(
            .put, "\(archives)\(ServerFixture.id(1))?\(parameter)=\(word)", token: owner.token,
            body: try Samples.archive(1))
        expect(upload, refusesParameter: parameter, detail)
    }

    /// If the domain lacked a word of a wire type, the server would refuse the word with a message that lists this word
    /// as allowed.
    @Test func convertsEveryKnownWordAndBack() throws {
        #expect(Wire.Idiom.known.count == Idiom.allCases.count)
        for word in Wire.Idiom.known { #expect(Wire.Idiom(try Idiom(word)) == word) }
        #expect(Wire.Layout.known.count == Layout.allCases.count)
        for word in Wire.Layout.known { #expect(Wire.Layout(try Layout(word)) == word) }
        #expect(Wire.Scope.known.count == DataSource.Scope.allCases.count)
        for word in Wire.Scope.known { #expect(Wire.Scope(try DataSource.Scope(word)) == word) }
        #expect(Wire.Outcome.Result.known.count == Outcome.Result.allCases.count)
        for word in Wire.Outcome.Result.known { #expect(try Outcome.Result(word).rawValue == word.rawValue) }
    }

    @Test func refusesAWordThatTheDomainLacks() {
        expectRefusal { _ = try Idiom(Wire.Idiom(rawValue: "toaster")) }
        expectRefusal { _ = try Layout(Wire.Layout(rawValue: "round")) }
        expectRefusal { _ = try DataSource.Scope(Wire.Scope(rawValue: "global")) }
        expectRefusal { _ = try Outcome.Result(Wire.Outcome.Result(rawValue: "burnt")) }
    }

    private func expectRefusal(_ convert: () throws -> Void, at location: SourceLocation = #_sourceLocation) {
        let problem = #expect(throws: Problem.self, sourceLocation: location) { try convert() }
        #expect(problem?.document.code == "invalid-body", sourceLocation: location)
        #expect(
            problem?.document.detail.hasPrefix("The member must be one of ") == true, sourceLocation: location)
    }

    private func expect(
        _ answer: Answer, refuses pointer: String, allowing words: String,
        at location: SourceLocation = #_sourceLocation
    ) {
        #expect(answer.code == .invalidBody, "\(answer.text)", sourceLocation: location)
        #expect(answer.problem?.pointer == pointer, sourceLocation: location)
        #expect(answer.problem?.detail == "The member must be one of \(words).", sourceLocation: location)
    }

    private func expect(
        _ answer: Answer, refusesParameter name: String, _ detail: String,
        at location: SourceLocation = #_sourceLocation
    ) {
        #expect(answer.code == .malformedQuery, "\(answer.text)", sourceLocation: location)
        #expect(answer.problem?.parameter == name, sourceLocation: location)
        #expect(answer.problem?.detail == detail, sourceLocation: location)
    }
}
