import Foundation
import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperServer

@Suite struct RestoreBrowsingTests {
    private static let latest = "/v1/scenes/main/archives/latest?idiom=phone&bundleVersion=42&systemVersion=17.4"

    /// Another device of the user is served the second archive, and reports a failure.
    private static func world() async throws -> AdminWorld {
        let world = try await AdminWorld()
        let fixture = world.fixture
        let pad = world.user.pad.token
        #expect(try await fixture.send(.get, latest, token: pad).status == 200)
        let outcome = [
            "result": "crashed", "idiom": "phone", "bundleVersion": "42", "path": "root/secret",
        ]
        let path = "/v1/scenes/main/archives/\(ServerFixture.id(2))/outcomes"
        #expect(try await fixture.send(.post, path, token: pad, json: outcome).status == 204)
        #expect(try await fixture.send(.get, latest, token: pad).code == .nothingCompatible)
        try await fixture.server.flush()
        return world
    }

    @Test func readsTheHealthOfTheRestores() async throws {
        let world = try await Self.world()
        let answer = try await world.send("readHealth", as: .viewer)
        #expect(answer.status == 200, "\(answer.text)")
        let tree = try answer.tree
        #expect(tree["reports"] as? Int == 2 && tree["isSample"] as? Bool == false)
        let restores = try #require((tree["restores"] as? [[String: Any]])?.first)
        #expect(
            restores["failed"] as? Int == 1 && restores["crashed"] as? Int == 1 && restores["restored"] as? Int == 0)
        #expect(restores["users"] as? Int == 1 && restores["failingUsers"] as? Int == 1)
        #expect((restores["source"] as? [String: String]) == ["bundleVersion": "42", "idiom": "phone"])
        let paths = try #require(tree["paths"] as? [[String: Any]])
        #expect(Set(paths.map { $0["path"] as? String }) == ["root/list", "root/secret"])
        let failure = try #require((tree["failures"] as? [[String: Any]])?.first)
        #expect(failure["result"] as? String == "crashed" && failure["archive"] as? String == ServerFixture.id(2))
        #expect(failure["user"] as? String == world.user.phone.user && failure["scene"] as? String == "main")
        #expect(failure["device"] as? String == world.user.pad.device)
        let breaker = try #require(tree["breaker"] as? [String: Any])
        #expect(breaker["mode"] as? String == "alert" && (breaker["pairs"] as? [Any])?.isEmpty == true)
        let entry = try #require(try await world.log().first)
        #expect(entry.action == .restoresSummarized)
    }

    @Test func listsStoppedPairs() async throws {
        let world = try await Self.world()
        var settings = try await world.fixture.service.apps.app(.id(world.fixture.app.id)).settings
        settings.stoppedRestores = [
            StoppedRestore(
                sourceVersion: "41", targetVersion: nil, idiom: "phone",
                until: Timestamp(milliseconds: 1_800_000_000_000),
                by: .administrator)
        ]
        try await world.fixture.service.apps.replaceSettings(of: world.fixture.app.id, with: settings)
        let tree = try await world.send("readHealth", as: .viewer).tree
        let pair = try #require(((tree["breaker"] as? [String: Any])?["pairs"] as? [[String: Any]])?.first)
        #expect(pair["sourceVersion"] as? String == "41" && pair["targetVersion"] == nil)
        #expect(pair["state"] as? String == "stopped" && pair["by"] as? String == "administrator")
        #expect(pair["until"] as? String == "2027-01-15T08:00:00.000Z" && pair["users"] as? Int == 0)
    }

    private static func answers(_ world: AdminWorld, _ query: String) async throws -> Answer {
        let token = try await world.fixture.apiToken(.viewer).text
        return try await world.fixture.send(.get, world.user.path + "/answers" + query, token: token)
    }

    @Test func listsThePastAnswersToADevice() async throws {
        let world = try await Self.world()
        try await world.fixture.upload(7, by: world.user.phone)
        #expect(try await world.fixture.send(.get, Self.latest, token: world.user.pad.token).status == 200)
        try await world.fixture.server.flush()
        let answers = try await Self.answers(world, "?scene=main&device=\(world.user.pad.device)").items
        #expect(answers.count == 3)
        let newest = try #require(answers.first)
        #expect(newest["served"] as? [String: String] == ["archive": ServerFixture.id(7), "fidelity": "full"])
        #expect(newest["device"] as? String == world.user.pad.device && newest["scene"] as? String == "main")
        #expect(
            newest["asked"] as? [String: String] == ["idiom": "phone", "bundleVersion": "42", "systemVersion": "17.4"])
        #expect(newest["held"] as? Bool == false && newest["repeats"] as? Int == 0 && newest["omitted"] as? Int == 0)
        #expect(newest["lastAt"] as? String == newest["at"] as? String)
        let refused = answers[1]
        #expect(refused["served"] is NSNull)
        let candidate = try #require((refused["candidates"] as? [[String: Any]])?.first)
        #expect(candidate["archive"] as? String == ServerFixture.id(2) && candidate["fidelity"] == nil)
        let text = "it is quarantined, since a restore of it crashed"
        #expect(candidate["reasons"] as? [[String: String]] == [["code": "quarantined", "text": text]])
        #expect(candidate["capturedAt"] is String)
        let page = try await Self.answers(world, "?limit=1").tree
        let next = try #require(page["next"] as? String)
        let rest = try await Self.answers(world, "?limit=1&cursor=\(next)").items
        #expect(rest.map { $0["at"] as? String } == [refused["at"] as? String])
        #expect(try await world.log().first?.action == .shown)
    }

    @Test func listsOnlyTheAnswersOfTheDeviceAndTheScene() async throws {
        let world = try await Self.world()
        #expect(try await Self.answers(world, "").items.count == 2)
        #expect(try await Self.answers(world, "?archive=\(ServerFixture.id(2))").items.count == 2)
        #expect(try await Self.answers(world, "?archive=\(ServerFixture.id(9))").items.isEmpty)
        #expect(try await Self.answers(world, "?archive=x").code == .malformedQuery)
        #expect(try await Self.answers(world, "?device=\(world.user.phone.device)").items.isEmpty)
        #expect(try await Self.answers(world, "?scene=editor").items.isEmpty)
        #expect(try await Self.answers(world, "?scene=a%20b").code == .sceneNameInvalid)
        #expect(try await Self.answers(world, "?device=x").code == .malformedQuery)
        #expect(try await Self.answers(world, "?cursor=x").code == .malformedQuery)
    }

    @Test func listsFailuresInPages() async throws {
        let world = try await Self.world()
        let token = try await world.fixture.apiToken(.viewer).text
        func list(_ query: String) async throws -> Answer {
            try await world.fixture.send(.get, world.user.app + "/failures" + query, token: token)
        }
        let all = try await list("").items
        #expect(all.map { $0["result"] as? String } == ["crashed", "failed"])
        let first = try await list("?limit=1").tree
        #expect((first["items"] as? [[String: Any]])?.count == 1)
        let rest = try await list("?limit=1&cursor=\(try #require(first["next"] as? String))").tree
        #expect((rest["items"] as? [[String: Any]])?.first?["result"] as? String == "failed" && rest["next"] == nil)
        #expect(try await list("?result=crashed").items.map { $0["path"] as? String } == ["root/secret"])
        #expect(try await list("?path=root/list").items.map { $0["result"] as? String } == ["failed"])
        #expect(try await list("?hasPath=true").items.count == 2)
        #expect(try await list("?hasPath=false").items.isEmpty)
        #expect(try await list("?user=\(world.user.phone.user)").items.count == 2)
        #expect(try await list("?user=\(ServerFixture.id(9))").items.isEmpty)
        for query in [
            "?result=restored", "?user=x", "?hours=1", "?cursor=x", "?hasPath=x", "/groups", "/groups?by=device",
        ] {
            #expect(try await list(query).code == .malformedQuery, "\(query)")
        }
        let users = try await list("/groups?by=user").items
        #expect(users.count == 1 && users[0]["user"] as? String == world.user.phone.user)
        #expect(users[0]["failures"] as? Int == 2 && users[0]["crashes"] as? Int == 1 && users[0]["path"] == nil)
        #expect((users[0]["last"] as? [String: Any])?["result"] as? String == "crashed")
        let paths = try await list("/groups?by=path&limit=1").tree
        let next = try #require(paths["next"] as? String)
        let others = try await list("/groups?by=path&limit=1&cursor=\(next)").tree
        let found = [paths, others].compactMap { ($0["items"] as? [[String: Any]])?.first?["path"] as? String }
        #expect(found == ["root/list", "root/secret"] && others["next"] == nil)
        #expect(try await list("/groups?by=path&result=failed").items.map { $0["path"] as? String } == ["root/list"])
        #expect(try await world.log().contains { $0.action == .restoresSummarized })
    }

    @Test func namesTheUsersOfFailuresWhereContentsAreShown() async throws {
        let world = try await Self.world()
        func subjects(_ role: Role) async throws -> [String?] {
            var found: [String?] = []
            for target in ["/failures", "/failures/groups?by=user", "/failures/groups?by=path"] {
                let token = try await world.fixture.apiToken(role).text
                let item = try await world.fixture.send(.get, world.user.app + target, token: token).items.first ?? [:]
                found.append((item["last"] as? [String: Any] ?? item)["subject"] as? String)
            }
            return found
        }
        #expect(try await subjects(.operator) == ["secret-anna", "secret-anna", "secret-anna"])
        #expect(try await subjects(.viewer) == [nil, nil, nil])
        try await world.showContents(false)
        #expect(try await subjects(.owner) == [nil, nil, nil])
    }

    private static func dryRun(_ world: AdminWorld, _ json: String) async throws -> Answer {
        let token = try await world.fixture.apiToken(.operator).text
        return try await world.fixture.send(.post, world.user.app + "/dry-runs", token: token, body: Array(json.utf8))
    }

    @Test func triesAPolicy() async throws {
        let world = try await Self.world()
        let before = try await world.fixture.service.apps.app(.id(world.fixture.app.id)).settings
        let answer = try await Self.dryRun(world, #"{"policy": {"minimumBundleVersion": "50"}}"#)
        #expect(answer.status == 200, "\(answer.text)")
        // The first answer of the pad would be a refusal, and the second one is one already.
        #expect(try answer.tree["answers"] as? Int == 2 && answer.tree["unchanged"] as? Int == 1)
        let blockers = try #require(try answer.tree["unchangedReasons"] as? [[String: Any]])
        #expect(blockers.map { $0["code"] as? String } == ["bundle-version-below-minimum", "quarantined"])
        #expect(
            blockers.allSatisfy {
                $0["answers"] as? Int == 1 && $0["users"] as? Int == 1 && $0["blocks"] as? String == "place"
            })
        try await world.fixture.upload(7, by: world.user.phone)
        #expect(try await world.fixture.send(.get, Self.latest, token: world.user.pad.token).status == 200)
        try await world.fixture.server.flush()
        let tree = try await Self.dryRun(world, #"{"policy": {"minimumBundleVersion": "50"}}"#).tree
        let change = try #require((tree["changes"] as? [[String: Any]])?.first)
        #expect(change["kind"] as? String == "refused" && change["count"] as? Int == 2 && change["users"] as? Int == 1)
        let example = try #require((change["examples"] as? [[String: Any]])?.first)
        #expect(example["after"] is NSNull)
        #expect((example["before"] as? [String: String]) == ["archive": ServerFixture.id(7), "fidelity": "full"])
        let reasons = try #require(example["reasons"] as? [[String: String]])
        #expect(
            reasons == [
                [
                    "code": "bundle-version-below-minimum", "archive": "42", "required": "50", "blocks": "place",
                    "text": "its bundle version 42 is below the minimum 50",
                ]
            ])
        let stopped = try await Self.dryRun(world, #"{"stoppedRestores": [{"idiom": "phone"}]}"#).tree
        #expect((stopped["changes"] as? [[String: Any]])?.first?["kind"] as? String == "refused")
        #expect(try await world.fixture.service.apps.app(.id(world.fixture.app.id)).settings == before)
        #expect(try await world.log().first?.action == .settingsTried)
    }

    @Test(arguments: [
        (#"{"policy": {"minimumBundleVersion": "x"}}"#, ProblemCode.settingsInvalid, ""),
        (#"{"policy": {"maximumAge": 1}}"#, .invalidBody, "/policy/maximumAge"),
        (#"{"restoration": "off"}"#, .invalidBody, "/restoration"), ("[]", .invalidBody, "/"),
        ("{", .malformedJSON, ""),
    ])
    func refusesInvalidDryRuns(_ json: String, _ code: ProblemCode, _ pointer: String) async throws {
        let world = try await AdminWorld()
        let answer = try await Self.dryRun(world, json)
        #expect(answer.code == code && answer.problem?.pointer ?? "" == pointer, "\(answer.text)")
    }

    @Test func refusesOtherTimes() async throws {
        let world = try await AdminWorld()
        let token = try await world.fixture.apiToken(.viewer).text
        let answer = try await world.fixture.send(.get, world.user.app + "/health?hours=25", token: token)
        #expect(answer.code == .malformedQuery)
    }
}
