import PlacekeeperSystem
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A whole service, with a release that fails, a storm of failed log-ins, an alert command and a listener for metrics.
@Suite(.onOwnThreads) struct AlertTests {
    @Test func tellsTheOperatorsCommandOfABadReleaseWithinAMinute() throws {
        struct Told: Decodable {
            var alert, state, subject: String
        }
        let data = try TemporaryDirectory()
        let generated = try ChildProcess.run(
            "generate", "com.example.demo", "--users", "400", "--archives", "4000", "--data", data.path)
        #expect(generated.end == .exit(0), "\(generated.error)")
        let (pipe, command) = (data.path + "/pipe", data.path + "/command")
        #expect(mkfifo(pipe, 0o600) == 0)
        try Data("#!/bin/sh\nexec cat > \(pipe)\n".utf8).write(to: URL(fileURLWithPath: command))
        chmod(command, 0o700)
        let service = try RunningService(
            data: data, options: ["--metrics-listen", "127.0.0.1:0", "--alert-command", command])
        func told() throws -> Told {
            let descriptor = open(pipe, O_RDONLY | O_CLOEXEC)
            defer { close(descriptor) }
            var (text, buffer) = (Data(), [UInt8](repeating: 0, count: 4096))
            while case let count = read(descriptor, &buffer, buffer.count), count > 0 { text += buffer.prefix(count) }
            return try JSONDecoder().decode(Told.self, from: text)
        }
        // The invented restores lie in the last 30 days.
        try judgeThirtyDays(service)
        for _ in 0..<25 {
            _ = try service.request("POST", "/admin/api/session", json: #"{"name": "anna", "password": "wrong"}"#)
        }
        let storm = try told()
        #expect(storm.alert == "log-in-storm" && storm.state == "started")
        let release = try told()
        #expect(release.alert == "restores-failing" && release.state == "started")
        #expect(release.subject.hasPrefix("com.example.demo: version "))
        let prefix = "placekeeper: metrics on http://127.0.0.1:"
        let port = try #require(service.process.line(after: prefix).flatMap { UInt16($0.prefix { $0 != "/" }) })
        let page = try Connection(port: port).request("GET", "/metrics")
        #expect(page.status == 200)
        for line in [
            "alerts{alert=\"log-in-storm\"} 1", "log_ins_total{result=\"succeeded\"} 0",
            "housekeeping_failures_total{chore=\"watch\"} 0",
        ] {
            #expect(page.text.contains("\nplacekeeper_\(line)\n"), "\(line)")
        }
        for name in ["breaker_pairs{state=\"alert\"}", "disk_free_bytes", "store_waiting_writes"] {
            #expect(page.text.contains("\nplacekeeper_\(name) "), "\(name)")
        }
        #expect(try service.request("GET", "/metrics").status == 404)
        #expect(service.stop() == .exit(0))
        let events = service.process.standardError.split(separator: "\n").filter { $0.hasPrefix("{") }
        let marks = [
            #""event":"start""#, #""alert":"log-in-storm""#, #""alert":"restores-failing""#, #""event":"end""#,
        ]
        for mark in marks { #expect(events.contains { $0.contains(mark) }, "\(mark)") }
        #expect(events.first?.contains(marks[0]) == true && events.last?.contains(marks[3]) == true)
    }

    /// Makes the breaker judge the reports of 30 days.
    private func judgeThirtyDays(_ service: RunningService) throws {
        struct Token: Decodable { var token: String }
        struct Apps: Decodable {
            struct Item: Decodable { var id: String }
            var items: [Item]
        }
        let created = try ChildProcess.run(
            "admin", "token", "create", "test", "--role", "owner", "--data", service.data.path, "--json")
        let token = try JSONDecoder().decode(Token.self, from: Data(created.output.utf8)).token
        let apps = try service.request("GET", "/admin/api/apps", token: token).json(Apps.self)
        let path = "/admin/api/apps/\(try #require(apps.items.first).id)"
        let tag = try #require(try service.request("GET", path, token: token)["ETag"])
        let answer = try service.request(
            "PATCH", path + "/settings", token: token,
            fields: [("Content-Type", "application/merge-patch+json"), ("If-Match", tag)],
            body: Array(#"{"breaker": {"windowHours": 720}}"#.utf8))
        #expect(answer.status == 200, "\(answer.text)")
    }
}
