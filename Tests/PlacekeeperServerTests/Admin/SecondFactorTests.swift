import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperServer

@Suite struct SecondFactorTests {
    private static let secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
    private static let path = "/admin/api/session/second-factor"

    private struct Codes: Decodable { var recoveryCodes: [String] }

    /// Returns the code that an authenticator app shows, some steps of 30 seconds from now.
    private func code(_ fixture: ServerFixture, after steps: Int64 = 0) throws -> String {
        let key = try #require(Base32.decode(Self.secret))
        let step = UInt64(fixture.clock.now().milliseconds / 30_000 + steps)
        return try #require(SecondFactor.code(of: key, step: step, DigestPasswords(SystemHashing())))
    }

    private func add(_ fixture: ServerFixture, _ browser: Browser) async throws -> [String] {
        let answer = try await fixture.send(
            .put, Self.path, fields: browser.fields,
            json: ["password": ServerFixture.password, "secret": Self.secret, "code": try code(fixture)])
        #expect(answer.status == 200, "\(answer.text)")
        return try answer.json(Codes.self).recoveryCodes
    }

    private func logIn(_ fixture: ServerFixture, code: String?) async throws -> Answer {
        var body = ["name": "anna", "password": ServerFixture.password]
        body["code"] = code
        return try await fixture.send(.post, "/admin/api/session", json: body)
    }

    @Test func logInNeedsACodeThatWasNotUsed() async throws {
        let fixture = try await ServerFixture()
        let browser = try await fixture.browser("anna", .viewer)
        let used = try code(fixture)
        let recovery = try await add(fixture, browser)
        #expect(try await logIn(fixture, code: nil).code == .secondFactorRequired)
        #expect(try await logIn(fixture, code: "000000").code == .logInRefused)
        #expect(try await logIn(fixture, code: used).code == .logInRefused)
        let next = try code(fixture, after: 1)
        #expect(try Browser(await logIn(fixture, code: "\(next.prefix(3)) \(next.suffix(3))")).name == "anna")
        #expect(try await logIn(fixture, code: next).code == .logInRefused)
        fixture.clock.advance(.seconds(600))
        #expect(try await logIn(fixture, code: try code(fixture, after: 2)).code == .logInRefused)
        #expect(try await logIn(fixture, code: try code(fixture, after: -1)).status == 201)
        #expect(Set(recovery).count == 10)
        fixture.clock.advance(.seconds(600))
        #expect(try await logIn(fixture, code: recovery[3].uppercased()).status == 201)
        #expect(try await logIn(fixture, code: recovery[3]).code == .logInRefused)
        #expect(try await logIn(fixture, code: recovery[4]).status == 201)
    }

    /// The second factor of an administrator is told only to somebody with the password.
    @Test func aWrongPasswordTellsNothing() async throws {
        let fixture = try await ServerFixture()
        _ = try await add(fixture, try await fixture.browser("anna", .viewer))
        #expect(try await fixture.logIn("anna", "wrong password").code == .logInRefused)
    }

    @Test func isAddedAndRemovedWithThePasswordAndACode() async throws {
        let fixture = try await ServerFixture()
        let browser = try await fixture.browser("anna", .viewer)
        func put(_ body: [String: String]) async throws -> Answer {
            try await fixture.send(.put, Self.path, fields: browser.fields, json: body)
        }
        let code = try code(fixture)
        let right = ["password": ServerFixture.password, "secret": Self.secret, "code": code]
        for (member, value) in [("password", "wrong password"), ("secret", "GEZDGNBV"), ("secret", "1"), ("code", "1")]
        {
            let answer = try await put(right.merging([member: value]) { $1 })
            #expect(answer.status == 422 && answer.text.contains("/\(member)"), "\(answer.text)")
        }
        #expect(try await logIn(fixture, code: nil).status == 201)
        let recovery = try await add(fixture, browser)
        let session = try await fixture.send(.get, "/admin/api/session", fields: browser.fields)
        #expect(session.text.contains(#""hasSecondFactor":true"#), "\(session.text)")
        func remove(_ code: String) async throws -> Answer {
            try await fixture.send(
                .post, Self.path + "/removal", fields: browser.fields,
                json: ["password": ServerFixture.password, "code": code])
        }
        #expect(try await remove("123456").status == 422)
        #expect(try await remove(recovery[0]).status == 204)
        #expect(try await logIn(fixture, code: nil).status == 201)
        let actions = try await fixture.entries().map(\.action)
        #expect(actions.contains(.secondFactorAdded) && actions.contains(.secondFactorRemoved))
    }

