import Foundation
import PlacekeeperAPI
import PlacekeeperArchive
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperMemoryStore
@testable import PlacekeeperServer

@Suite struct ArchiveBrowsingTests {
    private func timeline(_ world: AdminWorld, _ query: String = "") async throws -> [[String: Any]] {
        let token = try await world.fixture.apiToken(.operator).text
        return try await world.fixture.send(
            .get, world.user.path + "/scenes/main/archives" + query, token: token
        ).items
    }

    @Test func listsATimelineInPagesWithItsFacts() async throws {
        let world = try await AdminWorld()
        // An archive of an interaction before the head, and a capture without an interaction after a restore.
        try await world.fixture.upload(3, by: world.user.pad, fields: ["Interaction-Age: 1.5"])
        let head = try await world.fixture.memory.head(of: SceneKey(owner: try world.ownerOfData, name: "main"))
        try await world.fixture.upload(
            4, by: world.user.pad, fields: ["Restored-From: \(try #require(head).revision.rawValue)"])
        let entries = try await timeline(world)
        let ids = entries.compactMap { $0["id"] as? String }
        #expect(ids == [2, 4, 3, 1].map(ServerFixture.id))
        func flags(_ name: String) -> [Bool] { entries.compactMap { $0[name] as? Bool } }
        #expect(flags("isHead") == [true, false, false, false])
        #expect(flags("isLate") == [false, false, true, false])
        #expect(flags("isViewOnly") == [false, true, false, false])
        let oldest = try #require(entries.last)
        let quarantines = try #require(oldest["quarantines"] as? [[String: String]])
        #expect(quarantines == [["idiom": "phone", "bundleVersion": "42", "result": "failed", "path": "root/list"]])
        #expect((oldest["outcomes"] as? [String: Int])?["failed"] == 1)
        #expect((oldest["place"] as? [String]) == ["secret title"])

        // The facts of an entry do not depend on its page.
        let token = try await world.fixture.apiToken(.operator).text
        var paged: [[String: Any]] = []
        var target: String? = world.user.path + "/scenes/main/archives?limit=1"
        while let next = target {
            let answer = try await world.fixture.send(.get, next, token: token)
            paged += try answer.items
            target = try answer.tree["next"].map { world.user.path + "/scenes/main/archives?limit=1&cursor=\($0)" }
        }
        #expect(NSArray(array: paged) == NSArray(array: entries))
        for (index, id) in ids.enumerated() {
            let answer = try await world.fixture.send(
                .get, world.user.path + "/scenes/main/archives/\(id)", token: token)
            let archive = try #require(try answer.tree["archive"] as? [String: Any])
            #expect(NSDictionary(dictionary: archive) == NSDictionary(dictionary: entries[index]))
        }
    }

    @Test func endsAQuarantineAfterASuccess() async throws {
        let world = try await AdminWorld()
        _ = try await world.fixture.send(
            .post, "/v1/scenes/main/archives/\(ServerFixture.id(1))/outcomes", token: world.user.phone.token,
            json: ["result": "restored", "idiom": "phone", "bundleVersion": "42"])
        let oldest = try #require(try await timeline(world).last)
        #expect((oldest["quarantines"] as? [Any])?.isEmpty == true)
        #expect((oldest["outcomes"] as? [String: Int])?["restored"] == 1)
    }

    @Test func showsWhatIsInAnArchive() async throws {
        let world = try await AdminWorld()
        let tree = try await world.send("inspectArchive", as: .operator).tree
        #expect(tree["isRedacted"] as? Bool == false)
        let bytes = try BrowsedUser.archive(1).encoded()
        let inspection = try #require(tree["inspection"] as? [String: Any])
        let expected = try JSONSerialization.jsonObject(
            with: Data(try ArchiveInspection(reading: bytes).json.utf8))
        #expect(NSDictionary(dictionary: inspection) == expected as? NSDictionary)
        let references = try #require(tree["references"] as? [[String: Any]])
        #expect(references.compactMap { $0["role"] as? String } == ["selected", "firstVisible"])
        #expect(references[0]["identifier"] as? String == "secret-p1")
        let sizes = try #require(tree["sizes"] as? [[String: Any]])
        let sorted = sizes.compactMap { $0["bytes"] as? Int }
        #expect(sorted == sorted.sorted(by: >) && sizes.contains { $0["key"] as? String == "root/list/query" })
        let outcomes = try #require(tree["outcomes"] as? [[String: Any]])
        #expect(outcomes.count == 1 && outcomes[0]["path"] as? String == "root/list")
    }

    @Test func givesTheUploadedBytesAndTheScreenshot() async throws {
        let world = try await AdminWorld()
        let content = try await world.send("downloadArchive", as: .operator)
        #expect(content.body == (try BrowsedUser.archive(1).encoded()))
        #expect(content[.contentType] == "application/x-plist")
        #expect(content[.contentDisposition] == "attachment; filename=\"\(ServerFixture.id(1)).plist\"")
        let screenshot = try await world.send("viewScreenshot", as: .operator)
        #expect(screenshot.body == Samples.png && screenshot[.contentType] == "image/png")
    }

