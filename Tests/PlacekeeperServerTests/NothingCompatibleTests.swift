import PlacekeeperAPI
import PlacekeeperArchive
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService
import Testing

@testable import PlacekeeperServer

/// Tests of the candidates in a 406 response.
@Suite struct NothingCompatibleTests {
    /// Quotation marks take two bytes each in JSON, so each candidate takes about 16,000 bytes.
    @Test func limitsTheCandidatesAndCountsTheOmittedOnes() async throws {
        let fixture = try await ServerFixture(settings: {
            $0.retainedArchives = 200
            $0.policy.minimumBundleVersion = "43"
        })
        let owner = try await fixture.join()
        let title = String(repeating: "\"", count: 240)
        for number in 1...130 {
            var archive = StateArchive(bundleVersion: "42", idiom: 0)
            archive.place = PlacekeeperArchive.Place((0..<32).map { .init(screen: "\(number) \($0)", title: title) })
            let stored = try await fixture.send(
                .put, "/v1/scenes/main/archives/\(ServerFixture.id(number))", token: owner.token,
                body: try archive.encoded())
            #expect(stored.status == 201, "\(stored.text)")
        }
        let answer = try await fixture.send(
            .get, "/v1/scenes/main/archives/latest?bundleVersion=1", token: owner.token)
        #expect(answer.code == .nothingCompatible)
        #expect(answer.body.count <= 65_536)
        let problem = try #require(answer.problem)
        let candidates = try #require(problem.candidates)
        #expect(candidates.map(\.archive.id) == [130, 129, 128].map { ServerFixture.id($0) })
        #expect(problem.omittedCandidates == 127)
    }

    @Test func listsAllCandidatesThatFit() async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        for number in 1...20 { try await fixture.upload(number, by: owner, place: nil) }
        let answer = try await fixture.send(
            .get, "/v1/scenes/main/archives/latest?bundleVersion=1", token: owner.token)
        #expect(answer.problem?.candidates?.count == 20)
        #expect(answer.problem?.omittedCandidates == nil)
        #expect(!answer.text.contains("omittedCandidates"))
    }

    @Test(arguments: ["latest", "\(ServerFixture.id(1))/restorable"])
    func reportsAMissingBundleVersion(_ path: String) async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        try await fixture.upload(1, by: owner, place: nil)
        let archives = "/v1/scenes/main/archives/"
        let omitted = try await fixture.send(.get, archives + path, token: owner.token)
        #expect(omitted.code == .nothingCompatible)
        #expect(omitted.problem?.parameter == "bundleVersion")
        #expect(omitted.problem?.detail.contains("gives no bundleVersion") == true)
        let given = try await fixture.send(.get, archives + path + "?bundleVersion=1", token: owner.token)
        #expect(given.code == .nothingCompatible)
        #expect(given.problem?.parameter == nil)
        #expect(given.problem?.detail.contains("bundleVersion") == false)
    }

    @Test func reportsNoMissingBundleVersionForOtherReasons() async throws {
        let (fixture, maker, pad) = try await ServerFixture(settings: { $0.policy.allowsNewerBundleVersion = true })
            .withDevices("phone", "pad")
        try await fixture.upload(1, by: maker, place: nil)
        let answer = try await fixture.send(.get, "/v1/scenes/main/archives/latest", token: pad.token)
        #expect(answer.code == .nothingCompatible)
        #expect(answer.problem?.parameter == nil)
    }
}
