import Foundation
import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperMemoryStore
@testable import PlacekeeperServer

/// Tests of the audit log and of redaction, for each route that looks into the data of a user.
@Suite struct LookTests {
    @Test(arguments: AdminWorld.looks) func writesOneEntryForEachLook(_ route: Route) async throws {
        let world = try await AdminWorld()
        let before = try await world.log().count
        #expect(try await world.send(route, as: .operator).status == 200)
        let entries = try await world.log()
        #expect(entries.count == before + 1)
        let entry = try #require(entries.first)
        let subject = try #require(Subject("secret-anna"))
        #expect(entry.actor == .token("check") && entry.action == .shown)
        #expect(entry.subject == world.fixture.service.accountHashing.digest(of: subject, in: world.fixture.app.id))
        #expect(!entry.detail.isEmpty && !entry.detail.contains("secret") && !entry.detail.contains("main"))
    }

    @Test func namesTheAdministratorOfASession() async throws {
        let world = try await AdminWorld()
        let carl = try await world.fixture.browser("carl", .operator)
        #expect(try await world.send("makeUsersHead", carl.fields).status == 201)
        let entry = try #require(try await world.log().first)
        #expect(entry.actor == .administrator("carl") && entry.action == .headMade && entry.subject != nil)
    }

    /// Without an entry in the audit log, nothing is read and nothing changes.
    @Test(
        arguments: AdminWorld.looks + AdminWorld.changes + [
            "listUsers", "findInApp", "exportUsersData", "revokeUsersDevice", "eraseUsersData", "deleteApp",
            "changeAppSettings", "createApp", "streamAppEvents", "readHealth",
            "trySettings",
        ])
    func failsIfTheEntryCannotBeWritten(_ route: Route) async throws {
        let world = try await AdminWorld()
        let token = try await world.fixture.apiToken(.owner).text
        // The store notes the use of the token.
        #expect(try await world.fixture.send(.get, "/admin/api/apps", token: token).status == 200)
        let before = try await world.fixture.adminContents()
        let archives = try await world.archives()
        world.fixture.store.fail(with: .full, in: "append(_:)")
        let answer = try await world.send(route, ["Authorization: Bearer \(token)"])
        world.fixture.store.fail(with: nil)
        #expect(answer.code == .storeFull, "\(route): \(answer.text)")
        #expect(!answer.text.contains("secret"))
        #expect(try await world.fixture.adminContents() == before)
        #expect(try await world.archives() == archives)
    }

    @Test(arguments: [
        ("deleteUsersArchive" as Route, "delete(_:in:at:isUndoable:)", "archive-deleted"),
        ("undeleteArchive", "undelete(_:in:at:quotas:)", "archive-undeleted"),
        ("makeUsersHead", "put(_:retention:)", "head-made"),
    ])
    func keepsTheEntryOfAChangeThatFails(_ route: Route, _ call: String, _ action: String) async throws {
        let world = try await AdminWorld()
        world.fixture.store.fail(with: .full, in: call)
        let answer = try await world.send(route, as: .operator)
        world.fixture.store.fail(with: nil)
        #expect(answer.code == .storeFull)
        #expect(try await world.log().first?.action.rawValue == action)
    }

    /// A viewer sees no contents, and neither does an owner of an app that hides its contents.
    @Test(arguments: AdminWorld.looks, [(Role.viewer, true), (.operator, false), (.owner, false)])
    func redactsTheTextsOfUsers(_ route: Route, _ setting: (role: Role, showsContents: Bool)) async throws {
        let world = try await AdminWorld()
        try await world.showContents(setting.showsContents)
        let answer = try await world.send(route, as: setting.role)
        if setting.role < (try #require(route.leastRole)) {
            #expect(answer.code == .roleInsufficient)
        } else if ["downloadArchive", "viewScreenshot"].contains(route) {
            #expect(answer.status == 403 && answer.code == .contentsHidden, "\(answer.text)")
        } else if route == "explainItem" {
            // The identifier of the request is known to the caller.
            #expect(answer.status == 200 && !answer.text.contains("secret"), "\(answer.text)")
        } else {
            #expect(answer.status == 200, "\(answer.text)")
            #expect(!answer.text.contains("secret"), "\(route): \(answer.text)")
        }
    }

    @Test func redactsTheNeighborOfAPendingItem() async throws {
        let world = try await AdminWorld()
        for (role, isShown) in [(Role.operator, true), (.viewer, false)] {
            let tree = try await world.send("explainScene", as: role).tree
            let reference = try #require((tree["references"] as? [[String: Any]])?.last)
            #expect(reference["step"] as? String == "pending" && reference["neighborBy"] as? String == "archive")
            let neighbor = try #require(reference["neighbor"] as? String)
            #expect(isShown ? neighbor == "secret-p1" : neighbor.hasPrefix("#"))
        }
    }

    @Test(arguments: AdminWorld.looks) func showsContentsToOperatorsIfTheAppAllowsIt(_ route: Route) async throws {
        let world = try await AdminWorld()
        let answer = try await world.send(route, as: .operator)
        #expect(answer.status == 200, "\(answer.text)")
        // These lists have no texts of users, or are empty here.
        if !["listUsersDataSources", "listDeletedArchives", "listAnswers", "listAmbiguousAliases", "viewScreenshot"]
            .contains(route)
        {
            #expect(answer.text.contains("secret"), "\(answer.text)")
        }
    }

