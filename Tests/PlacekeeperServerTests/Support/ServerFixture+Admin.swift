import PlacekeeperHTTP
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperMemoryStore
@testable import PlacekeeperServer

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A browser that has logged in: its cookie and its CSRF token.
struct Browser {
    var name: String
    var role: Role
    var cookie: String
    var csrfToken: String

    /// The fields of a request of the service's own page.
    var fields: [String] {
        ["Cookie: \(cookie)", "X-CSRF-Token: \(csrfToken)", "Origin: http://places.example"]
    }
}

/// The session as JSON.
struct SessionDocument: Decodable {
    struct Person: Decodable {
        var id: String
        var name: String
        var role: String
    }

    var administrator: Person
    var csrfToken: String
    var idleExpiresAt: String
    var expiresAt: String
}

/// Administrators, and requests of the admin API.
extension ServerFixture {
    static let password = "correct horse battery"
    static let json = "Content-Type: application/json"

    var memory: InMemoryStore {
        get throws { try #require(store.intercepted.base as? InMemoryStore) }
    }

    @discardableResult
    func administrator(_ name: String, _ role: Role) async throws -> Administrator {
        try await service.administration.createAdministrator(
            name, role, password: Self.password, by: .command("test"), source: "test")
    }

    func logIn(
        _ name: String, _ password: String = Self.password, fields: [String] = [], peer: String = "127.0.0.1"
    ) async throws -> Answer {
        try await send(
            .post, "/admin/api/session", fields: fields, json: ["name": name, "password": password], peer: peer)
    }

    /// Adds an administrator and logs in.
    func browser(_ name: String, _ role: Role) async throws -> Browser {
        try await administrator(name, role)
        return try Browser(await logIn(name))
    }

    func apiToken(_ role: Role, days: Int? = nil, creator: AdministratorID? = nil) async throws -> (
        token: APIToken, text: String
    ) {
        try await service.administration.createToken("check", role, days: days, creator: creator, by: .command("test"))
    }

    /// Returns everything that the store has about administrators, and the audit log.
    func adminContents() async throws -> [String] {
        let store = try memory
        return await store.adminContents()
    }

    func entries() async throws -> [AuditEntry] {
        try await service.auditLog.audit(of: nil, below: nil, limit: 100)
    }
}

extension Browser {
    /// Reads the answer to a log-in or a set-up.
    init(_ answer: Answer) throws {
        #expect(answer.status == 201, "\(answer.text)")
        let document = try answer.json(SessionDocument.self)
        let cookie = try #require(answer[.setCookie]).prefix { $0 != ";" }
        self.init(
            name: document.administrator.name, role: try #require(Role(rawValue: document.administrator.role)),
            cookie: String(cookie), csrfToken: document.csrfToken)
    }
}

extension InMemoryStore {
    fileprivate func adminContents() -> [String] {
        var lines = administrators.map { "\($0)" } + sessions.map { "\($0)" } + apiTokens.map { "\($0)" }
        lines += auditLog.map { "\($0)" } + registeredApps.map { "\($0)" }
        return lines.sorted()
    }
}
