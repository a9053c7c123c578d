import Foundation
import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperMatching
import PlacekeeperService
import Testing

@testable import PlacekeeperServer

/// Compares request bodies with the schemas of `openapi.yaml`.
@Suite struct RequestSchemaTests {
    /// A JSON body with every member of its schema.
    private struct Body {
        var schema: Substring
        var method: PlacekeeperHTTP.Method
        var target: String
        var json: Any

        init(_ schema: Substring, _ method: PlacekeeperHTTP.Method, _ target: String, _ json: String) throws {
            self.schema = schema
            self.method = method
            self.target = target
            self.json = try JSONSerialization.jsonObject(with: Data(json.utf8))
        }
    }

    private static let item = #"{"identifier": "p1", "aliases": ["one"], "position": 1}"#

    private static func bodies(app: String, user: String = "/admin/api/apps/x/users/y") throws -> [Body] {
        let archive = "/v1/scenes/main/archives/" + ServerFixture.id(1)
        let context = #""idiom": "phone", "layout": "compact", "bundleVersion": "1", "systemVersion": "1""#
        return [
            try Body(
                "Registration", .post, "/v1/devices",
                #"""
                {"app": "\#(app)", "idiom": "phone", "model": "m", "name": "n", "systemVersion": "18.1",
                 "installation": {"id": "\#(ServerFixture.id(1))", "secret": "0123456789abcdef012345"},
                 "linkCode": "7K3M9QXA"}
                """#),
            try Body(
                "Registration", .post, "/v1/devices",
                #"{"app": "\#(app)", "idiom": "phone", "signInToken": "subject anna"}"#),
            try Body(
                "Registration", .post, "/v1/devices",
                #"""
                {"app": "\#(app)", "idiom": "phone",
                 "installation": {"id": "\#(ServerFixture.id(2))", "secret": "0123456789abcdef012345"},
                 "copyOf": {"id": "\#(ServerFixture.id(1))", "secret": "0123456789abcdef012345"}}
                """#),
            try Body("DevicePatch", .patch, "/v1/devices/self", #"{"idiom": "pad"}"#),
            try Body("SignIn", .post, "/v1/devices/self/sign-in", #"{"token": "t"}"#),
            try Body("SignOut", .post, "/v1/devices/self/sign-out", #"{"next": "none"}"#),
            try Body(
                "TokenRequest", .post, "/v1/devices/self/token", #"{"access": "readOnly", "revokesPrevious": true}"#),
            try Body("Link", .post, "/v1/devices/self/link", #"{"code": "7K3M9QXA"}"#),
            try Body(
                "Outcome", .post, archive + "/outcomes",
                #"""
                {"result": "began", \#(context), "stateVersion": 1, "launch": "launch-1", "path": "root/list",
                 "step": 1, "duration": 0.25}
                """#),
            try Body("NewHead", .post, archive + "/head", #"{"id": "\#(ServerFixture.id(2))"}"#),
            try Body(
                "DataSourceDeclaration", .put, "/v1/data-sources/photos",
                #"{"scope": "shared", "selectsNeighbors": true, "uniqueAliases": ["isbn"], "allowsRedirects": true}"#),
            try Body(
                "ItemDelta", .patch, "/v1/data-sources/photos/items",
                #"""
                {"upserts": [\#(item)], "removals": ["p9"], "redirects": [{"from": "p2", "to": "p1"}], "after": 0}
                """#),
            try Body(
                "ResolutionQuestion", .post, "/v1/data-sources/photos/resolve",
                #"{"device": "\#(ServerFixture.id(1))", "identifiers": ["p1"]}"#),
            try Body(
                "SetUp", .post, "/admin/api/set-up",
                #"{"secret": "x", "name": "anna", "password": "\#(ServerFixture.password)"}"#),
            try Body("LogIn", .post, "/admin/api/session", #"{"name": "anna", "password": "x", "code": "123456"}"#),
            try Body(
                "NewSecondFactor", .put, "/admin/api/session/second-factor",
                #"{"password": "x", "secret": "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", "code": "123456"}"#),
            try Body(
                "SecondFactorRemoval", .post, "/admin/api/session/second-factor/removal",
                #"{"password": "x", "code": "123456"}"#),
            try Body(
                "AcceptedInvitation", .post, "/admin/api/invitation",
                #"{"invitation": "x", "password": "\#(ServerFixture.password)", "code": "123456"}"#),
            try Body(
                "PasswordChange", .put, "/admin/api/session/password",
                #"{"password": "x", "newPassword": "\#(ServerFixture.password)"}"#),
            try Body(
                "NewAdministrator", .post, "/admin/api/administrators",
                #"{"name": "ben", "role": "viewer", "password": "\#(ServerFixture.password)"}"#),
            try Body(
                "AdministratorPatch", .patch, "/admin/api/administrators/\(ServerFixture.id(1))",
                #"{"role": "viewer", "password": "\#(ServerFixture.password)", "hasSecondFactor": false}"#),
            try Body("NewAPIToken", .post, "/admin/api/tokens", #"{"label": "x", "role": "viewer", "days": 1}"#),
            try Body("NewApp", .post, "/admin/api/apps", #"{"bundleIdentifier": "com.example.new"}"#),
            try Body(
                "NewDecision", .post, user + "/data-sources/photos/decisions",
                #"{"kind": "same", "first": "x", "second": "y", "note": "z"}"#),
        ]
    }

    /// For each nested value, returns a copy of `value` that has null instead of the nested value, and the pointer to
    /// the null.
    private static func nulled(_ value: Any, _ pointer: String = "") -> [(pointer: String, value: Any)] {
        switch value {
        case let object as [String: Any]:
            object.flatMap { name, member in
                ([(pointer + "/" + name, NSNull())] + nulled(member, pointer + "/" + name)).map {
                    ($0.0, object.merging([name: $0.1]) { $1 })
                }
            }
        case let array as [Any]:
            array.indices.flatMap { index in
                ([(pointer + "/\(index)", NSNull())] + nulled(array[index], pointer + "/\(index)")).map {
                    var array = array
                    array[index] = $0.1
                    return ($0.0, array)
                }
            }
        default: []
        }
    }

    private static func bytes(_ json: Any) throws -> [UInt8] {
        [UInt8](try JSONSerialization.data(withJSONObject: json))
    }

    private func cast() async throws -> (ServerFixture, owner: Member) {
        let (fixture, owner) = try await ServerFixture().withDevice()
        try await fixture.upload(1, by: owner)
        try await fixture.declare(by: owner)
        return (fixture, owner)
    }

    @Test func coversEverySchemaWithEachOfItsMembers() throws {
        let description = try Description()
        let bodies = try Self.bodies(app: "pk")
        #expect(Set(bodies.map(\.schema)) == Set(description.operations.compactMap(\.requestSchema)))
        // A device patch allows null for its texts.
        var members: [Substring: Set<Substring>] = ["DevicePatch": ["model", "name", "systemVersion"]]
        for body in bodies {
            let object = try #require(body.json as? [String: Any])
            members[body.schema, default: []].formUnion(object.keys.map { Substring($0) })
        }
        for (schema, members) in members { #expect(members == description.members[schema], "\(schema)") }
        let item = try #require(
            try JSONSerialization.jsonObject(with: Data(Self.item.utf8)) as? [String: Any])
        #expect(Set(item.keys.map { Substring($0) }) == description.members["Item"])
    }

    @Test func rejectsNullForEachMemberAndPointsToIt() async throws {
        let (fixture, owner) = try await cast()
        let apiToken = try await fixture.apiToken(.owner).text
        let user = "/admin/api/apps/\(fixture.app.id)/users/\(owner.user)"
        for body in try Self.bodies(app: fixture.app.publishableKey, user: user) {
            let token = body.target.hasPrefix("/admin/") ? apiToken : owner.token
            let whole = try await fixture.send(
                body.method, body.target, token: token, body: try Self.bytes(body.json))
            #expect(whole.code != .invalidBody, "\(body.schema): \(whole.text)")
            for (pointer, json) in Self.nulled(body.json) {
                let answer = try await fixture.send(
                    body.method, body.target, token: token, body: try Self.bytes(json))
                #expect(answer.code == .invalidBody, "\(body.schema) \(pointer): \(answer.text)")
                #expect(answer.problem?.pointer == pointer, "\(body.schema) \(pointer): \(answer.text)")
                #expect(answer.problem?.detail == "The member must not be null.", "\(body.schema) \(pointer)")
            }
        }
    }

    @Test func rejectsNullForEachMemberOfALine() async throws {
        let (fixture, owner) = try await cast()
        let line = try JSONSerialization.jsonObject(with: Data(Self.item.utf8))
        let variants = Self.nulled(line)
        #expect(variants.count == 4)
        for (pointer, json) in variants {
            let text = "{\"identifier\": \"p0\"}\n" + String(decoding: try Self.bytes(json), as: UTF8.self)
            let answer = try await fixture.change(text, by: owner, fields: [ServerFixture.lines])
            #expect(answer.code == .invalidBody, "\(pointer): \(answer.text)")
            #expect(answer.problem?.pointer == pointer, "\(answer.text)")
            #expect(answer.problem?.details?["line"] == "2", "\(answer.text)")
        }
        #expect(try await fixture.registered(by: owner).items.isEmpty)
    }

    @Test func rejectsADeltaWithANullCursor() async throws {
        let (fixture, owner) = try await cast()
        #expect(try await fixture.change(#"{"upserts": [{"identifier": "p1"}], "after": 0}"#, by: owner).status == 200)
        let before = try await fixture.registered(by: owner)
        let answer = try await fixture.change(#"{"upserts": [{"identifier": "p2"}], "after": null}"#, by: owner)
        #expect(answer.code == .invalidBody && answer.problem?.pointer == "/after", "\(answer.text)")
        #expect(try await fixture.registered(by: owner) == before)
    }

    @Test func ignoresNullForAnUnknownMember() async throws {
        let (fixture, owner) = try await cast()
        #expect(try await fixture.change(#"{"upserts": [], "more": null}"#, by: owner).status == 200)
    }

    @Test(arguments: [
        "/v1/scenes/main/archives", "/v1/data-sources/photos/items", "/v1/places", "/v1/manifest",
    ])
    func rejectsAnEmptyCursor(_ path: String) async throws {
        let (fixture, owner) = try await cast()
        for query in ["cursor=", "cursor", "limit=1&cursor="] {
            let answer = try await fixture.send(.get, path + "?" + query, token: owner.token)
            #expect(answer.code == .malformedQuery, "\(query): \(answer.text)")
            #expect(answer.problem?.parameter == "cursor")
        }
    }
}
