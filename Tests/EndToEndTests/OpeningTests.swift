import PlacekeeperPostgresServer
import PlacekeeperSystem
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A service whose database cannot be opened yet.
@Suite(.onOwnThreads, .enabled(if: PostgresServer.isNeeded, "PostgreSQL is not installed"))
struct OpeningTests {
    /// A service that answers 503.
    private struct Waiting {
        let process: ChildProcess
        let port: UInt16
        private let data: TemporaryDirectory

        init(_ url: String) throws {
            data = try TemporaryDirectory()
            process = try ChildProcess(
                ["serve", "--listen", "127.0.0.1:0", "--data", data.path, "--database", url])
            let line = process.line(after: "placekeeper: http://127.0.0.1:")
            guard let port = line?.prefix(while: \.isNumber), let port = UInt16(port) else {
                throw ChildProcess.Failure(description: "the service does not wait: \(process.standardError)")
            }
            self.port = port
        }

        /// Plays a probe of the Kubernetes manifest.
        func probe(_ path: String) throws -> Reply { try Connection(port: port).request("GET", path) }

        func connect() throws -> Connection { try Connection(port: port) }

        /// Waits until the service is ready.
        func open() throws {
            #expect(process.line(after: "listening on http://127.0.0.1:") == "\(port)", "\(process.standardError)")
        }
    }

    /// The paths of the manifest's probes, by their names.
    private static let probes: [String: String] = {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let path = root.appendingPathComponent("deploy/kubernetes/placekeeper.yaml").path
        let text = (try? Data(contentsOf: URL(fileURLWithPath: path))).map { String(decoding: $0, as: UTF8.self) } ?? ""
        var probes: [String: String] = [:]
        var name = ""
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            if let word = words.first, word.hasSuffix("Probe:") { name = String(word.dropLast(6)) }
            if words.first == "httpGet:", words.count > 2 { probes[name] = String(words[2].dropLast()) }
        }
        return probes
    }()

    private func server() throws -> PostgresServer { try #require(PostgresServer.shared) }

    @Test func isAliveAndNotReadyWhileAMigrationWaits() throws {
        #expect(Self.probes == ["startup": "/livez", "liveness": "/livez", "readiness": "/readyz"])
        let url = try server().makeFormerDatabase()
        var lock: PostgresServer.Lock? = try PostgresServer.Lock("device", in: url)
        let service = try Waiting(url)
        while try server().waitingSessions(in: url) == 0 {}
        let kept = try Connection(port: service.port)
        for _ in 0..<20 {
            for name in ["startup", "liveness"] {
                #expect(try service.probe(Self.probes[name] ?? "").text == "ok\n")
            }
            let ready = try service.probe(Self.probes["readiness"] ?? "")
            #expect(ready.status == 503 && ready["Content-Type"] == "application/problem+json")
            #expect(ready["Retry-After"] == "1" && ready.text.contains("store-unavailable"))
            #expect(
                ready.text.contains("The store is being opened: the migration to schema version"), "\(ready.text)")
            #expect(try kept.request("GET", "/v1/limits").status == 503)
            #expect(try kept.request("HEAD", "/livez").status == 200)
        }
        // A body is refused as well, also if it is longer than anything that the service accepts.
        let upload = try service.connect()
        let head = "PUT /v1/scenes/main/archives/a HTTP/1.1\r\nHost: h\r\nContent-Length: 99999999\r\n\r\n"
        try upload.send(Array(head.utf8))
        #expect(try upload.reply(to: "PUT").status == 503)
        lock = nil
        try service.open()
        // The connection of before belongs to the opened service now.
        #expect(try kept.request("GET", "/v1/limits").status == 200)
        #expect(try service.probe(Self.probes["readiness"] ?? "").status == 200)
        service.process.send(SIGTERM)
        #expect(service.process.wait() == .exit(0))
        withExtendedLifetime(lock) {}
    }

    @Test func opensADatabaseThatComesLater() throws {
        let folder = try TemporaryDirectory()
        let socket = folder.path + "/socket"
        let service = try Waiting(try server().url(try server().makeDatabase(), socketIn: socket))
        var reply = try service.probe("/readyz")
        while !reply.text.contains("in 3 attempts so far") {
            #expect(try service.probe("/livez").status == 200)
            reply = try service.probe("/readyz")
            #expect(reply.status == 503)
        }
        #expect(reply.text.contains("The database cannot be reached"))
        #expect(!reply.text.contains(folder.path), "anyone may read the reason, so it names no server")
        #expect(service.process.standardError.contains(socket))
        // One line, although each attempt failed.
        #expect(service.process.standardError.split(separator: "\n").count == 1)
        try server().publishSocket(in: socket)
        try service.open()
        #expect(try service.probe("/readyz").status == 200)
    }

    @Test func stopsAtOnceWhileTheDatabaseIsAway() throws {
        let service = try Waiting("postgres:///x?host=/nonexistent")
        service.process.send(SIGTERM)
        #expect(service.process.wait() == .exit(0))
    }

    /// Otherwise the lock that the migration waits for would block the writers of the other instances.
    @Test func takesItsMigrationBackWhenItIsStopped() throws {
        let url = try server().makeFormerDatabase()
        let lock = try PostgresServer.Lock("device", in: url)
        let service = try Waiting(url)
        while try server().waitingSessions(in: url) == 0 {}
        service.process.send(SIGTERM)
        #expect(service.process.wait() == .exit(0))
        let end = ContinuousClock.now + .seconds(300)
        while try server().waitingSessions(in: url) > 0, ContinuousClock.now < end {}
        #expect(try server().waitingSessions(in: url) == 0)
        withExtendedLifetime(lock) {}
    }

    @Test func endsAtOnceIfWaitingDoesNotHelp() throws {
        let newer = try server().makeDatabase()
        try server().makeUnusable(newer)
        for (url, text) in [
            (newer, "A newer version of Placekeeper made the database"),
            ("postgres:///x?nonsense=1", "The URL of the database is not valid"),
        ] {
            let data = try TemporaryDirectory()
            let (end, _, error) = try ChildProcess.run(
                "serve", "--listen", "127.0.0.1:0", "--data", data.path, "--database", url)
            #expect(end == .exit(69))
            #expect(error.lowercased().contains(text.lowercased()), "\(error)")
            #expect(error.split(separator: "\n").count == 1)
        }
    }
}
