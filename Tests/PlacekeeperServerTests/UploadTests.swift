import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperServer

@Suite struct UploadTests {
    @Test func answersARepeatedUploadWithTheSameFields() async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        let first = try await fixture.upload(1, by: owner)
        let again = try await fixture.upload(1, by: owner)
        #expect([first.status, again.status] == [201, 200])
        #expect(first.body.isEmpty)
        for name in [FieldName.revision, .headRevision, .etag] {
            #expect(first[name] != nil)
            #expect(first[name] == again[name])
        }
    }

    @Test func keepsTheFirstArchiveUnderAnID() async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        let first = try await fixture.upload(1, by: owner)
        let path = "/v1/scenes/main/archives/\(ServerFixture.id(1))"
        let other = try await fixture.send(.put, path, token: owner.token, body: try Samples.archive(2))
        #expect(other.code == .archiveDiffers)
        #expect(other[.headRevision] == first[.headRevision])
        #expect(other.problem?.head.map(String.init) == first[.headRevision])
        #expect(try await fixture.send(.get, path, token: owner.token).body == (try Samples.archive(1)))
    }

    @Test func acceptsAnIDInEitherCase() async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        let path = "/v1/scenes/main/archives/AAAAAAAA-bbbb-4ccc-8DDD-eeeeeeeeeeee"
        #expect(try await fixture.send(.put, path, token: owner.token, body: try Samples.archive(1)).status == 201)
        #expect(try await fixture.send(.get, path.lowercased(), token: owner.token).status == 200)
    }

    @Test func readsTheContextFromTheQuery() async throws {
        let (fixture, owner) = try await ServerFixture().withDevice("pad")
        let stored = try await fixture.send(
            .put,
            "/v1/scenes/main/archives/\(ServerFixture.id(1))?idiom=pad&layout=regular&bundleVersion=1%2E2&systemVersion=17&stateVersion=-3",
            token: owner.token, fields: ["Capture-Sequence: 7"], body: try Samples.silent())
        #expect(stored.status == 201)
        let history = try await fixture.send(.get, "/v1/scenes/main/archives", token: owner.token)
        let archive = try #require(try history.json(Wire.Page<Wire.Archive>.self).items.first)
        #expect(
            archive.context
                == Wire.Context(
                    idiom: .pad, layout: .regular, bundleVersion: "1.2", systemVersion: "17", stateVersion: -3))
        #expect(archive.sequence == 7)
        #expect(archive.device == owner.device)
        #expect(archive.size == (try Samples.silent().count))
    }

    /// An age of more than ten years counts as ten years.
    @Test(arguments: [
        ("0", 0), ("12.5", 12_500), ("12.5678", 12_567), ("0.001", 1), ("2592000", 2_592_000_000),
        ("000000000012.50", 12_500), ("9.0123456789", 9_012), ("9999999999", 315_360_000_000),
        ("09999999999.999", 315_360_000_000),
    ])
    func readsTheInteractionAge(_ age: String, _ milliseconds: Int64) async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        #expect(try await fixture.upload(1, by: owner, fields: ["Interaction-Age: \(age)"]).status == 201)
        let history = try await fixture.send(.get, "/v1/scenes/main/archives", token: owner.token)
        let archive = try #require(try history.json(Wire.Page<Wire.Archive>.self).items.first)
        #expect(archive.receivedAt.milliseconds - archive.capturedAt.milliseconds == milliseconds)
    }

    @Test(arguments: [
        ("Interaction-Age", ""), ("Interaction-Age", "-1"), ("Interaction-Age", "1."), ("Interaction-Age", ".5"),
        ("Interaction-Age", "1e3"), ("Interaction-Age", "1.2.3"), ("Interaction-Age", "1,5"),
        ("Interaction-Age", "inf"), ("Interaction-Age", "10000000000"), ("Interaction-Age", "10000000000.0"),
        ("Capture-Sequence", "-1"), ("Capture-Sequence", "x"), ("Capture-Sequence", "9223372036854775808"),
        ("Restored-From", "latest"), ("If-Head", "None"), ("If-Head", "-1"), ("If-Head", "\"3\""), ("If-Head", ""),
    ])
    func rejectsMalformedFields(_ name: String, _ value: String) async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        let answer = try await fixture.upload(1, by: owner, fields: ["\(name): \(value)"])
        #expect(answer.code == .malformedField)
        #expect(answer.problem?.parameter == name)
        #expect(try await fixture.send(.get, "/v1/scenes/main/archives", token: owner.token).text == #"{"items":[]}"#)
    }

    @Test(arguments: [
        "idiom=toaster", "idiom=", "layout=wide", "stateVersion=1.5", "stateVersion=", "bundleVersion=%FF",
    ])
    func rejectsAMalformedQuery(_ query: String) async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        let answer = try await fixture.upload(1, by: owner, query: "?" + query)
        #expect(answer.code == .malformedQuery)
        #expect(answer.problem?.parameter == String(query.prefix { $0 != "=" }))
    }

    @Test func storesOnlyIfTheHeadMatchesThePrecondition() async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        let first = try await fixture.upload(1, by: owner, fields: ["If-Head: none"])
        #expect(first.status == 201)
        let head = try #require(first[.headRevision])
        let stale = try await fixture.upload(2, by: owner, fields: ["If-Head: none"])
        #expect(stale.status == 412)
        #expect(stale[.headRevision] == head)
        #expect(stale.problem?.head.map(String.init) == head)
        #expect(try await fixture.upload(2, by: owner, fields: ["If-Head: \(head)"]).status == 201)
        // A repeated upload is recognized before the precondition is checked.
        #expect(try await fixture.upload(2, by: owner, fields: ["If-Head: \(head)"]).status == 200)
    }

    @Test func namesTheHeadInProblems() async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        let head = try #require(try await fixture.upload(1, by: owner, place: nil)[.headRevision])
        let main = "/v1/scenes/main"
        let refused = [
            try await fixture.send(.put, main + "/archives/\(ServerFixture.id(2))", token: owner.token, body: [1, 2]),
            try await fixture.send(.put, main + "/archives/nonsense", token: owner.token, body: [1]),
            try await fixture.send(.get, main + "/archives/\(ServerFixture.id(2))", token: owner.token),
            try await fixture.send(.get, main + "/archives/latest?idiom=toaster", token: owner.token),
            try await fixture.send(.get, main + "/archives/latest?bundleVersion=1", token: owner.token),
            try await fixture.send(.get, main + "/archives?limit=0", token: owner.token),
            try await fixture.send(.get, main + "/archives/\(ServerFixture.id(1))/screenshot", token: owner.token),
        ]
        #expect(refused.map(\.status) == [422, 400, 404, 400, 406, 400, 404])
        for answer in refused { #expect(answer[.headRevision] == head, "\(answer.text)") }
    }

    @Test func ordersACaptureRestoredFromTheHeadBelowIt() async throws {
        let (fixture, maker, glancer) = try await ServerFixture().withDevices()
        let head = try #require(try await fixture.upload(1, by: maker)[.headRevision])
        fixture.clock.advance(.seconds(60))
        let look = try await fixture.upload(2, by: glancer, fields: ["Restored-From: \(head)"])
        #expect(look.status == 201)
        #expect(look[.headRevision] == head)
    }

    @Test func makesAnArchiveTheHead() async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        try await fixture.upload(1, by: owner)
        fixture.clock.advance(.seconds(1))
        try await fixture.upload(2, by: owner)
        fixture.clock.advance(.seconds(1))
        let path = "/v1/scenes/main/archives/\(ServerFixture.id(1))/head"
        let made = try await fixture.send(.post, path, token: owner.token, json: ["id": ServerFixture.id(3)])
        #expect(made.status == 201)
        #expect(made[.location] == "/v1/scenes/main/archives/\(ServerFixture.id(3))")
        #expect(made[.headRevision] == made[.revision])
        let latest = try await fixture.send(
            .get, "/v1/scenes/main/archives/latest?bundleVersion=42&systemVersion=17.4", token: owner.token)
        #expect(latest[.servedArchive] == ServerFixture.id(3))
        #expect(latest.body == (try Samples.archive(1)))
        #expect(try await fixture.send(.post, path, token: owner.token, json: ["id": "3"]).problem?.pointer == "/id")
    }
}
