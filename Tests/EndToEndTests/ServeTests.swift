import PlacekeeperCompression
import PlacekeeperSystem
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite(.onOwnThreads) struct ServeTests {
    @Test func answersRequestsOnceTheListeningLineIsPrinted() throws {
        let service = try RunningService()
        #expect(try service.request("GET", "/livez").status == 200)
        let ready = try service.request("GET", "/readyz")
        #expect(ready.status == 200)
        #expect(ready.text == "ok\n\(TestDatabase.library)\n")
        let version = try service.request("GET", "/version")
        #expect(version.text.contains("\"placekeeper\""))
        let description = try service.request("GET", "/openapi.yaml")
        #expect(description.text.hasPrefix("openapi: 3.1"))
        #expect(try service.request("GET", "/metrics").status == 404)
    }

    @Test(.onLinux) func usesNoEpollOfItsOwnWithTheDispatchPoller() throws {
        func epolls(_ poller: String) throws -> Int {
            let service = try RunningService(options: ["--poller", poller])
            #expect(try service.request("GET", "/livez").status == 200)
            let folder = "/proc/\(service.process.pid)/fd/"
            return (0..<64).filter { number in
                let target = Array("anon_inode:[eventpoll]".utf8CString.dropLast())
                var found = [CChar](repeating: 0, count: 256)
                let count = readlink(folder + "\(number)", &found, found.count)
                return found.prefix(max(0, count)).elementsEqual(target)
            }.count
        }
        // Dispatch itself has an epoll.
        #expect(try epolls("dispatch") == 1)
        #expect(try epolls("epoll") > 1)
    }

    @Test func servesItsOwnPages() throws {
        let service = try RunningService()
        for (path, text) in [("/", "<title>Placekeeper</title>"), ("/status.js", "livez"), ("/status.css", "{")] {
            let file = try service.request("GET", path)
            #expect(file.status == 200)
            #expect(file.text.contains(text))
        }
    }

    @Test func servesPagesOfADirectoryInPlaceOfItsOwn() throws {
        let pages = try TemporaryDirectory()
        try Data("<!doctype html>".utf8).write(to: URL(fileURLWithPath: pages.path + "/index.html"))
        let service = try RunningService(options: ["--public", pages.path])
        let page = try service.request("GET", "/")
        #expect(page.status == 200)
        #expect(page.text == "<!doctype html>")
        #expect(page["Content-Security-Policy"]?.contains("default-src 'none'") == true)
        #expect(try service.request("GET", "/status.js").status == 404)
    }

    /// The migration of this database of 0.1.0 never ends.
    @Test(.onSQLite) func isAliveWhileItMigratesADatabaseAndStopsAtOnce() throws {
        let data = try TemporaryDirectory()
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let fixture = root.appendingPathComponent("PlacekeeperSQLiteTests/Databases/9").path
        for (packed, name) in [(".sqlite.gz", ""), (".segment-1.gz", "-segment-1")] {
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: fixture + packed)))
            let pieces = try Compressor(.gzip).inflating(bytes, limit: 16 << 20, ratio: .max)
            var content: [UInt8] = []
            while case let piece = try pieces.next(), !piece.isEmpty { content += piece }
            try Data(content).write(to: URL(fileURLWithPath: data.path + "/placekeeper.sqlite" + name))
        }
        let tables = (0..<12).map { "sqlite_schema AS t\($0)" }.joined(separator: ", ")
        try DatabaseFile(path: data.path + "/placekeeper.sqlite").run(
            "CREATE TRIGGER endless BEFORE UPDATE ON app BEGIN SELECT count(*) FROM \(tables); END")
        let process = try ChildProcess(["serve", "--listen", "127.0.0.1:0", "--data", data.path])
        let line = process.line(after: "placekeeper: http://127.0.0.1:")
        let port = try #require(line.flatMap { UInt16($0.prefix(while: \.isNumber)) }, "\(process.standardError)")
        #expect(try Connection(port: port).request("GET", "/livez").status == 200)
        let ready = try Connection(port: port).request("GET", "/readyz")
        #expect(ready.status == 503 && ready.text.contains("the migration to schema version"), "\(ready.text)")
        process.send(SIGTERM)
        #expect(process.wait() == .exit(0))
        // Nothing of the migration was stored.
        try DatabaseFile(path: data.path + "/placekeeper.sqlite").run("DROP TRIGGER endless")
        #expect(try RunningService(data: data).request("GET", "/readyz").status == 200)
    }

    @Test func registersDevicesOfAnAppCreatedWhileTheServiceRuns() throws {
        let service = try RunningService()
        let device = try service.register(app: try service.createApp(), idiom: "phone")
        #expect(!device.token.isEmpty)
    }

    @Test func keepsDataAfterAGracefulShutdownAndAfterAKill() throws {
        let service = try RunningService()
        let key = try service.createApp()
        let device = try service.register(app: key, idiom: "phone")
        #expect(service.stop() == .exit(0))
        let again = try RunningService(data: service.data)
        #expect(try again.request("GET", "/v1/devices/self", token: device.token).status == 200)
        again.kill()
        let third = try RunningService(data: service.data)
        #expect(try third.request("GET", "/v1/devices/self", token: device.token).status == 200)
    }

    @Test func answersOpenRequestsBeforeItStops() throws {
        let service = try RunningService()
        let connection = try service.connect()
        let body = "{\"app\": \"pk_none\", \"idiom\": \"phone\", \"name\": \"n\"}"
        let head =
            "POST /v1/devices HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\n"
            + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        try connection.send(Array(head.utf8))
        #expect(try connection.reply(to: "POST", interim: true).status == 100)
        service.process.send(SIGTERM)
        try connection.send(Array(body.utf8))
        #expect(try connection.reply(to: "POST").status == 422)
        #expect(service.process.wait() == .exit(0))
    }

    @Test func endsAtOnceAfterASecondSignal() throws {
        let service = try RunningService()
        // An incomplete request delays the shutdown that the first signal starts.
        let connection = try service.connect()
        try connection.send(Array("GET /livez HTTP/1.1\r\nHost: h\r\nExpect".utf8))
        #expect(try service.request("GET", "/livez").status == 200)
        service.process.send(SIGTERM)
        service.process.send(SIGINT)
        let end = service.process.wait()
        #expect([.exit(128 + SIGTERM), .exit(128 + SIGINT), .exit(0)].contains(end), "\(end)")
        withExtendedLifetime(connection) {}
    }

    /// Key files are read again without a signal.
    @Test func goesOnAfterTheSignalToReload() throws {
        let service = try RunningService()
        service.process.send(SIGHUP)
        #expect(try service.request("GET", "/livez").status == 200)
        #expect(service.stop() == .exit(0))
    }

    @Test func reportsAnAddressInUse() throws {
        let service = try RunningService()
        let other = try TemporaryDirectory()
        let process = try ChildProcess(["serve", "--listen", "127.0.0.1:\(service.port)", "--data", other.path])
        #expect(process.wait() == .exit(69))
        #expect(process.standardError.contains("cannot listen: 127.0.0.1:\(service.port) is in use"))
        #expect(process.standardError.split(separator: "\n").count == 1)
    }

    @Test func refusesASecondServiceOnTheSameDirectory() throws {
        let service = try RunningService()
        let second = try ChildProcess(["serve", "--listen", "127.0.0.1:0", "--data", service.data.path])
        #expect(second.wait() == .exit(69))
        #expect(second.standardError.contains("another service runs on"))
        #expect(second.standardError.split(separator: "\n").count == 1)
        // Commands work while the service runs. Killing the service releases the directory.
        _ = try service.createApp()
        service.kill()
        #expect(try RunningService(data: service.data).stop() == .exit(0))
    }

    static let wrong: [(options: [String], environment: [String: String], code: Int32)] = [
        (["--listen", ":8080"], [:], 2), ([], ["PLACEKEEPER_LISTEN": "80800"], 78), (["--public", "/none"], [:], 2),
        ([], ["PLACEKEEPER_PUBLIC": "/none"], 78), (["--config", "/none"], [:], 2),
        ([], ["PLACEKEEPER_CONFIG": "/none"], 78), (["--listen", "a.name:80"], [:], 2),
        (["--maximum-bytes", "1G"], [:], 2), (["--url", "places.example.com"], [:], 2),
        ([], ["PLACEKEEPER_URL": "places.example.com"], 78), ([], ["PLACEKEEPER_MAXIMUM_BYTES": "4096"], 78),
        (["--client-address-field", "X Forwarded"], [:], 2),
        ([], ["PLACEKEEPER_CLIENT_ADDRESS_FIELD": "Forwarded:"], 78),
        (["--client-scheme-field", "X Forwarded"], [:], 2),
        (["--trusted-proxies", "10.0.0.0/8,proxy"], [:], 2),
        ([], ["PLACEKEEPER_TRUSTED_PROXIES": "10.0.0.1/8"], 78),
        (["--log", "most"], [:], 2), (["--poller", "select"], [:], 2), ([], ["PLACEKEEPER_POLLER": "kqueue"], 78),
        ([], ["PLACEKEEPER_METRICS": "maybe"], 78), (["--metrics-listen", ":9464"], [:], 2),
        (["--alert-command", "cat"], [:], 2), (["--alert-command", "/bin/no such"], [:], 2),
        (["--alert-command", "/tmp"], [:], 2), ([], ["PLACEKEEPER_ALERT_COMMAND": "cat"], 78),
        (["--database-connections", "3"], [:], 2),
        (["--data", "/dev/null/data"], [:], 69),
    ]

    @Test(arguments: wrong)
    func reportsAWrongSettingInOneLine(options: [String], environment: [String: String], code: Int32) throws {
        let data = try TemporaryDirectory()
        let place = options.contains("--data") ? [] : ["--data", data.path]
        let process = try ChildProcess(["serve"] + options + place, environment: environment)
        #expect(process.wait() == .exit(code))
        #expect(process.standardError.split(separator: "\n").count == 1, "\(process.standardError)")
    }

    @Test func readsSettingsFromEnvironmentAndFile() throws {
        let data = try TemporaryDirectory()
        let file = data.path + "/settings"
        try Data("data = \(data.path)/kept\nlisten = 127.0.0.1:1\nmetrics = on\n".utf8)
            .write(to: URL(fileURLWithPath: file))
        let process = try ChildProcess(
            ["serve", "--config", file], environment: ["PLACEKEEPER_LISTEN": "127.0.0.1:0"])
        let port = try #require(process.line(after: "listening on http://127.0.0.1:").flatMap { UInt16($0) })
        #expect(try Connection(port: port).request("GET", "/metrics").status == 200)
        process.send(SIGTERM)
        #expect(process.wait() == .exit(0))
        #expect(FileManager.default.fileExists(atPath: data.path + "/kept/placekeeper.sqlite"))
    }

    @Test func passesAHealthCheck() throws {
        let service = try RunningService()
        #expect(try ChildProcess.run("healthcheck", "http://127.0.0.1:\(service.port)").end == .exit(0))
        let missing = try ChildProcess.run("healthcheck", "http://127.0.0.1:\(service.port)/none")
        #expect(missing.end == .exit(69))
        #expect(missing.error.contains("answers 404"))
        let environment = ["PLACEKEEPER_LISTEN": "127.0.0.1:\(service.port)"]
        #expect(try ChildProcess.run("healthcheck", environment: environment).end == .exit(0))
    }
}