    @Test func redactsAnArchiveToKeysAndTypes() async throws {
        let world = try await AdminWorld()
        let tree = try await world.send("inspectArchive", as: .viewer).tree
        #expect(tree["isRedacted"] as? Bool == true)
        let inspection = try #require(tree["inspection"] as? [String: Any])
        let top = try #require(inspection["topLevel"] as? [String: Any])
        #expect(top["draft"] as? [String: String] == ["redacted": "string"])
        #expect(
            NSDictionary(dictionary: try #require(top["form"] as? [String: Any])) == [
                "redacted": "dictionary", "count": 1,
            ])
        #expect(
            NSDictionary(dictionary: try #require(top["ratings"] as? [String: Any])) == [
                "redacted": "array", "count": 2,
            ])
        let objects = try #require(inspection["objects"] as? [[String: Any]])
        #expect(objects.first?["name"] as? String == "root/list")
        #expect(objects.first?["class"] as? String == "Photos.ListController")
        let place = try #require((inspection["place"] as? [String: Any])?["1 Albums"] as? [String: Any])
        #expect(place["title"] as? [String: String] == ["redacted": "string"])
        #expect((tree["archive"] as? [String: Any])?["place"] as? [String] == ["…"])
    }

    /// Equal identifiers and aliases stay equal, so that an item can be followed from device to device.
    @Test func keepsRedactedIdentifiersComparable() async throws {
        let world = try await AdminWorld()
        try await world.showContents(false)
        let own = try #require(try await world.send("listUsersItems", as: .viewer).items.first)
        let name = try #require(own["identifier"] as? String)
        #expect(name.count == 17 && name.hasPrefix("#"))
        let token = try await world.fixture.apiToken(.viewer).text
        let path = name.replacing("#", with: "%23")
        let explained = try await world.fixture.send(
            .get, "\(world.user.photos)/items/\(path)?device=\(world.user.phone.device)", token: token)
        let members = try #require(try explained.tree["members"] as? [[String: Any]])
        #expect(members.count == 2 && !explained.text.contains("secret"), "\(explained.text)")
        #expect(explained.text.contains(name))
        let references = try #require(
            try await world.send("inspectArchive", as: .viewer).tree["references"] as? [[String: Any]])
        #expect(references.first?["identifier"] as? String == name)
        #expect(references.first?["aliases"] as? [String] == own["aliases"] as? [String])
    }

    /// A link of the page may be older than a change of the setting `showsContents`.
    @Test func findsAnItemByItsPlainAndItsRedactedIdentifier() async throws {
        let world = try await AdminWorld()
        let token = try await world.fixture.apiToken(.operator).text
        func source(_ identifier: String) async throws -> String? {
            let answer = try await world.fixture.send(
                .get, "\(world.user.photos)/items/\(identifier)?device=\(world.user.phone.device)", token: token)
            return try answer.tree["source"] as? String
        }
        try await world.showContents(false)
        let redacted = try #require(try await source("secret-p1"))
        #expect(redacted.hasPrefix("#"))
        let link = redacted.replacing("#", with: "%23")
        #expect(try await source(link) == redacted)
        try await world.showContents(true)
        #expect(try await source(link) == "secret-p1")
        try await world.fixture.change(
            ##"{"upserts": [{"identifier": "#0123456789abcdef"}]}"##, by: world.user.phone)
        #expect(try await source("%230123456789abcdef") == "#0123456789abcdef")
    }

    @Test func redactsTheUnicodeFormsOfAnIdentifierDifferently() async throws {
        let world = try await AdminWorld()
        try await world.showContents(false)
        try await world.fixture.change(
            #"{"upserts": [{"identifier": "\u00e9"}, {"identifier": "e\u0301"}]}"#, by: world.user.phone)
        let items = try await world.send("listUsersItems", as: .viewer).items
        let names = items.compactMap { $0["identifier"] as? String }
        #expect(Set(names).count == 3)
        let token = try await world.fixture.apiToken(.viewer).text
        for name in names {
            let item = "\(world.user.photos)/items/\(name.replacing("#", with: "%23"))"
            let path = "\(item)?device=\(world.user.phone.device)"
            #expect(try await world.fixture.send(.get, path, token: token).text.contains(name))
        }
    }

    @Test func answersUnknownUsersAndAppsAlikeAndWritesNoEntry() async throws {
        let world = try await AdminWorld()
        let token = try await world.fixture.apiToken(.owner).text
        let before = try await world.log().count
        for id in ["none", ServerFixture.id(9)] {
            let user = try await world.fixture.send(.get, world.user.app + "/users/\(id)", token: token)
            #expect(user.status == 404 && user.code == .userNotFound)
            let app = try await world.fixture.send(.get, "/admin/api/apps/\(id)/users", token: token)
            #expect(app.status == 404 && app.code == .appNotFound)
        }
        #expect(try await world.log().count == before)
    }

    @Test func hidesUsersOfAnotherApp() async throws {
        let world = try await AdminWorld()
        let other = try await world.fixture.service.apps.createApp("com.example.notes")
        let token = try await world.fixture.apiToken(.owner).text
        for route in AdminWorld.looks + AdminWorld.changes {
            let probe = try #require(world.probe(of: route))
            let target = probe.target.replacing("\(world.fixture.app.id)", with: "\(other.id)")
            let body = probe.json.isEmpty ? [] : try JSONText.object(probe.json)
            let answer = try await world.fixture.send(route.method.rawValue, target, token: token, body: body)
            #expect(answer.status == 404 && !answer.text.contains("secret"), "\(route): \(answer.text)")
        }
    }
}

extension AdminWorld {
    /// The archives of the user, without their bytes.
    func archives() async throws -> [Archive] {
        let scene = SceneKey(owner: try ownerOfData, name: "main")
        return try await fixture.memory.history(of: scene, below: nil, limit: 100).archives
    }
}
