import PlacekeeperSystem
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Tests of the commands `admin …` and of the set-up link, beside a running service.
@Suite(.onOwnThreads) struct AdminCommandTests {
    private static let password = "correct horse battery"
    private let service: RunningService
    private let passwordFile: String

    init() throws {
        service = try RunningService()
        passwordFile = service.data.path + "/password.txt"
        try write(Self.password + "\n", to: passwordFile, mode: 0o600)
    }

    @discardableResult
    private func run(_ words: String...) throws -> ChildProcess.Outcome {
        try ChildProcess(words + ["--data", service.data.path]).outcome()
    }

    private func write(_ text: String, to path: String, mode: mode_t) throws {
        try Data(text.utf8).write(to: URL(filePath: path))
        try #require(chmod(path, mode) == 0)
    }

    /// Logs in over HTTP, and returns the fields of the browser's next requests.
    private func logIn(
        _ name: String, _ password: String = Self.password, at service: RunningService? = nil
    ) throws -> [(String, String)]? {
        struct Session: Decodable { var csrfToken: String }
        let reply = try (service ?? self.service).request(
            "POST", "/admin/api/session", json: #"{"name": "\#(name)", "password": "\#(password)"}"#)
        guard reply.status == 201 else { return nil }
        let cookie = try #require(reply["Set-Cookie"]?.prefix { $0 != ";" })
        return [("Cookie", String(cookie)), ("X-CSRF-Token", try reply.json(Session.self).csrfToken)]
    }

    private func status(_ fields: [(String, String)], at service: RunningService? = nil) throws -> Int {
        try (service ?? self.service).request("GET", "/admin/api/apps", fields: fields).status
    }

    @Test func managesAdministratorsBesideTheService() throws {
        for (name, role) in [("anna", "owner"), ("ben", "viewer")] {
            let created = try run("admin", "create", name, "--role", role, "--password-file", passwordFile)
            #expect(created.end == .exit(0) && created.output == "added \(name) as \(role)\n", "\(created.error)")
        }
        let again = try run("admin", "create", "anna", "--role", "owner", "--password-file", passwordFile)
        #expect(again.end == .exit(1) && again.error.contains("admin reset"), "\(again.error)")
        let browser = try #require(try logIn("ben"))
        #expect(try status(browser) == 200)

        struct Listed: Decodable {
            var name: String
            var role: String
            var lastSeenAt: String?
        }
        let list = try run("admin", "list", "--json")
        let listed = try JSONDecoder().decode([Listed].self, from: Data(list.output.utf8))
        #expect(listed.map(\.name) == ["anna", "ben"] && listed.map(\.role) == ["owner", "viewer"])
        #expect(listed[0].lastSeenAt == nil && listed[1].lastSeenAt != nil)

        try write("another horse battery", to: passwordFile, mode: 0o600)
        #expect(try run("admin", "reset", "ben", "--password-file", passwordFile).end == .exit(0))
        #expect(try status(browser) == 401)
        #expect(try logIn("ben") == nil)
        let second = try #require(try logIn("ben", "another horse battery"))
        #expect(try status(second) == 200)

        #expect(try run("admin", "remove", "ben").end == .exit(0))
        #expect(try status(second) == 401)
        #expect(try logIn("ben", "another horse battery") == nil)
        let last = try run("admin", "remove", "anna")
        #expect(last.end == .exit(1) && last.error.contains("the last owner"), "\(last.error)")
        #expect(try run("admin", "remove", "ben").error.contains("admin list"))

        struct Entry: Decodable {
            var actor: String
            var action: String
            var detail: String
        }
        let audit = try JSONDecoder().decode([Entry].self, from: Data(try run("audit", "--json").output.utf8))
        // An administrator who was refused leaves no entry.
        #expect(
            audit.map(\.action) == [
                "administrator-removed", "administrator-removed", "logged-in", "administrator-changed", "logged-in",
                "administrator-created", "administrator-created",
            ])
        #expect(audit[1].detail == "ben" && audit[1].actor.hasPrefix("command "))
        #expect(audit[2].actor == "administrator ben")
        for text in [audit.map(\.detail).joined(), service.process.standardError] {
            #expect(!text.contains("horse"))
        }
    }

    @Test func managesAPITokensBesideTheService() throws {
        struct Token: Decodable {
            var id: String
            var label: String
            var token: String?
            var expiresAt: String?
        }
        let created = try run("admin", "token", "create", "nightly", "--role", "viewer", "--days", "2", "--json")
        let token = try JSONDecoder().decode(Token.self, from: Data(created.output.utf8))
        let text = try #require(token.token)
        #expect(token.expiresAt != nil)
        let bearer = [("Authorization", "Bearer \(text)")]
        #expect(try status(bearer) == 200)
        #expect(try service.request("GET", "/admin/api/administrators", fields: bearer).status == 403)
        let plain = try run("admin", "token", "create", "weekly", "--role", "owner")
        #expect(plain.end == .exit(0) && plain.output.hasPrefix("pka_") && plain.output.count == 48)
        let list = try run("admin", "token", "list")
        #expect(list.output.contains("nightly") && list.output.contains("weekly") && !list.output.contains("pka_"))
        #expect(try run("admin", "token", "revoke", token.id).end == .exit(0))
        #expect(try status(bearer) == 401)
        #expect(try run("admin", "token", "revoke", token.id).end == .exit(1))
        #expect(try run("admin", "token", "revoke", "nightly").end == .exit(2))
    }

