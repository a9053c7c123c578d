import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperMatching
import PlacekeeperService
import Testing

@testable import PlacekeeperServer

@Suite struct AdministratorTests {
    private struct Page: Decodable {
        struct Item: Decodable {
            var id: String
            var name: String?
            var label: String?
            var bundleIdentifier: String?
            var role: String?
            var token: String?
            var lastUsedAt: String?
            var expiresAt: String?
        }

        var items: [Item]
        var next: String?
    }

    @Test func keepsTheLastOwner() async throws {
        let fixture = try await ServerFixture()
        let owner = try await fixture.browser("anna", .owner)
        let anna = try await fixture.service.administration.administrator(.name("anna")).id
        let target = "/admin/api/administrators/\(anna)"
        #expect(try await fixture.send(.delete, target, fields: owner.fields).code == .lastOwner)
        let lowered = try await fixture.send(.patch, target, fields: owner.fields, json: ["role": "viewer"])
        #expect(lowered.code == .lastOwner)
        try await fixture.administrator("ben", .owner)
        #expect(try await fixture.send(.delete, target, fields: owner.fields).status == 204)
        #expect(try await fixture.send(.get, "/admin/api/apps", fields: owner.fields).status == 401)
    }

    @Test func keepsOwnersFromInvitingThemselves() async throws {
        let fixture = try await ServerFixture()
        let (owner, other) = (try await fixture.browser("anna", .owner), try await fixture.browser("ben", .owner))
        let anna = try await fixture.service.administration.administrator(.name("anna")).id
        let target = "/admin/api/administrators/\(anna)/invitation"
        let refused = try await fixture.send(.post, target, fields: owner.fields)
        #expect(refused.status == 422 && refused.code == .invalidBody, "\(refused.text)")
        #expect(try await fixture.send(.get, "/admin/api/apps", fields: owner.fields).status == 200)
        #expect(try await fixture.send(.post, target, fields: other.fields).status == 201)
        #expect(try await fixture.send(.get, "/admin/api/apps", fields: owner.fields).status == 401)
    }

    @Test func appliesANewRoleToTheNextRequest() async throws {
        let fixture = try await ServerFixture()
        let (owner, other) = (try await fixture.browser("anna", .owner), try await fixture.browser("ben", .owner))
        let ben = try await fixture.service.administration.administrator(.name("ben")).id
        let token = try await fixture.apiToken(.owner, creator: ben).text
        let list = "/admin/api/administrators"
        #expect(try await fixture.send(.get, list, fields: other.fields).status == 200)
        #expect(try await fixture.send(.get, list, token: token).status == 200)
        let answer = try await fixture.send(
            .patch, "\(list)/\(ben)", fields: owner.fields, json: ["role": "viewer"])
        #expect(answer.status == 200 && answer.text.contains(#""role":"viewer""#))
        #expect(try await fixture.send(.get, list, fields: other.fields).code == .roleInsufficient)
        #expect(try await fixture.send(.get, list, token: token).code == .roleInsufficient)
    }

