import Foundation
import PlacekeeperAPI
import PlacekeeperArchive
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperServer

/// Tests of deletions that can be undone.
@Suite struct DeletionTests {
    private let world: AdminWorld
    private let token: String

    init() async throws {
        world = try await AdminWorld()
        token = try await world.fixture.apiToken(.operator).text
    }

    private func archive(_ number: Int, _ suffix: String = "") -> String {
        world.user.path + "/scenes/main/archives/" + ServerFixture.id(number) + suffix
    }

    private func deleted() async throws -> [[String: Any]] {
        try await world.fixture.send(.get, world.user.path + "/scenes/main/deleted-archives", token: token).items
    }

    private func latest() async throws -> String? {
        let latest = "/v1/scenes/main/archives/latest?bundleVersion=43&systemVersion=17.4"
        return try await world.fixture.send(.get, latest, token: world.user.phone.token)[.servedArchive]
    }

    @Test func undoesADeletion() async throws {
        #expect(try await latest() == ServerFixture.id(2))
        let timeline = world.user.path + "/scenes/main/archives"
        let before = try await world.fixture.send(.get, timeline, token: token)
        let now = world.fixture.clock.now()
        let deletion = try await world.fixture.send(.delete, archive(2), token: token)
        let until = JSONTree.time(now + .seconds(30 * 86_400))
        #expect(deletion.text == #"{"undoableUntil":\#(String(decoding: until.bytes, as: UTF8.self))}"#)
        #expect(try await latest() == ServerFixture.id(1))
        let entry = try #require(try await deleted().first)
        #expect(entry["archive"] as? String == ServerFixture.id(2))
        let told = try deletion.tree["undoableUntil"] as? String
        #expect(entry["undoableUntil"] as? String == told)
        let count = try BrowsedUser.archive(2).encoded().count
        #expect(entry["byteCount"] as? Int == count)
        #expect((entry["context"] as? [String: Any])?["bundleVersion"] as? String == "42")
        let first = try #require(try before.items.first)
        #expect(entry["capturedAt"] as? String == first["capturedAt"] as? String)
        let answer = try await world.fixture.send(.post, archive(2, "/undelete"), token: token)
        let restored = NSDictionary(dictionary: try answer.tree)
        #expect(answer.status == 200 && restored == NSDictionary(dictionary: first))
        let after = try await world.fixture.send(.get, timeline, token: token)
        #expect(after.text == before.text)
        #expect(try await latest() == ServerFixture.id(2))
        #expect(try await deleted().map { $0["archive"] as? String } == [ServerFixture.id(BrowsedUser.deleted)])
        let again = try await world.fixture.send(.post, archive(2, "/undelete"), token: token)
        #expect(again.status == 404 && again.code == .archiveNotFound)
    }

    @Test func listsTheSceneOfADeletionThatCanBeUndone() async throws {
        for entry in try await world.fixture.send(.get, world.user.path + "/scenes/main/archives", token: token).items {
            let path = world.user.path + "/scenes/main/archives/" + (entry["id"] as? String ?? "")
            #expect(try await world.fixture.send(.delete, path, token: token).status == 200)
        }
        let user = try await world.fixture.send(.get, world.user.path, token: token)
        let scenes = try #require(try user.tree["scenes"] as? [[String: Any]])
        #expect(scenes.map { $0["name"] as? String } == ["main"] && scenes.map { $0["archives"] as? Int } == [0])
        world.fixture.clock.advance(.seconds(31 * 86_400))
        let later = try await world.fixture.send(.get, world.user.path, token: token)
        #expect((try later.tree["scenes"] as? [Any])?.isEmpty == true, "\(later.text)")
    }

    @Test func listsTheNewestDeletionFirst() async throws {
        world.fixture.clock.advance(.seconds(5))
        _ = try await world.fixture.send(.delete, archive(1), token: token)
        let ids = try await deleted().map { $0["archive"] as? String }
        #expect(ids == [ServerFixture.id(1), ServerFixture.id(BrowsedUser.deleted)])
        let invalid = world.user.path + "/scenes/a%20b/deleted-archives"
        #expect(try await world.fixture.send(.get, invalid, token: token).code == .sceneNameInvalid)
    }

    @Test func wakesTheFollowersOfTheUser() async throws {
        var stream = EventReader(try await world.fixture.send(.get, "/v1/events", token: world.user.pad.token))
        #expect(await stream.next() != nil)
        #expect(try await world.send("undeleteArchive", as: .operator).status == 200)
        let event = try #require(await stream.next())
        #expect(event.contains("event: archiveStored") && event.contains(ServerFixture.id(BrowsedUser.deleted)))
        world.fixture.server.drain()
    }

    @Test func refusesToUndoAfterTheSceneWasForgotten() async throws {
        let scene = "/v1/scenes/main"
        #expect(try await world.fixture.send(.delete, scene, token: world.user.phone.token).status == 204)
        let answer = try await world.send("undeleteArchive", as: .operator)
        #expect(answer.status == 409 && answer.code == .undoRefused)
        #expect(try await deleted().isEmpty)
    }

    @Test func refusesToUndoBeyondAQuota() async throws {
        var settings = try await world.fixture.service.apps.app(.id(world.fixture.app.id)).settings
        settings.quotas.userArchives = 2
        try await world.fixture.service.apps.replaceSettings(of: world.fixture.app.id, with: settings)
        let answer = try await world.send("undeleteArchive", as: .operator)
        #expect(answer.status == 409 && answer.code == .undoRefused)
        #expect(answer.problem?.detail == "A user of this app can store at most 2 archives, and 2 are in use.")
        _ = try await world.fixture.send(.delete, archive(1), token: token)
        #expect(try await world.send("undeleteArchive", as: .operator).status == 200)
    }

    /// The deletion by a device is final, also if an administrator deleted the archive before.
    @Test(arguments: [1, BrowsedUser.deleted]) func cannotUndoADeletionByTheUser(_ number: Int) async throws {
        let path = "/v1/scenes/main/archives/\(ServerFixture.id(number))"
        let answer = try await world.fixture.send(.delete, path, token: world.user.phone.token)
        #expect(answer.status == (number == 1 ? 204 : 410))
        let undeletion = try await world.fixture.send(.post, archive(number, "/undelete"), token: token)
        #expect(undeletion.code == .archiveNotFound)
        #expect(try await deleted().allSatisfy { $0["archive"] as? String != ServerFixture.id(number) })
    }

    @Test func recordsADeletionAndItsUndo() async throws {
        _ = try await world.fixture.send(.delete, archive(2), token: token)
        _ = try await world.fixture.send(.post, archive(2, "/undelete"), token: token)
        let entries = try await world.log().prefix(2)
        #expect(entries.map(\.action.rawValue) == ["archive-undeleted", "archive-deleted"])
        #expect(entries.allSatisfy { $0.actor == .token("check") && $0.subject != nil })
    }
}