    @Test func comparesTwoArchives() async throws {
        let world = try await AdminWorld()
        let shown = try #require(
            try await world.send("compareArchives", as: .operator).tree["changes"] as? [[String: Any]])
        #expect(shown.count == 1)
        #expect(shown[0]["kind"] as? String == "changed" && shown[0]["path"] as? String == "Top Level/draft")
        #expect(shown[0]["before"] as? String == "secret 1" && shown[0]["after"] as? String == "secret 2")
        let hidden = try #require(
            try await world.send("compareArchives", as: .viewer).tree["changes"] as? [[String: Any]])
        #expect(hidden.count == 1 && hidden[0]["path"] as? String == "Top Level/draft")
        #expect(hidden[0]["before"] as? [String: String] == ["redacted": "string"])
    }

    /// An upload reads only a part of an archive. A look reads all of it, within a budget.
    @Test(arguments: [Samples.UnshowableState.malformed, .expanding])
    func saysWhyAnAcceptedArchiveCannotBeShown(_ state: Samples.UnshowableState) async throws {
        let world = try await AdminWorld()
        try await world.upload(Samples.unshowable(state), as: 7)
        let token = try await world.fixture.apiToken(.operator).text
        let path = world.user.path + "/scenes/main/archives/\(ServerFixture.id(7))"
        for target in [path, path + "/diff?with=\(ServerFixture.id(1))"] {
            let answer = try await world.fixture.send(.get, target, token: token)
            #expect(answer.status == 422 && answer.code == .archiveNotInspectable, "\(answer.text)")
            #expect(answer.problem?.reason == state.reason && answer.problem?.offset != nil, "\(answer.text)")
        }
        #expect(try await world.fixture.send(.get, path + "/content", token: token).status == 200)
        let latest = try await world.fixture.send(
            .get, "/v1/scenes/main/archives/latest?bundleVersion=42", token: world.user.phone.token)
        #expect(latest.status == 200 && latest[.servedArchive] == ServerFixture.id(7), "\(latest.text)")
    }

    @Test func repeatedLooksBecomeOneEntryWithACount() async throws {
        let world = try await AdminWorld()
        let before = try await world.log().count
        for _ in 0..<5 { _ = try await world.send("listTimeline", as: .viewer) }
        try await world.fixture.service.upkeep.flush()
        #expect(try await world.log().dropLast(before).map(\.detail) == ["timeline repeated 4", "timeline"])
        try await world.fixture.service.upkeep.flush()
        #expect(try await world.log().count == before + 2)
    }

    /// Devices get the copy, and the change feed tells it.
    @Test func makesAnArchiveTheHead() async throws {
        let world = try await AdminWorld()
        let latest = "/v1/scenes/main/archives/latest?bundleVersion=43&systemVersion=17.4"
        let before = try await world.fixture.send(.get, latest, token: world.user.phone.token)
        #expect(before[.servedArchive] == ServerFixture.id(2))
        let owner = try world.ownerOfData
        let revision = try await world.fixture.memory.changes(of: owner, after: Revision(rawValue: 0), limit: 1).latest
        let answer = try await world.send("makeUsersHead", as: .operator)
        let copy = try #require(try answer.tree["id"] as? String)
        #expect(answer[.location] == world.user.path + "/scenes/main/archives/" + copy)
        let after = try await world.fixture.send(.get, latest, token: world.user.phone.token)
        #expect(after.status == 200 && after[.servedArchive] == copy, "\(after.text)")
        #expect(
            try await world.fixture.send(.get, "/v1/scenes/main/archives/\(copy)", token: world.user.phone.token).body
                == BrowsedUser.archive(1).encoded())
        let changes = try await world.fixture.memory.changes(of: owner, after: revision, limit: 9).changes
        #expect(changes.map(\.kind) == [.archiveStored] && changes.first?.archive == ArchiveID(copy))
        #expect(try await timeline(world).first?["id"] as? String == copy)
    }

    @Test func deletesAnArchive() async throws {
        let world = try await AdminWorld()
        let latest = "/v1/scenes/main/archives/latest?bundleVersion=43&systemVersion=17.4"
        let head = world.user.path + "/scenes/main/archives/" + ServerFixture.id(2)
        let token = try await world.fixture.apiToken(.operator).text
        #expect(try await world.fixture.send(.get, latest, token: world.user.phone.token).status == 200)
        #expect(try await world.fixture.send(.delete, head, token: token).status == 200)
        let after = try await world.fixture.send(.get, latest, token: world.user.phone.token)
        #expect(after[.servedArchive] == ServerFixture.id(1))
        for suffix in ["", "/content", "/screenshot", "/diff?with=\(ServerFixture.id(1))"] {
            let answer = try await world.fixture.send(.get, head + suffix, token: token)
            #expect(answer.status == 410 && answer.code == .archiveDeleted, "\(suffix)")
        }
        #expect(try await world.fixture.send(.delete, head, token: token).code == .archiveDeleted)
        let unknown = world.user.path + "/scenes/main/archives/\(ServerFixture.id(9))"
        #expect(try await world.fixture.send(.post, unknown + "/head", token: token).code == .archiveNotFound)
    }

    @Test func refusesACopyBeyondAQuota() async throws {
        let world = try await AdminWorld()
        var settings = try await world.fixture.service.apps.app(.id(world.fixture.app.id)).settings
        settings.quotas.userArchives = 2
        try await world.fixture.service.apps.replaceSettings(of: world.fixture.app.id, with: settings)
        let answer = try await world.send("makeUsersHead", as: .operator)
        #expect(answer.status == 409 && answer.code == .quotaExceeded)
    }

    @Test func keepsAnErasedUserErased() async throws {
        let world = try await AdminWorld()
        #expect(try await world.fixture.send(.delete, "/v1/users/self", token: world.user.phone.token).status == 204)
        for route in AdminWorld.looks + AdminWorld.changes {
            #expect(try await world.send(route, as: .operator).code == .userNotFound, "\(route)")
        }
        #expect(try await world.fixture.memory.facts(of: try world.ownerOfData) == nil)
    }
}
