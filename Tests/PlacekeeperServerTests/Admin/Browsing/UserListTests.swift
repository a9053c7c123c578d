import Foundation
import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperMemoryStore
@testable import PlacekeeperServer

/// The sorted and filtered list of users, and what an administrator does with one of them.
@Suite struct UserListTests {
    /// Returns the ids of the users that a viewer's request lists, over all pages.
    private func list(_ query: String, in world: AdminWorld) async throws -> [String] {
        let token = try await world.fixture.apiToken(.viewer).text
        var (ids, cursor): ([String], String?) = ([], "")
        while let next = cursor {
            let answer = try await world.fixture.send(
                .get, world.user.app + "/users?limit=1&" + query + next, token: token)
            #expect(answer.status == 200, "\(answer.text)")
            ids += try answer.items.compactMap { $0["id"] as? String }
            cursor = try answer.tree["next"].map { "&cursor=\($0)" }
        }
        return ids
    }

    @Test func showsTheUserWhoWasSeenLastFirst() async throws {
        let world = try await AdminWorld()
        let (clock, anna) = (world.fixture.clock, world.user.phone.user)
        clock.advance(.seconds(100))
        let ben = try await world.fixture.join()
        clock.advance(.seconds(100))
        let eve = try await world.fixture.join("pad")
        try await world.fixture.upload(50, by: eve)
        try await world.fixture.server.flush()
        #expect(Array(try await list("", in: world).prefix(3)) == [eve.user, ben.user, anna])
        clock.advance(.seconds(100))
        _ = try await world.fixture.send(.get, "/v1/devices/self", token: ben.token)
        try await world.fixture.server.flush()
        let users = try await list("sort=seen", in: world)
        #expect(Array(users.prefix(3)) == [ben.user, eve.user, anna])
        #expect(try await list("sort=id", in: world) == users.sorted())
        #expect(Array(try await list("sort=bytes", in: world).prefix(2)) == [anna, eve.user])
    }

    @Test func filtersUsers() async throws {
        let world = try await AdminWorld()
        let anna = world.user.phone.user
        let eve = try await world.fixture.join("pad")
        try await world.fixture.upload(50, by: eve)
        try await world.fixture.server.flush()
        #expect(try await list("failed=true", in: world) == [anna])
        #expect(try await list("failed=true&signedIn=false", in: world) == [])
        #expect(try await list("signedIn=true", in: world) == [anna])
        #expect(try await list("signedIn=false", in: world).contains(eve.user))
        #expect(Set(try await list("idiom=pad", in: world)) == [anna, eve.user])
        #expect(try await list("idiom=pad&signedIn=false", in: world) == [eve.user])
        #expect(try await list("version=42&signedIn=true", in: world) == [anna])
        #expect(try await list("version=41", in: world) == [])
        #expect(try await list("overQuota=true", in: world) == [])
        var settings = world.fixture.app.settings
        settings.quotas.userArchives = 2
        try await world.fixture.service.apps.replaceSettings(of: world.fixture.app.id, with: settings)
        #expect(try await list("overQuota=true", in: world) == [anna])
        world.fixture.clock.advance(.seconds(86_500))
        #expect(try await list("failed=true", in: world) == [])
    }

    @Test(arguments: [
        "sort=name", "failed=yes", "signedIn=", "overQuota=1", "idiom=none", "cursor=x", "cursor=1.x", "cursor=.",
    ])
    func refusesOtherSelections(_ query: String) async throws {
        let world = try await AdminWorld()
        let token = try await world.fixture.apiToken(.viewer).text
        let answer = try await world.fixture.send(.get, world.user.app + "/users?" + query, token: token)
        #expect(answer.status == 400, "\(answer.text)")
    }

    @Test func showsSubjectsOnlyWhereContentsAreShown() async throws {
        let world = try await AdminWorld()
        func subjects(_ role: Role) async throws -> [String] {
            let token = try await world.fixture.apiToken(role).text
            let answer = try await world.fixture.send(.get, world.user.app + "/users", token: token)
            return try answer.items.compactMap { $0["subject"] as? String }
        }
        #expect(try await subjects(.operator) == ["secret-anna"])
        #expect(try await subjects(.viewer) == [])
        try await world.showContents(false)
        #expect(try await subjects(.owner) == [])
    }