    @Test func anOwnerRemovesALostSecondFactor() async throws {
        let fixture = try await ServerFixture()
        let owner = try await fixture.browser("olga", .owner)
        _ = try await add(fixture, try await fixture.browser("anna", .viewer))
        let id = try await fixture.service.administration.administrator(.name("anna")).id
        let answer = try await fixture.send(
            .patch, "/admin/api/administrators/\(id)", fields: owner.fields + [ServerFixture.json],
            body: Array(#"{"hasSecondFactor": false}"#.utf8))
        #expect(answer.status == 200 && answer.text.contains(#""hasSecondFactor":false"#), "\(answer.text)")
        #expect(try await logIn(fixture, code: nil).status == 201)
        #expect(try await fixture.entries().contains { $0.action == .secondFactorRemoved && $0.detail == "anna" })
    }

    /// Otherwise a stolen session would need no code.
    @Test func anOwnerNeedsACodeToRemoveTheirOwn() async throws {
        let fixture = try await ServerFixture()
        let owner = try await fixture.browser("anna", .owner)
        _ = try await add(fixture, owner)
        let id = try await fixture.service.administration.administrator(.name("anna")).id
        let answer = try await fixture.send(
            .patch, "/admin/api/administrators/\(id)", fields: owner.fields + [ServerFixture.json],
            body: Array(#"{"hasSecondFactor": false}"#.utf8))
        #expect(answer.status == 422 && answer.problem?.pointer == "/hasSecondFactor", "\(answer.text)")
        #expect(try await logIn(fixture, code: nil).code == .secondFactorRequired)
    }

    @Test func storedFormIsRead() {
        let factor = SecondFactor(
            secret: Array(0..<20), lastStep: 1 << 40 | 7, recoveryCodes: [Digest(1, 2, 3, 4), Digest(5, 6, 7, 8)])
        #expect(SecondFactor(bytes: factor.bytes) == factor)
        #expect(SecondFactor(bytes: Array(factor.bytes.dropLast())) == nil)
        #expect(SecondFactor(bytes: []) == nil)
    }

    /// RFC 4648 section 10.
    @Test(arguments: [
        ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"), ("foobar", "MZXW6YTBOI"),
    ])
    func encodesBase32(text: String, encoded: String) {
        #expect(Base32.encode(Array(text.utf8)) == encoded)
        #expect(Base32.decode(encoded) == Array(text.utf8))
        #expect(Base32.decode("m1") == nil)
    }
}

@Suite struct InvitationTests {
    private struct Created: Decodable {
        struct Invitation: Decodable {
            var path: String
            var invitation: String
        }
        var id: String
        var invitation: Invitation
    }

    private func accept(_ fixture: ServerFixture, _ invitation: String, _ password: String = "a new password")
        async throws
        -> Answer
    {
        try await fixture.send(
            .post, "/admin/api/invitation", json: ["invitation": invitation, "password": password])
    }

    private func invite(_ fixture: ServerFixture, _ owner: Browser) async throws -> Created {
        let answer = try await fixture.send(
            .post, "/admin/api/administrators", fields: owner.fields, json: ["name": "ben", "role": "operator"])
        #expect(answer.status == 201, "\(answer.text)")
        return try answer.json(Created.self)
    }

    @Test func setsAPasswordOnce() async throws {
        let fixture = try await ServerFixture()
        let owner = try await fixture.browser("anna", .owner)
        let invitation = try await invite(fixture, owner).invitation
        #expect(invitation.path == "/admin/#/invitation/" + invitation.invitation)
        #expect(try await fixture.logIn("ben", "").code == .logInRefused)
        #expect(try await accept(fixture, invitation.invitation, "short").status == 422)
        let browser = try Browser(await accept(fixture, invitation.invitation))
        #expect(browser.name == "ben" && browser.role == .operator)
        #expect(try await accept(fixture, invitation.invitation).code == .setUpRefused)
        #expect(try await fixture.logIn("ben", "a new password").status == 201)
        let contents = try await fixture.adminContents().joined()
        #expect(!contents.contains(invitation.invitation.suffix(43)))
    }

    @Test func expires() async throws {
        let fixture = try await ServerFixture()
        let invitation = try await invite(fixture, try await fixture.browser("anna", .owner)).invitation
        fixture.clock.advance(Administration.invitationLifetime)
        #expect(try await accept(fixture, invitation.invitation).code == .setUpRefused)
    }

    @Test(arguments: ["", "x", ".", "a.b.c", "00000000-0000-0000-0000-000000000001.x"])
    func isRefusedIfItIsInvalid(text: String) async throws {
        let fixture = try await ServerFixture()
        #expect(try await accept(fixture, text).code == .setUpRefused)
    }

    /// A new invitation also helps someone who forgot the password.
    @Test func replacesAPasswordAndAnEarlierInvitation() async throws {
        let fixture = try await ServerFixture()
        let owner = try await fixture.browser("anna", .owner)
        let created = try await invite(fixture, owner)
        let ben = try Browser(await accept(fixture, created.invitation.invitation))
        let path = "/admin/api/administrators/\(created.id)/invitation"
        let first = try await fixture.send(.post, path, fields: owner.fields).json(Created.Invitation.self)
        let second = try await fixture.send(.post, path, fields: owner.fields).json(Created.Invitation.self)
        #expect(try await fixture.logIn("ben", "a new password").code == .logInRefused)
        #expect(try await fixture.send(.get, "/admin/api/apps", fields: ben.fields).status == 401)
        #expect(try await accept(fixture, first.invitation).code == .setUpRefused)
        #expect(try await accept(fixture, second.invitation).status == 201)
    }
}

@Suite struct AdminSessionListTests {
    private struct Page: Decodable {
        struct Session: Decodable {
            var id: String
            var name: String
            var isCurrent: Bool
        }
        var items: [Session]
    }

    private func sessions(_ fixture: ServerFixture, _ browser: Browser) async throws -> [Page.Session] {
        try await fixture.send(.get, "/admin/api/sessions", fields: browser.fields).json(Page.self).items
    }

    @Test func listsAndEndsSessions() async throws {
        let fixture = try await ServerFixture()
        let owner = try await fixture.browser("anna", .owner)
        fixture.clock.advance(.seconds(1))
        let ben = try await fixture.browser("ben", .viewer)
        fixture.clock.advance(.seconds(1))
        let other = try Browser(await fixture.logIn("ben"))
        let own = try await sessions(fixture, ben)
        #expect(own.map(\.name) == ["ben", "ben"] && own.map(\.isCurrent) == [false, true])
        #expect(try await sessions(fixture, owner).map(\.name) == ["ben", "ben", "anna"])
        func end(_ id: String, by browser: Browser) async throws -> Answer {
            try await fixture.send(.delete, "/admin/api/sessions/\(id)", fields: browser.fields)
        }
        let annas = try #require(try await sessions(fixture, owner).last?.id)
        #expect(try await end(annas, by: ben).code == .sessionNotFound)
        #expect(try await end(own[0].id, by: ben).status == 204)
        #expect(try await fixture.send(.get, "/admin/api/apps", fields: other.fields).status == 401)
        #expect(try await end(own[1].id, by: owner).status == 204)
        #expect(try await fixture.send(.get, "/admin/api/apps", fields: ben.fields).status == 401)
        #expect(try await end("none", by: owner).code == .sessionNotFound)
        #expect(try await sessions(fixture, owner).map(\.isCurrent) == [true])
    }
}