    @Test func takesAPasswordOnlyFromAPrivateFileOrATerminal() throws {
        let create = ["admin", "create", "anna", "--role", "owner", "--data", service.data.path]
        let shared = service.data.path + "/shared.txt"
        try write(Self.password, to: shared, mode: 0o640)
        for (words, says) in [
            (["--password-file", shared], "chmod 600"),
            (["--password-file", service.data.path], "not a regular file"),
            ([], "there is no terminal"), (["--password", "secret-word"], "unknown option"),
        ] {
            let process = try ChildProcess(create + words)
            #expect(process.wait() == .exit(2) && process.standardError.contains(says), "\(process.standardError)")
            #expect(!process.standardError.contains("secret-word"))
        }
        try write("too short", to: passwordFile, mode: 0o600)
        #expect(try run("admin", "create", "anna", "--role", "owner", "--password-file", passwordFile).end == .exit(2))
        #expect(try run("admin", "list").output == "none\n")
    }

    @Test(.onLinux) func asksForThePasswordOnATerminalWithoutShowingIt() throws {
        let terminal = try #require(Terminal())
        let process = try ChildProcess(
            ["admin", "create", "anna", "--role", "owner", "--data", service.data.path], input: terminal.path)
        for prompt in ["Password: ", "Password again: "] {
            try process.waitForError(ending: prompt)
            terminal.type(Self.password + "\n")
        }
        #expect(process.wait() == .exit(0), "\(process.standardError)")
        #expect(!terminal.shown().contains("horse"))
        #expect(try logIn("anna") != nil)
    }

    /// A session is in the database, so a new version of the service ends no session.
    @Test func keepsSessionsAcrossARestart() throws {
        try run("admin", "create", "anna", "--role", "owner", "--password-file", passwordFile)
        let browser = try #require(try logIn("anna"))
        #expect(service.stop() == .exit(0))
        let next = try RunningService(data: service.data)
        #expect(try status(browser, at: next) == 200)
        let read = try next.request("DELETE", "/admin/api/session", fields: browser)
        #expect(read.status == 204, "\(read.text)")
        #expect(try status(browser, at: next) == 401)
    }

    @Test func offersTheSetUpInAPrivateFileOnce() throws {
        let path = service.data.path + "/admin-set-up"
        let line = try #require(service.process.line(after: "placekeeper: there is no administrator yet"))
        #expect(line.contains(path) && !line.contains("http"))
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        let link = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        let start = "http://127.0.0.1:\(service.port)/admin/#/set-up/"
        #expect(link.hasPrefix(start) && link.hasSuffix("\n"))
        let secret = link.dropFirst(start.count).dropLast()
        #expect(!service.process.standardError.contains(secret))
        let body = #"{"secret": "\#(secret)", "name": "anna", "password": "\#(Self.password)"}"#
        let created = try service.request("POST", "/admin/api/set-up", json: body)
        #expect(created.status == 201, "\(created.text)")
        #expect(try service.request("POST", "/admin/api/set-up", json: body).status == 403)
        let deadline = ContinuousClock.now + .seconds(600)
        while access(path, F_OK) == 0, ContinuousClock.now < deadline { _ = try service.request("GET", "/livez") }
        #expect(access(path, F_OK) != 0)
        #expect(service.stop() == .exit(0))
        let next = try RunningService(data: service.data)
        #expect(try next.request("GET", "/admin/api/status").text.contains(#""needsSetUp":false"#))
        #expect(next.stop() == .exit(0))
        #expect(!next.process.standardError.contains("administrator"))
    }

    @Test func makesTheSetUpLinkWithTheURLOfAProxy() throws {
        let proxied = try RunningService(options: ["--url", "https://places.example.com/"])
        _ = try #require(proxied.process.line(after: "placekeeper: there is no administrator yet"))
        let link = try Data(contentsOf: URL(filePath: proxied.data.path + "/admin-set-up"))
        #expect(String(decoding: link, as: UTF8.self).hasPrefix("https://places.example.com/admin/#/set-up/"))
    }

    @Test func removesTheSetUpLinkAtTheShutdown() throws {
        let path = service.data.path + "/admin-set-up"
        _ = try #require(service.process.line(after: "placekeeper: there is no administrator yet"))
        #expect(access(path, F_OK) == 0)
        #expect(service.stop() == .exit(0))
        #expect(access(path, F_OK) != 0)
    }
}

/// A pseudoterminal. The child process reads its other side.
private final class Terminal {
    private let descriptor: Int32
    let path: String

    init?() {
        descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (lock, number): (Int32, UInt32) = (0, 0)
        // TIOCSPTLCK and TIOCGPTN, which Glibc's module does not have.
        guard descriptor >= 0, ioctl(descriptor, 0x4004_5431, &lock) == 0,
            ioctl(descriptor, 0x8004_5430, &number) == 0
        else { return nil }
        path = "/dev/pts/\(number)"
    }

    deinit { close(descriptor) }

    func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = PlacekeeperSystem.write(descriptor, bytes, bytes.count)
    }

    /// Returns the characters that the terminal showed so far.
    func shown() -> String {
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(descriptor, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
    }
}

extension ChildProcess {
    /// Waits until standard error ends with a text, which may be a part of a line.
    fileprivate func waitForError(ending end: String) throws {
        let deadline = ContinuousClock.now + .seconds(600)
        while !standardError.hasSuffix(end), ContinuousClock.now < deadline { sched_yield() }
        try #require(standardError.hasSuffix(end), "\(standardError)")
    }
}
