import Foundation
import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
@testable import PlacekeeperService
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperMemoryStore
@testable import PlacekeeperServer

@Suite struct UserBrowsingTests {
    @Test func listsUsersInPages() async throws {
        let world = try await AdminWorld()
        var users: Set<String> = [world.user.phone.user]
        for _ in 0..<4 { users.insert(try await world.fixture.join().user) }
        let token = try await world.fixture.apiToken(.viewer).text
        var listed: [[String: Any]] = []
        var target: String? = world.user.app + "/users?sort=id&limit=2"
        while let next = target {
            let answer = try await world.fixture.send(.get, next, token: token)
            #expect(try answer.items.count <= 2)
            listed += try answer.items
            target = try answer.tree["next"].map { world.user.app + "/users?sort=id&limit=2&cursor=\($0)" }
        }
        let ids = listed.compactMap { $0["id"] as? String }
        #expect(ids == ids.sorted() && users.isSubset(of: ids) && Set(ids).count == ids.count)
        let anna = try #require(listed.first { $0["id"] as? String == world.user.phone.user })
        #expect(anna["signedIn"] as? Bool == true && anna["devices"] as? Int == 2 && anna["archives"] as? Int == 2)
        let usage = try await world.fixture.memory.usage(of: try world.ownerOfData)
        #expect(anna["bytes"] as? Int == usage.bytes && anna["createdAt"] != nil && anna["lastSeenAt"] != nil)
        #expect(try await world.log().first?.action == .usersListed)
    }

