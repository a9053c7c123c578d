import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService
import PlacekeeperSystem
import PlacekeeperTestSupport
import Synchronization
import Testing

@testable import PlacekeeperServer

@Suite struct LogInTests {
    @Test func startsASessionWithACookieAndACSRFToken() async throws {
        let fixture = try await ServerFixture()
        let anna = try await fixture.administrator("anna", .operator)
        let answer = try await fixture.logIn("anna")
        let browser = try Browser(answer)
        #expect(answer[.setCookie] == browser.cookie + "; Path=/; HttpOnly; SameSite=Strict")
        #expect(browser.cookie.hasPrefix("placekeeper=pks_"))
        #expect(answer[.cacheControl] == "private, no-cache")
        let document = try answer.json(SessionDocument.self)
        #expect(document.administrator.id == anna.id.description && document.administrator.role == "operator")
        #expect(document.idleExpiresAt == "2025-06-15T17:06:40.000Z")
        #expect(document.expiresAt == "2025-06-16T03:06:40.000Z")
        let read = try await fixture.send(.get, "/admin/api/session", fields: ["Cookie: a=b; \(browser.cookie); c"])
        #expect(read.status == 200 && read.text == answer.text, "\(read.text)")
        #expect(try await fixture.entries().map(\.action) == [.loggedIn, .administratorCreated])
        #expect(try await fixture.entries().first?.actor == .administrator("anna"))
    }

    /// The store has neither the cookie nor the CSRF token, so a copy of the database gives no access.
    @Test func storesOnlyDigests() async throws {
        let fixture = try await ServerFixture()
        let browser = try await fixture.browser("anna", .owner)
        let (_, text) = try await fixture.apiToken(.owner)
        let contents = try await fixture.adminContents().joined()
        for secret in [browser.csrfToken, String(browser.cookie.dropFirst(12)), text, ServerFixture.password] {
            #expect(!contents.contains(secret))
        }
    }