    @Test func findsItemsByTheirIdentifier() async throws {
        let world = try await AdminWorld()
        let (user, phone) = (world.user.phone.user, world.user.phone.device)
        func find(_ text: String, as role: Role) async throws -> [[String: String]] {
            let token = try await world.fixture.apiToken(role).text
            let answer = try await world.fixture.send(
                .get, world.user.app + "/find?text=" + text.replacing("#", with: "%23"), token: token)
            return try #require(try answer.items as? [[String: String]])
        }
        let item = ["kind": "item", "user": user, "device": phone, "dataSource": "photos"]
        let shown = item.merging(["identifier": "secret-p1", "subject": "secret-anna"]) { $1 }
        #expect(try await find("secret-p1", as: .operator) == [shown])
        let hidden = try await find("secret-p1", as: .viewer)
        let name = try #require(hidden.first?["identifier"])
        #expect(name.hasPrefix("#") && name.count == 17)
        #expect(hidden == [item.merging(["identifier": name]) { $1 }])
        #expect(try await find(name, as: .viewer) == hidden)
        #expect(try await find(name, as: .operator).first?["identifier"] == "secret-p1")
        #expect(try await find("secret-p", as: .operator) == [])
        #expect(try await find("#0000000000000000", as: .operator) == [])
        let other = try await world.fixture.service.apps.createApp("com.example.notes")
        let token = try await world.fixture.apiToken(.operator).text
        let answer = try await world.fixture.send(
            .get, "/admin/api/apps/\(other.id)/find?text=secret-p1", token: token)
        #expect(try answer.items.isEmpty)
    }

    /// More users than one request looks at.
    @Test func continuesTheSearchForAnItemAfterManyUsers() async throws {
        let world = try await AdminWorld()
        for number in 0..<4100 {
            let owner = UserKey(app: world.fixture.app.id, user: UserID(high: 1, low: UInt64(number + 1)))
            let device = Device(
                id: DeviceID(high: 1, low: UInt64(number + 1)), owner: owner, idiom: .phone,
                createdAt: world.fixture.clock.now(), lastSeenAt: world.fixture.clock.now())
            _ = try await world.fixture.memory.register(
                NewDevice(device, token: Digest(1, 1, 1, UInt64(number)), joins: .newUser))
        }
        let token = try await world.fixture.apiToken(.operator).text
        let path = world.user.app + "/find?text=secret-p1"
        let first = try await world.fixture.send(.get, path, token: token)
        let next = try #require(try first.tree["next"] as? String)
        #expect(try first.items.isEmpty)
        let second = try await world.fixture.send(.get, path + "&cursor=" + next, token: token)
        #expect(try second.items.map { $0["kind"] as? String } == ["item"] && second.tree["next"] == nil)
        // Only the start of a search is an entry, unless somebody starts in the middle.
        try await world.fixture.server.flush()
        #expect(try await world.log().filter { $0.action == .searched }.map(\.detail) == [""])
        world.fixture.clock.advance(.seconds(301))
        _ = try await world.fixture.send(.get, path + "&cursor=" + next, token: token)
        #expect(try await world.log().filter { $0.action == .searched }.count == 2)
    }

    @Test func revokesADeviceOfAUser() async throws {
        let world = try await AdminWorld()
        let (pad, phone) = (world.user.pad, world.user.phone)
        #expect(try await world.send("revokeUsersDevice", as: .operator).status == 204)
        #expect(try await world.fixture.send(.get, "/v1/devices/self", token: pad.token).code == .unauthorized)
        #expect(try await world.fixture.send(.get, "/v1/devices/self", token: phone.token).status == 200)
        let entry = try #require(try await world.log().first)
        #expect(entry.action == .deviceRevoked && entry.detail == "device \(pad.device)" && entry.subject != nil)
        #expect(try await world.send("revokeUsersDevice", as: .operator).code == .deviceNotFound)
    }

    /// Fails if anything is sent.
    private struct Refusing: BodyWriter {
        func write(_ bytes: [UInt8]) async throws { Issue.record("The export was sent.") }
    }

    @Test func exportsAUserWhereContentsAreShown() async throws {
        let world = try await AdminWorld()
        let answer = try await world.send("exportUsersData", as: .operator)
        #expect(answer.status == 200 && answer[.contentType] == "application/x-ndjson")
        guard case .stream(let produce) = answer.response.body else { throw ServerFixture.Unreadable(target: "export") }
        let entry = try #require(try await world.log().first)
        #expect(entry.action == .exported && entry.actor == .token("check") && entry.subject != nil)
        try await world.showContents(false)
        #expect(try await world.send("exportUsersData", as: .owner).code == .contentsHidden)
        await #expect(throws: (any Error).self) { try await produce(Refusing()) }
    }

    @Test func erasesAUser() async throws {
        let world = try await AdminWorld()
        #expect(try await world.send("eraseUsersData", as: .owner).status == 204)
        #expect(try await world.send("readUser", as: .owner).code == .userNotFound)
        #expect(try await world.send("eraseUsersData", as: .owner).code == .userNotFound)
        let entry = try #require(try await world.log().first { $0.action == .erased })
        #expect(entry.actor == .token("check"))
    }
}
