import Foundation
import PlacekeeperAPI
import PlacekeeperArchive
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperMatching
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperServer

/// A user with a phone and a pad that are signed in as `anna`, two archives of the phone in the scene `main`, an older one
/// that was deleted undoably, items in the data source `photos`, and a decision. All texts that only the user may know contain the word `secret`.
struct BrowsedUser {
    let app: String
    let path: String
    let phone: Member
    let pad: Member
    /// The path of the phone's first archive, which has a screenshot and a failed restore.
    var archive: String { path + "/scenes/main/archives/" + ServerFixture.id(1) }
    var photos: String { path + "/data-sources/photos" }

    init(in fixture: ServerFixture) async throws {
        let phone = try await fixture.join()
        _ = try await fixture.send(
            .patch, "/v1/devices/self", token: phone.token, json: ["name": "secret phone", "systemVersion": "17.4"])
        let pad = try await fixture.join("pad", with: phone)
        #expect(try await fixture.signIn(phone, as: "secret-anna").status == 200)
        let user = try await fixture.send(.get, "/v1/devices/self", token: phone.token).json(Wire.Device.self).user
        let again = try await fixture.signIn(pad, as: "secret-anna").json(Wire.Device.self)
        #expect(again.user == user)
        self.phone = Member(device: phone.device, token: phone.token, user: user)
        self.pad = Member(device: pad.device, token: pad.token, user: user)
        app = "/admin/api/apps/\(fixture.app.id)"
        path = app + "/users/\(user)"
        try await fixture.declare(by: phone)
        try await fixture.change(#"{"upserts": [{"identifier": "secret-p1", "aliases": ["secret-a"]}]}"#, by: phone)
        try await fixture.change(#"{"upserts": [{"identifier": "secret-q1", "aliases": ["secret-a"]}]}"#, by: pad)
        let list = ItemList(
            owner: UserKey(app: fixture.app.id, user: try #require(UserID(user))), dataSource: "photos")
        for number in [Self.deleted, 1, 2] {
            let answer = try await fixture.send(
                .put, "/v1/scenes/main/archives/\(ServerFixture.id(number))", token: phone.token,
                body: try Self.archive(number).encoded())
            #expect(answer.status == 201, "\(answer.text)")
            if number == Self.deleted {
                let scene = SceneKey(owner: list.owner, name: "main")
                _ = try await fixture.service.archives.deleteUndoably(
                    try #require(ArchiveID(ServerFixture.id(number))), in: scene)
                continue
            }
            fixture.clock.advance(.seconds(1))
        }
        let first = "/v1/scenes/main/archives/\(ServerFixture.id(1))"
        _ = try await fixture.send(.put, first + "/screenshot", token: phone.token, body: Samples.png)
        _ = try await fixture.send(
            .post, first + "/outcomes", token: phone.token,
            json: ["result": "failed", "idiom": "phone", "bundleVersion": "42", "path": "root/list"])
        try await fixture.service.lists.decide(
            .same, ItemName(device: try #require(DeviceID(phone.device)), identifier: "secret-p1"),
            ItemName(device: try #require(DeviceID(pad.device)), identifier: "secret-q1"), note: "checked", in: list)
    }

    /// The number of the archive that was deleted.
    static let deleted = 99

    static func archive(_ number: Int) -> StateArchive {
        var archive = StateArchive(bundleVersion: "42", idiom: 0, systemVersion: "17.4")
        archive.application = [
            "draft": .string("secret \(number)"), "form": .dictionary(["secret key": .string("secret")]),
            "ratings": .array([.integer(4), .integer(5)]),
        ]
        archive.objects = [
            RestorableObject(
                path: "root/list", kind: .viewController, className: "Photos.ListController",
                state: ["query": .string("secret query")])
        ]
        archive.references = [
            ModelReference(
                dataSource: "photos", element: .init("secret-p1", aliases: ["secret-a"]), role: .selected),
            // This item has not arrived, and its neighbor is shown.
            ModelReference(
                dataSource: "photos", element: .init(nil, aliases: ["secret-late"]), role: .firstVisible,
                after: [.init("secret-p1", aliases: ["secret-a"])]),
        ]
        archive.place = Place([
            .init(screen: "Albums", title: "secret title", references: [0], parameters: ["album": .string("secret")])
        ])
        return archive
    }
}

extension AdminWorld {
    /// Returns the request of a route about apps and users. The app shows contents.
    func browsingProbe(of route: Route) -> AdminProbe? {
        let photos = user.photos
        let pair = ["first": "\(user.phone.device):x", "second": "\(user.pad.device):y"]
        let decided =
            "?first=\(user.phone.device):secret-p1&second=\(user.pad.device):secret-q1"
        return switch route.operation {
        case "createApp": AdminProbe("/admin/api/apps", 201, ["bundleIdentifier": "com.example.new"])
        case "readApp": AdminProbe(user.app, 200)
        case "changeAppSettings":
            AdminProbe(user.app + "/settings", 200, ["restoration": "off"], fields: ["If-Match: *"])
        case "replaceStoppedRestores":
            AdminProbe(
                user.app + "/stopped-restores", 200, fields: ["If-Match: *"],
                body: #"{"stoppedRestores": [{"idiom": "pad"}]}"#)
        case "readOverview": AdminProbe(user.app + "/overview?hours=168", 200)
        case "readHealth": AdminProbe(user.app + "/health?hours=720", 200)
        case "listFailures": AdminProbe(user.app + "/failures?result=failed", 200)
        case "listFailureGroups": AdminProbe(user.app + "/failures/groups?by=path", 200)
        case "trySettings": AdminProbe(user.app + "/dry-runs", 200, body: #"{"policy": {"maximumAge": "1d"}}"#)
        case "listAuditEntries": AdminProbe(user.app + "/audit", 200)
        case "listUsers": AdminProbe(user.app + "/users", 200)
        case "deleteApp": AdminProbe(user.app + "?confirm=com.example.photos", 202)
        case "eraseUsersData": AdminProbe(user.path, 204)
        case "exportUsersData": AdminProbe(user.path + "/export", 200)
        case "revokeUsersDevice": AdminProbe(user.path + "/devices/\(user.pad.device)", 204)
        case "findInApp": AdminProbe(user.app + "/find?text=secret-anna", 200)
        case "readUser": AdminProbe(user.path, 200)
        case "listTimeline": AdminProbe(user.path + "/scenes/main/archives", 200)
        case "inspectArchive": AdminProbe(user.archive, 200)
        case "deleteUsersArchive": AdminProbe(user.archive, 200)
        case "streamAppEvents": AdminProbe(user.app + "/events", 200)
        case "listDeletedArchives": AdminProbe(user.path + "/scenes/main/deleted-archives", 200)
        case "listAnswers": AdminProbe(user.path + "/answers?scene=main&device=\(user.pad.device)", 200)
        case "undeleteArchive":
            AdminProbe(user.path + "/scenes/main/archives/\(ServerFixture.id(BrowsedUser.deleted))/undelete", 200)
        case "downloadArchive": AdminProbe(user.archive + "/content", 200)
        case "viewScreenshot": AdminProbe(user.archive + "/screenshot", 200)
        case "compareArchives": AdminProbe(user.archive + "/diff?with=\(ServerFixture.id(2))", 200)
        case "makeUsersHead": AdminProbe(user.archive + "/head", 201)
        case "explainScene": AdminProbe(user.path + "/scenes/main/explanation?device=\(user.phone.device)", 200)
        case "listUsersDataSources": AdminProbe(user.path + "/data-sources", 200)
        case "listUsersItems": AdminProbe(photos + "/items?device=\(user.phone.device)", 200)
        case "explainItem": AdminProbe(photos + "/items/secret-p1?device=\(user.phone.device)", 200)
        case "listAmbiguousAliases": AdminProbe(photos + "/ambiguous-aliases", 200)
        case "listDecisions": AdminProbe(photos + "/decisions", 200)
        case "decideItems": AdminProbe(photos + "/decisions", 201, ["kind": "same"].merging(pair) { $1 })
        case "removeItemDecision": AdminProbe(photos + "/decisions" + decided, 204)
        case "readAbout": AdminProbe("/admin/api/about", 200)
        case "listServiceAudit": AdminProbe("/admin/api/audit", 200)
        default: nil
        }
    }

    /// Sends the request of a route with an API token of a role.
    func send(_ route: Route, as role: Role) async throws -> Answer {
        try await send(route, ["Authorization: Bearer \(try await fixture.apiToken(role).text)"])
    }

    /// Uploads an archive to the user's scene `main`.
    func upload(_ bytes: [UInt8], as number: Int) async throws {
        let answer = try await fixture.send(
            .put, "/v1/scenes/main/archives/\(ServerFixture.id(number))", token: user.phone.token, body: bytes)
        #expect(answer.status == 201, "\(answer.text)")
    }

    /// The routes that look into the data of a user, or change it.
    static let looks: [Route] = [
        "readUser", "listTimeline", "inspectArchive", "downloadArchive", "viewScreenshot", "compareArchives",
        "explainScene",
        "listUsersDataSources", "listUsersItems", "explainItem", "listDecisions", "listDeletedArchives",
        "listAnswers", "listAmbiguousAliases",
    ]
    static let changes: [Route] = [
        "deleteUsersArchive", "makeUsersHead", "decideItems", "removeItemDecision", "undeleteArchive",
    ]

    var ownerOfData: UserKey {
        get throws { UserKey(app: fixture.app.id, user: try #require(UserID(user.phone.user))) }
    }

    func showContents(_ showsContents: Bool) async throws {
        var settings = try await fixture.service.apps.app(.id(fixture.app.id)).settings
        settings.showsContents = showsContents
        try await fixture.service.apps.replaceSettings(of: fixture.app.id, with: settings)
    }

    /// The entries of the app's audit log, the newest first.
    func log() async throws -> [AuditEntry] {
        try await fixture.service.auditLog.audit(of: fixture.app.id, below: nil, limit: 100)
    }
}

extension Answer {
    /// The JSON body.
    var tree: [String: Any] {
        get throws { try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]) }
    }

    var items: [[String: Any]] {
        get throws { try #require(try tree["items"] as? [[String: Any]]) }
    }
}