    @Test func findsUsersDevicesAndArchivesExactly() async throws {
        let world = try await AdminWorld()
        let token = try await world.fixture.apiToken(.viewer).text
        func find(_ text: String) async throws -> [[String: String]] {
            let answer = try await world.fixture.send(.get, world.user.app + "/find?text=\(text)", token: token)
            return try #require(try answer.items as? [[String: String]])
        }
        let user = world.user.phone.user
        #expect(try await find("secret-anna") == [["kind": "user", "user": user]])
        #expect(try await find(user) == [["kind": "user", "user": user]])
        let shown = try await world.fixture.send(
            .get, world.user.app + "/find?text=" + user, token: try await world.fixture.apiToken(.operator).text)
        #expect(try shown.items.first?["subject"] as? String == "secret-anna")
        #expect(
            try await find(world.user.pad.device) == [
                ["kind": "device", "user": user, "device": world.user.pad.device]
            ])
        let archive = ServerFixture.id(2)
        #expect(try await find(archive) == [["kind": "archive", "user": user, "scene": "main", "archive": archive]])
        for other in ["secret-ann", "secret", String(user.dropLast()), ServerFixture.id(77), ""] {
            #expect(try await find(other) == [], "\(other)")
        }
        #expect(try await world.log().first?.action == .searched)
        let missing = try await world.fixture.send(.get, world.user.app + "/find", token: token)
        #expect(missing.status == 400 && missing.problem?.parameter == "text")
    }

    @Test func findsNothingOfAnotherApp() async throws {
        let world = try await AdminWorld()
        let other = try await world.fixture.service.apps.createApp("com.example.notes")
        let token = try await world.fixture.apiToken(.viewer).text
        for text in ["secret-anna", world.user.phone.user, world.user.pad.device, ServerFixture.id(2)] {
            let answer = try await world.fixture.send(
                .get, "/admin/api/apps/\(other.id)/find?text=\(text)", token: token)
            #expect(try answer.items.isEmpty, "\(text)")
        }
    }

    @Test func showsAUserWithDevicesAndScenes() async throws {
        let world = try await AdminWorld()
        let tree = try await world.send("readUser", as: .operator).tree
        #expect(tree["subject"] as? String == "secret-anna" && tree["signedIn"] as? Bool == true)
        let devices = try #require(tree["devices"] as? [[String: Any]])
        #expect(Set(devices.compactMap { $0["id"] as? String }) == [world.user.phone.device, world.user.pad.device])
        #expect(devices.contains { $0["name"] as? String == "secret phone" })
        let scenes = try #require(tree["scenes"] as? [[String: Any]])
        #expect(scenes.count == 1 && scenes[0]["name"] as? String == "main" && scenes[0]["archives"] as? Int == 2)
        #expect((scenes[0]["head"] as? [String: Any])?["id"] as? String == ServerFixture.id(2))
        let viewed = try await world.send("readUser", as: .viewer).tree
        #expect(viewed["subject"] == nil && viewed["signedIn"] as? Bool == true)
    }

    @Test func listsTheAuditLogInPages() async throws {
        let world = try await AdminWorld()
        for _ in 0..<3 { #expect(try await world.send("readUser", as: .viewer).status == 200) }
        let token = try await world.fixture.apiToken(.viewer).text
        let first = try await world.fixture.send(.get, world.user.app + "/audit?limit=2", token: token)
        let next = try #require(try first.tree["next"] as? String)
        let second = try await world.fixture.send(
            .get, world.user.app + "/audit?limit=100&cursor=\(next)", token: token)
        let entries = try first.items + second.items
        let log = try await world.log()
        #expect(entries.compactMap { $0["number"] as? Int64 } == log.map(\.number))
        #expect(entries.first?["actor"] as? String == "token check" && entries.first?["action"] as? String == "shown")
        #expect((entries.first?["about"] as? String)?.count == 64)
    }

    @Test func countsEventsByTheHour() async throws {
        let world = try await AdminWorld()
        let context = "idiom=pad&bundleVersion=42&systemVersion=17.4"
        let latest = "/v1/scenes/main/archives/latest?" + context
        for _ in 0..<2 {
            #expect(try await world.fixture.send(.get, latest, token: world.user.pad.token).status == 200)
        }
        try await world.fixture.server.flush()
        world.fixture.clock.advance(.seconds(3600))
        try await world.fixture.upload(3, by: world.user.phone)
        try await world.fixture.server.flush()
        // A count of an older version of the service.
        let appID = world.fixture.app.id
        let now = world.fixture.clock.now()
        try await world.fixture.service.store.add([
            Counter(hour: now.hour, app: appID, name: "upload", label: "stored"): 4
        ])
        let other = try await world.fixture.service.apps.createApp("com.example.notes")
        let token = try await world.fixture.apiToken(.viewer).text
        let tree = try await world.fixture.send(.get, world.user.app + "/overview", token: token).tree
        let series = try #require(tree["series"] as? [[String: Any]])
        func counts(_ name: String, _ label: String, _ idiom: String?, _ version: String?) throws -> [Int] {
            let found = series.first {
                $0["name"] as? String == name && $0["label"] as? String == label && $0["idiom"] as? String == idiom
                    && $0["bundleVersion"] as? String == version
            }
            return try #require(found?["counts"] as? [Int], "\(name) \(label)")
        }
        #expect(try counts("upload", "stored", "phone", "42").suffix(2) == [3, 1])
        #expect(try counts("upload", "stored", "phone", "42").count == 24)
        #expect(try counts("upload", "stored", nil, nil).suffix(2) == [0, 4])
        // The second answer is the same serving.
        #expect(try counts("restore", "place", "pad", "42").suffix(2) == [1, 0])
        #expect(try counts("outcome", "failed", "phone", "42").suffix(2) == [1, 0])
        #expect(series.count == 4)
        #expect(tree["waitingForFirstDevice"] as? Bool == false)
        #expect((tree["usage"] as? [String: Int])?["archives"] == 3)
        let empty = try await world.fixture.send(.get, "/admin/api/apps/\(other.id)/overview?hours=720", token: token)
            .tree
        #expect(empty["waitingForFirstDevice"] as? Bool == true && (empty["series"] as? [Any])?.isEmpty == true)
        let month = try await world.fixture.send(
            .get, world.user.app + "/overview?hours=720&utcOffset=-3", token: token
        ).tree
        let days = try #require((month["series"] as? [[String: Any]])?.compactMap { $0["counts"] as? [Int] })
        #expect(days.allSatisfy { $0.count == 30 } && days.joined().reduce(0, +) == 10)
        #expect(month["columnHours"] as? Int == 24 && month["outcomesBefore"] != nil)
        #expect(tree["outcomesBefore"] as? [String: Int] == ["restored": 0, "failed": 0, "crashed": 0])
        world.fixture.clock.advance(.seconds(24 * 3600))
        let next = try await world.fixture.send(.get, world.user.app + "/overview", token: token).tree
        #expect(next["outcomesBefore"] as? [String: Int] == ["restored": 0, "failed": 1, "crashed": 0])
        #expect(
            try await world.fixture.send(.get, world.user.app + "/overview?utcOffset=15", token: token).status == 400)
        for hours in ["1", "0", "721", "x"] {
            let answer = try await world.fixture.send(.get, world.user.app + "/overview?hours=\(hours)", token: token)
            #expect(answer.status == 400)
        }
    }

    @Test func tellsResponseTimesOfTheService() async throws {
        let world = try await AdminWorld()
        try await world.fixture.server.flush()
        world.fixture.clock.advance(.seconds(3600))
        try await world.fixture.upload(3, by: world.user.phone)
        try await world.fixture.server.flush()
        let other = try await world.fixture.service.apps.createApp("com.example.notes")
        let token = try await world.fixture.apiToken(.viewer).text
        let tree = try await world.fixture.send(.get, "/admin/api/apps/\(other.id)/overview", token: token).tree
        let latency = try #require(tree["latency"] as? [String: Any])
        let bounds = try #require(latency["boundsMicroseconds"] as? [Int])
        let routes = try #require(latency["routes"] as? [[String: Any]])
        let series = try #require(latency["series"] as? [[Int]])
        #expect(
            routes.map { $0["operation"] as? String } == [
                "registerDevice", "storeArchive", "readLatest", "reportOutcome", "changeItems",
            ])
        #expect(routes.first?["route"] as? String == "POST /v1/devices")
        let counts = routes.compactMap { $0["counts"] as? [Int] }
        #expect(counts.allSatisfy { $0.count == bounds.count + 1 })
        // Two registrations, the uploads of the user's archives, the failed restore, and two changes of items.
        #expect(counts.map { $0.reduce(0, +) } == [2, 4, 0, 1, 2])
        #expect(series.count == bounds.count + 1 && series.allSatisfy { $0.count == 24 })
        #expect(series.reduce(0) { $0 + $1[22] } == 8 && series.reduce(0) { $0 + $1[23] } == 1)
        #expect((tree["series"] as? [Any])?.isEmpty == true)
    }

    @Test func tellsAboutTheService() async throws {
        let world = try await AdminWorld()
        let ready = try await world.send("readAbout", as: .viewer).tree
        #expect(ready["ready"] as? Bool == true && ready["apps"] as? Int == 1)
        #expect((ready["usedBytes"] as? Int ?? 0) > 0 && ready["maximumBytes"] == nil)
        #expect((ready["alerts"] as? [Any])?.isEmpty == true && ready["disk"] == nil && ready["lastBackup"] == nil)
        let alert = Alert(.diskLow, "the disk", "The disk is full.")
        world.fixture.service.alerts.update(.diskLow, to: [alert], by: world.fixture.clock)
        let alerts = try await world.send("readAbout", as: .viewer).tree["alerts"] as? [[String: Any]]
        #expect(alerts?.map { $0["message"] as? String } == ["The disk is full."])
        let token = try await world.fixture.apiToken(.viewer).text
        world.fixture.clock.advance(.seconds(5))
        world.fixture.store.fail(with: .full, in: "check()")
        let full = try await world.fixture.send(.get, "/admin/api/about", token: token).tree
        #expect(full["ready"] as? Bool == false)
    }
}