    @Test func endsTheSessionsOfAnAdministratorWithANewPassword() async throws {
        let fixture = try await ServerFixture()
        let (owner, other) = (try await fixture.browser("anna", .owner), try await fixture.browser("ben", .viewer))
        let ben = try await fixture.service.administration.administrator(.name("ben")).id
        let target = "/admin/api/administrators/\(ben)"
        let short = try await fixture.send(.patch, target, fields: owner.fields, json: ["password": "short"])
        #expect(short.problem?.pointer == "/password")
        #expect(
            try await fixture.send(.patch, target, fields: owner.fields, json: ["password": "new horse battery"])
                .status == 200)
        #expect(try await fixture.send(.get, "/admin/api/apps", fields: other.fields).status == 401)
        #expect(try await fixture.send(.get, "/admin/api/apps", fields: owner.fields).status == 200)
        #expect(try await fixture.logIn("ben", "new horse battery").status == 201)
    }

    @Test(arguments: ["", "a b", "a/b", "anna\u{301}", "x\n", String(repeating: "a", count: 65)])
    func refusesInvalidNames(_ name: String) async throws {
        let fixture = try await ServerFixture()
        let owner = try await fixture.browser("anna", .owner)
        let answer = try await fixture.send(
            .post, "/admin/api/administrators", fields: owner.fields,
            json: ["name": name, "role": "viewer", "password": ServerFixture.password])
        #expect(answer.code == .invalidBody && answer.problem?.pointer == "/name", "\(answer.text)")
    }

    @Test(arguments: [("password", 9), ("password", 257), ("role", 3)])
    func refusesInvalidMembers(_ member: String, _ count: Int) async throws {
        let fixture = try await ServerFixture()
        let owner = try await fixture.browser("anna", .owner)
        var json = ["name": "dora", "role": "viewer", "password": ServerFixture.password]
        json[member] = String(repeating: "x", count: count)
        let answer = try await fixture.send(.post, "/admin/api/administrators", fields: owner.fields, json: json)
        #expect(answer.code == .invalidBody && answer.problem?.pointer == "/" + member, "\(answer.text)")
        // Without a password, the administrator is invited.
        guard member != "password" else { return }
        json[member] = nil
        let missing = try await fixture.send(.post, "/admin/api/administrators", fields: owner.fields, json: json)
        #expect(missing.code == .invalidBody && missing.problem?.pointer == "/" + member, "\(missing.text)")
    }

    @Test func showsAnAPITokenOnce() async throws {
        let fixture = try await ServerFixture()
        let owner = try await fixture.browser("anna", .owner)
        let body = Array(#"{"label":"nightly check","role":"viewer","days":2}"#.utf8)
        let answer = try await fixture.send(.post, "/admin/api/tokens", fields: owner.fields, body: body)
        #expect(answer.status == 201, "\(answer.text)")
        let item = try answer.json(Page.Item.self)
        let token = try #require(item.token)
        #expect(token.hasPrefix("pka_") && token.count == 47)
        #expect(item.expiresAt == "2025-06-17T15:06:40.000Z" && item.lastUsedAt == nil)
        #expect(try await fixture.send(.get, "/admin/api/apps", token: token).status == 200)
        let list = try await fixture.send(.get, "/admin/api/tokens", fields: owner.fields)
        #expect(!list.text.contains(token))
        let listed = try #require(try list.json(Page.self).items.first)
        #expect(listed.id == item.id && listed.label == "nightly check" && listed.token == nil)
        #expect(listed.lastUsedAt == "2025-06-15T15:06:40.000Z")
        #expect(
            try await fixture.send(.delete, "/admin/api/tokens/\(item.id)", fields: owner.fields).status == 204)
        #expect(try await fixture.send(.get, "/admin/api/apps", token: token).status == 401)
    }

    @Test(arguments: [
        (#"{"label":"","role":"viewer"}"#, "/label"), (#"{"label":"a\u0007","role":"viewer"}"#, "/label"),
        (#"{"role":"viewer"}"#, "/label"), (#"{"label":"a","role":"admin"}"#, "/role"),
        (#"{"label":"a","role":"viewer","days":0}"#, "/days"), (#"{"label":"a","role":"viewer","days":1.5}"#, "/days"),
        (#"{"label":"a","role":"viewer","days":3651}"#, "/days"),
        (#"{"label":"a","role":"viewer","days":"9"}"#, "/days"),
        (#"{"label":"a","role":"viewer","days":1e400}"#, "/days"),
    ])
    func refusesInvalidTokens(_ json: String, _ pointer: String) async throws {
        let fixture = try await ServerFixture()
        let owner = try await fixture.browser("anna", .owner)
        let answer = try await fixture.send(
            .post, "/admin/api/tokens", fields: owner.fields, body: Array(json.utf8))
        #expect(answer.code == .invalidBody && answer.problem?.pointer == pointer, "\(answer.text)")
    }

    @Test func recordsEachChangeInTheAuditLogOfTheService() async throws {
        let world = try await AdminWorld()
        let owner = try await world.fixture.browser("carl", .owner)
        let before = try await world.fixture.entries().count
        let routes: [Route] = [
            "createAdministrator", "changeAdministrator", "removeAdministrator", "createAPIToken", "revokeAPIToken",
            "changePassword", "logOut",
        ]
        for route in routes {
            #expect(try await world.send(route, owner.fields).status < 300)
        }
        let entries = try await world.fixture.entries().dropLast(before)
        #expect(
            entries.map(\.action) == [
                .loggedOut, .passwordChanged, .tokenRevoked, .tokenCreated, .administratorRemoved,
                .administratorChanged, .administratorCreated,
            ])
        #expect(entries.allSatisfy { $0.actor == .administrator("carl") })
        #expect(entries.last?.detail == "dora viewer")
        let token = try await world.fixture.apiToken(.owner).text
        #expect(
            try await world.fixture.send(.delete, "/admin/api/tokens/\(world.token.id)", token: token).code
                == .tokenNotFound)
        #expect(try await world.fixture.entries().first?.actor == .token("check"))
    }

    @Test func listsTheAuditLogOfTheService() async throws {
        let world = try await AdminWorld()
        let token = try await world.fixture.apiToken(.owner).text
        let first = try await world.fixture.send(.get, "/admin/api/audit?limit=2", token: token)
        let entries = try await world.fixture.entries()
        #expect(try first.items.map { $0["action"] as? String } == entries.prefix(2).map(\.action.rawValue))
        let next = try #require(try first.tree["next"] as? String)
        let rest = try await world.fixture.send(.get, "/admin/api/audit?cursor=\(next)", token: token)
        #expect(try rest.items.map { $0["number"] as? Int } == entries.dropFirst(2).map { Int($0.number) })
    }

    /// An owner who left the browser open must not lose the account to the next person.
    @Test func refusesANewPasswordForTheCallerWithoutThePresentOne() async throws {
        let world = try await AdminWorld()
        let owner = try await world.fixture.browser("carl", .owner)
        let list = try await world.fixture.send(.get, "/admin/api/administrators", fields: owner.fields)
        let id = try #require(try list.items.first { $0["name"] as? String == "carl" }?["id"] as? String)
        let path = "/admin/api/administrators/\(id)"
        let refused = try await world.fixture.send(
            .patch, path, fields: owner.fields, json: ["password": "another password"])
        #expect(refused.status == 422 && refused.code == .invalidBody, "\(refused.text)")
        #expect(refused.text.contains("/admin/api/session/password"))
        #expect(try await world.fixture.send(.patch, path, fields: owner.fields, json: ["role": "owner"]).status == 200)
    }

    /// A proxy may ask for a password itself, and the browser then sends this password with each request.
    @Test func ignoresCredentialsOfAnotherSchemeBesideASession() async throws {
        let world = try await AdminWorld()
        let owner = try await world.fixture.browser("carl", .owner)
        let fields = owner.fields + ["Authorization: Basic Y2FybDpzZWNyZXQ="]
        #expect(try await world.fixture.send(.get, "/admin/api/apps", fields: fields).status == 200)
        #expect(
            try await world.fixture.send(.get, "/admin/api/apps", fields: ["Authorization: Basic Y2FybDpzZWNyZXQ="])
                .status == 401)
    }

    @Test func listsInPages() async throws {
        let fixture = try await ServerFixture()
        let token = try await fixture.apiToken(.owner).text
        _ = try await fixture.apiToken(.viewer)
        for name in ["anna", "ben", "carl"] { try await fixture.administrator(name, .viewer) }
        for name in ["com.example.atlas", "com.example.zoo"] { _ = try await fixture.service.apps.createApp(name) }
        for (path, count) in [("administrators", 3), ("apps", 3), ("tokens", 2)] {
            var found: [String] = []
            var target: String? = "/admin/api/\(path)?limit=1"
            while let next = target {
                let page = try await fixture.send(.get, next, token: token).json(Page.self)
                #expect(page.items.count == 1)
                found += page.items.map { $0.name ?? $0.bundleIdentifier ?? $0.id }
                target = page.next.map { "/admin/api/\(path)?limit=1&cursor=\($0)" }
            }
            #expect(found.count == count && found == found.sorted(), "\(found)")
        }
        for query in ["limit=0", "limit=101", "cursor="] {
            let answer = try await fixture.send(.get, "/admin/api/apps?" + query, token: token)
            #expect(answer.code == .malformedQuery, "\(query)")
        }
    }

    @Test func listsAppsWithTheirUsage() async throws {
        let (fixture, device) = try await ServerFixture(settings: { $0.restoration = .offer }).withDevice()
        try await fixture.upload(1, by: device)
        let token = try await fixture.apiToken(.viewer).text
        let answer = try await fixture.send(.get, "/admin/api/apps", token: token)
        let bytes = try Samples.archive(1).count
        #expect(
            answer.text == """
                {"items":[{"id":"\(fixture.app.id)","bundleIdentifier":"com.example.photos",\
                "publishableKey":"\(fixture.app.publishableKey)","createdAt":"2025-06-15T15:06:40.000Z",\
                "restoration":"offer","usage":{"users":1,"devices":1,"archives":1,"bytes":\(bytes)}}]}
                """)
        let again = try await fixture.send(
            .get, "/admin/api/apps", token: token, fields: ["If-None-Match: \(answer[.etag] ?? "")"])
        #expect(again.status == 304)
    }

    @Test func writesJSONTrees() {
        let nested: JSONTree = [
            "text": .text("a\"\\\n\u{1F600}"), "none": nil, "list": .list([.number(-1), .truth(true)]),
        ]
        #expect(
            String(decoding: nested.bytes, as: UTF8.self)
                == #"{"text":"a\"\\\u000a\#u{1F600}","list":[-1,true]}"#)
        let joined = JSONTree.joined([["a": nil], nested, [:], ["b": .encoded(Array("{}".utf8))]])
        #expect(String(decoding: joined.bytes, as: UTF8.self).hasSuffix(#"true],"b":{}}"#))
        #expect(JSONTree.object([]).bytes == Array("{}".utf8))
    }
}