    @Test func usesAHostCookieBehindTLS() async throws {
        var configuration = Server.Configuration()
        configuration.clientSchemeField = "X-Forwarded-Proto"
        let fixture = try await ServerFixture(configuration)
        try await fixture.administrator("anna", .owner)
        let https = ["X-Forwarded-Proto: https"]
        let answer = try await fixture.logIn("anna", fields: https)
        let browser = try Browser(answer)
        #expect(answer[.setCookie] == browser.cookie + "; Path=/; HttpOnly; SameSite=Strict; Secure")
        #expect(browser.cookie.hasPrefix("__Host-placekeeper=pks_"))
        let apps = "/admin/api/apps"
        #expect(try await fixture.send(.get, apps, fields: https + ["Cookie: \(browser.cookie)"]).status == 200)
        // A cookie without the prefix may come from another host of the domain.
        let plain = "Cookie: \(browser.cookie.dropFirst("__Host-".count))"
        #expect(try await fixture.send(.get, apps, fields: https + [plain]).status == 401)
        #expect(try await fixture.send(.get, apps, fields: ["Cookie: \(browser.cookie)"]).status == 401)
        let fields = https + ["Cookie: \(browser.cookie)", "X-CSRF-Token: \(browser.csrfToken)"]
        let foreign = try await fixture.send(
            .delete, "/admin/api/session", fields: fields + ["Origin: http://places.example"])
        #expect(foreign.code == .originNotAllowed)
        let end = try await fixture.send(
            .delete, "/admin/api/session", fields: fields + ["Origin: https://places.example"])
        #expect(end.status == 204)
        #expect(
            end[.setCookie] == "__Host-placekeeper=; Path=/; HttpOnly; SameSite=Strict; Secure; Max-Age=0")
    }

    @Test func givesANewIdentityToEachLogInAndEndsTheBrowsersEarlierSession() async throws {
        let fixture = try await ServerFixture()
        let first = try await fixture.browser("anna", .owner)
        let second = try Browser(await fixture.logIn("anna", fields: ["Cookie: \(first.cookie)"]))
        #expect(first.cookie != second.cookie && first.csrfToken != second.csrfToken)
        #expect(try await fixture.send(.get, "/admin/api/apps", fields: first.fields).status == 401)
        #expect(try await fixture.send(.get, "/admin/api/apps", fields: second.fields).status == 200)
        // A failed log-in ends no session.
        #expect(try await fixture.logIn("anna", "wrong password", fields: ["Cookie: \(second.cookie)"]).status == 401)
        #expect(try await fixture.send(.get, "/admin/api/apps", fields: second.fields).status == 200)
    }

    @Test func answersAWrongPasswordAndAnUnknownNameAlike() async throws {
        let passwords = CountingPasswords()
        let fixture = try await ServerFixture(passwords: passwords)
        try await fixture.administrator("anna", .owner)
        let attempts = [
            ("anna", "wrong password"), ("nobody", ServerFixture.password), ("", ""), ("Anna", ServerFixture.password),
            ("anna", String(repeating: "x", count: 5000)), (String(repeating: "n", count: 5000), "x"),
        ]
        let before = passwords.count
        let constant = try await fixture.logIn("other", "x")
        #expect(constant.status == 401 && constant.code == .logInRefused)
        for (name, password) in attempts {
            let answer = try await fixture.logIn(name, password)
            #expect(answer.comparable == constant.comparable, "\(name)")
            #expect(answer[.setCookie] == nil)
        }
        // Each attempt costs one hash, so the time does not tell whether the name exists.
        #expect(passwords.count - before == attempts.count + 1)
        #expect(try await fixture.entries().count == 1)
    }

    /// A storm of log-ins adds few entries, and no entry has a name that may be a mistyped password.
    @Test func countsFailedLogInsInTheAuditLog() async throws {
        let fixture = try await ServerFixture()
        try await fixture.administrator("anna", .owner)
        for number in 0..<40 {
            let name = number % 10 == 0 ? "anna" : "secret\(number)"
            _ = try await fixture.logIn(name, "x", peer: "192.0.2.\(number / 10)")
            fixture.clock.advance(.milliseconds(1))
        }
        for _ in 0..<20 { _ = try await fixture.logIn("anna", "x", peer: "192.0.2.9") }
        #expect(try await fixture.entries().count == 1, "nothing is written while a log-in is answered")
        try await fixture.server.flush()
        try await fixture.server.flush()
        let entries = try await fixture.entries().prefix { $0.action == .logInFailed }
        #expect(
            entries.map { "\($0.actor.text): \($0.detail)" } == [
                "unknown: 14 attempts over the limit", "administrator anna: 10 attempts", "unknown: 36 attempts",
            ])
    }

    @Test func acceptsAPasswordInAnotherUnicodeForm() async throws {
        let fixture = try await ServerFixture()
        _ = try await fixture.service.administration.createAdministrator(
            "anna", .owner, password: "caf\u{E9} au lait", by: .command("test"), source: "test")
        #expect(try await fixture.logIn("anna", "cafe\u{301} au lait").status == 201)
    }

    @Test func limitsTheAttemptsForAName() async throws {
        let fixture = try await ServerFixture()
        try await fixture.administrator("anna", .owner)
        for name in ["anna", "nobody"] {
            for _ in 0..<10 { #expect(try await fixture.logIn(name, "wrong password").status == 401) }
            let answer = try await fixture.logIn(name)
            #expect(answer.status == 429 && answer.code == .throttled, "\(answer.text)")
            #expect(answer[.retryAfter] == "30")
        }
        fixture.clock.advance(.seconds(30))
        #expect(try await fixture.logIn("anna").status == 201)
    }

    @Test func limitsTheAttemptsOfANetwork() async throws {
        let fixture = try await ServerFixture()
        try await fixture.administrator("anna", .owner)
        for number in 0..<20 {
            #expect(try await fixture.logIn("name\(number)", "x", peer: "2001:db8::\(number)").status == 401)
        }
        let answer = try await fixture.logIn("anna", peer: "2001:db8::ffff")
        #expect(answer.status == 429 && answer[.retryAfter] == "10", "\(answer.text)")
        #expect(try await fixture.logIn("anna", peer: "2001:db8:0:1::1").status == 201)
        // A proxy on this machine that sends no client address speaks for all clients.
        for number in 0..<30 { #expect(try await fixture.logIn("local\(number)", "x").status == 401) }
    }

    /// Each hash takes much memory, so only one runs at a time, and 32 requests wait or run at most.
    @Test(.timeLimit(.minutes(5))) func refusesLogInsBeyondTheQueueOfPasswords() async throws {
        let passwords = CountingPasswords()
        let fixture = try await ServerFixture(passwords: passwords)
        passwords.gate.withLock { $0 = true }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<64 {
                group.addTask { try await fixture.logIn("n\(number)", "x", peer: "10.0.\(number).1").status }
            }
            // While the first hash runs, the requests beyond the limit are refused.
            for _ in 0..<32 { #expect(try await group.next() == 503) }
            passwords.gate.withLock { $0 = false }
            for try await status in group { #expect(status == 401) }
        }
        #expect(passwords.mostAtOnce == 1)
        #expect(passwords.count == 32)
    }

    @Test func reportsAPasswordThatCannotBeHashed() async throws {
        let passwords = CountingPasswords()
        let fixture = try await ServerFixture(passwords: passwords)
        try await fixture.administrator("anna", .owner)
        passwords.fails.withLock { $0 = true }
        let answer = try await fixture.logIn("anna")
        #expect(answer.code == .overloaded && answer[.retryAfter] != nil, "\(answer.text)")
        passwords.fails.withLock { $0 = false }
        #expect(try await fixture.logIn("anna").status == 201)
    }

    @Test func changesThePasswordAndEndsTheOtherSessions() async throws {
        let fixture = try await ServerFixture()
        let first = try await fixture.browser("anna", .viewer)
        let second = try Browser(await fixture.logIn("anna"))
        func change(_ password: String, to new: String) async throws -> Answer {
            try await fixture.send(
                .put, "/admin/api/session/password", fields: second.fields,
                json: ["password": password, "newPassword": new])
        }
        let wrong = try await change("wrong password", to: "another horse")
        #expect(wrong.code == .invalidBody && wrong.problem?.pointer == "/password")
        let short = try await change(ServerFixture.password, to: "too short")
        #expect(short.code == .invalidBody && short.problem?.pointer == "/newPassword")
        #expect(try await fixture.send(.get, "/admin/api/apps", fields: first.fields).status == 200)
        #expect(try await change(ServerFixture.password, to: "another horse").status == 204)
        #expect(try await fixture.send(.get, "/admin/api/apps", fields: first.fields).status == 401)
        #expect(try await fixture.send(.get, "/admin/api/apps", fields: second.fields).status == 200)
        #expect(try await fixture.logIn("anna").status == 401)
        #expect(try await fixture.logIn("anna", "another horse").status == 201)
        #expect(try await fixture.entries().contains { $0.action == .passwordChanged })
    }

    /// Times of last use are written at most once a minute, so that reads rarely write.
    @Test func notesTheLastUseOnceAMinute() async throws {
        let fixture = try await ServerFixture()
        let browser = try await fixture.browser("anna", .viewer)
        func lastSeen() async throws -> Timestamp? {
            _ = try await fixture.send(.get, "/admin/api/apps", fields: browser.fields)
            return try await fixture.service.administration.administrator(.name("anna")).lastSeenAt
        }
        let start = fixture.clock.now()
        fixture.clock.advance(.seconds(59))
        #expect(try await lastSeen() == start)
        fixture.clock.advance(.seconds(1))
        #expect(try await lastSeen() == start + .seconds(60))
        // A full disk stops no read.
        fixture.clock.advance(.seconds(60))
        fixture.store.fail(with: .full, in: "recordUse(of:at:)")
        #expect(try await fixture.send(.get, "/admin/api/apps", fields: browser.fields).status == 200)
    }

    // Set-up

    @Test func createsTheFirstAdministratorWithTheSecretOfTheLink() async throws {
        let fixture = try await ServerFixture()
        let status = "/admin/api/status"
        #expect(try await fixture.send(.get, status).text == #"{"needsSetUp":true,"version":"0"}"#)
        func setUp(_ secret: String, _ name: String = "anna", _ password: String = ServerFixture.password)
            async throws -> Answer
        {
            try await fixture.send(
                .post, "/admin/api/set-up", json: ["secret": secret, "name": name, "password": password])
        }
        #expect(try await setUp("").code == .setUpRefused)
        let secret = try #require(try await fixture.service.administration.beginSetUp())
        #expect(try await setUp("x").code == .setUpRefused)
        #expect(try await setUp(secret, "a b").problem?.pointer == "/name")
        #expect(try await setUp(secret, "anna", "short").problem?.pointer == "/password")
        let browser = try Browser(await setUp(secret))
        #expect(browser.name == "anna" && browser.role == .owner)
        #expect(try await fixture.send(.get, "/admin/api/administrators", fields: browser.fields).status == 200)
        #expect(try await setUp(secret, "ben").code == .setUpRefused)
        #expect(try await fixture.send(.get, status).text == #"{"needsSetUp":false,"version":"0"}"#)
        #expect(try await fixture.service.administration.beginSetUp() == nil)
        #expect(try await fixture.entries().map(\.action) == [.administratorCreated])
    }

    @Test func recordsOnlyTheAdministratorThatASetUpCreated() async throws {
        let fixture = try await ServerFixture()
        let secret = try #require(try await fixture.service.administration.beginSetUp())
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<6 {
                group.addTask {
                    try await fixture.send(
                        .post, "/admin/api/set-up",
                        json: ["secret": secret, "name": "anna\(number)", "password": ServerFixture.password]
                    ).status
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.filter { $0 < 300 }.count == 1)
        let administrators = try await fixture.service.administration.administrators(after: nil, limit: 10)
        #expect(
            try await fixture.entries().filter { $0.action == .administratorCreated }.map(\.detail)
                == administrators.map { "\($0.name) owner" })
    }

    @Test func refusesTheLinkAfterACommandCreatedAnAdministrator() async throws {
        let fixture = try await ServerFixture()
        let secret = try #require(try await fixture.service.administration.beginSetUp())
        try await fixture.administrator("anna", .owner)
        let answer = try await fixture.send(
            .post, "/admin/api/set-up",
            json: ["secret": secret, "name": "eve", "password": ServerFixture.password])
        #expect(answer.code == .setUpRefused)
        #expect(try await fixture.service.administration.administrators(after: nil, limit: 9).map(\.name) == ["anna"])
    }
}

/// Counts the hashes of passwords, and fails if a test wants it to.
final class CountingPasswords: PasswordHashing {
    private let counts = Mutex((all: 0, now: 0, most: 0))
    let fails = Mutex(false)
    /// Whether hashes wait.
    let gate = Mutex(false)

    var count: Int { counts.withLock(\.all) }
    var mostAtOnce: Int { counts.withLock(\.most) }

    func key(of password: [UInt8], salt: [UInt8]) -> [UInt8]? {
        counts.withLock {
            $0.all += 1
            $0.now += 1
            $0.most = max($0.most, $0.now)
        }
        defer { counts.withLock { $0.now -= 1 } }
        while gate.withLock(\.self) { sched_yield() }
        guard !fails.withLock(\.self) else { return nil }
        return DigestPasswords(SystemHashing()).key(of: password, salt: salt)
    }

    func code(of message: [UInt8], key: [UInt8]) -> [UInt8]? {
        DigestPasswords(SystemHashing()).code(of: message, key: key)
    }
}
