import PlacekeeperSystem
import PlacekeeperArchive
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The command `dev` as a process with sockets.
@Suite(.onOwnThreads) struct DevTests {
    static func archive(_ titles: String...) throws -> [UInt8] {
        var archive = StateArchive(bundleVersion: "42", idiom: 0, layout: .compact)
        archive.place = Place(titles.map { Place.Step(screen: "list", title: $0) })
        return try archive.encoded()
    }

    static func key(_ service: RunningService) throws -> String {
        let line = try #require(service.process.outputLine(after: "The admin page is "))
        return String(try #require(line.split(separator: " ").last?.dropLast()))
    }

    @Test func endsWithItsTerminal() throws {
        let service = try RunningService("dev")
        service.process.send(SIGHUP)
        #expect(service.process.wait() == .exit(0))
    }

    @Test func tellsWhatTheDevicesOfAnAppDo() throws {
        let service = try RunningService("dev", options: ["com.example.photos"])
        let told = { (line: String) in
            #expect(service.process.outputLine(after: line) == "", "\(line): \(service.process.standardOutput)")
        }
        let key = try Self.key(service)
        let phone = try service.register(app: key, idiom: "phone", name: "iPhone")
        let registered = "iPhone registered as a new user. A second device joins this user with the link code "
        let code = try #require(service.process.outputLine(after: registered)).prefix { $0 != "," }
        let pad = try service.register(app: key, idiom: "pad", name: "iPad", linkCode: String(code))
        told("iPad joined the user of iPhone")

        let archives = "/v1/scenes/main/archives/"
        let first = archives + UUID().uuidString.lowercased()
        let stored = try service.request(
            "PUT", first, token: phone.token, body: Self.archive("Lisbon", "\u{1B}[31mTram 28"))
        #expect(stored.status == 201)
        let place = "Lisbon › \"\\u{1b}[31mTram 28\""
        told("iPhone saved \(place)")
        let asked = archives + "latest?idiom=pad&layout=regular&bundleVersion="
        #expect(try service.request("GET", asked + "42", token: pad.token).status == 200)
        let kind = "it is from a phone, not from a pad, and its layout differs"
        told("iPad asked: got \(place) as a place, because \(kind)")
        #expect(try service.request("GET", asked + "41", token: pad.token).status == 200)
        let newer = "its bundle version 42 is newer than 41"
        told("iPad asked: got \(place) as a place, because \(newer), and \(kind)")
        let failure = """
            {"result": "failed", "idiom": "pad", "bundleVersion": "42", "path": "root/list"}
            """
        #expect(try service.request("POST", first + "/outcomes", token: pad.token, json: failure).status == 204)
        told("iPad could not restore \(place) at root/list: quarantined for pad 42")
        let late = try service.request(
            "PUT", archives + UUID().uuidString.lowercased(), token: pad.token,
            fields: [("Interaction-Age", "190")], body: Self.archive("Albums"))
        #expect(late.status == 201)
        told("iPad's upload of Albums did not become the head: captured 3 min before it")

        service.process.send(SIGINT)
        #expect(service.process.wait() == .exit(0))
        #expect(!service.process.standardOutput.contains("\u{1B}"))
        // The app and its key stay.
        #expect(try Self.key(RunningService("dev", data: service.data, options: ["com.example.photos"])) == key)
    }

    struct Line: Decodable {
        var kind: String
        var at: String
        var url: String?
        var app: String?
        var key: String?
        var text: String?
        var user: String?
        var device: String?
        var linkCode: String?
    }

    static func line(of service: RunningService, after start: String) throws -> Line {
        let rest = try #require(service.process.outputLine(after: start))
        return try JSONDecoder().decode(Line.self, from: Data((start + rest).utf8))
    }

    @Test func printsEventsAsLinesOfJSON() throws {
        let service = try RunningService("dev", options: ["--json"])
        let first = try Self.line(of: service, after: "{\"app\"")
        #expect(first.kind == "listening")
        #expect(first.app == "com.example.demo")
        #expect(first.url == "http://127.0.0.1:\(service.port)")
        let phone = try service.register(app: try #require(first.key), idiom: "phone")
        let event = try Self.line(of: service, after: "{\"at\"")
        #expect(event.kind == "deviceRegistered")
        #expect(event.text == "phone registered as a new user")
        #expect(event.user == phone.user)
        #expect(event.device == phone.device)
        #expect(event.linkCode?.count == 8)
        #expect(service.stop() == .exit(0))
        #expect(service.process.standardOutput.split(separator: "\n").allSatisfy { $0.hasPrefix("{") })
    }

    @Test func offersTheSetUpAtTheGivenURL() throws {
        let service = try RunningService("dev", options: ["--url", "http://photos.example:8080/"])
        // The page is printed before the link is written.
        let link = try #require(service.process.line(after: "placekeeper: there is no administrator yet; "))
        #expect(link == "create one with the link in \"\(service.data.path)/admin-set-up\"")
        let text = try String(contentsOfFile: service.data.path + "/admin-set-up", encoding: .utf8)
        #expect(text.hasPrefix("http://photos.example:8080/admin/#/set-up/"), "\(text)")
    }

    @Test func endsWithItsInputIfAsked() throws {
        let data = try TemporaryDirectory()
        let input = data.path + "/input"
        try #require(mkfifo(input, 0o600) == 0)
        // This end is open before the service opens the other end, so neither waits for the other.
        let writing = open(input, O_RDWR | O_CLOEXEC)
        let service = try RunningService("dev", data: data, options: ["--end-with-input"], input: input)
        #expect(write(writing, "text\n", 5) == 5)
        #expect(try service.request("GET", "/livez").status == 200)
        close(writing)
        #expect(service.process.wait() == .exit(0))
    }

    @Test func listensOnTheNetworkOnlyIfAsked() throws {
        let data = try TemporaryDirectory()
        let process = try ChildProcess(["dev", "--lan", "--listen", "127.0.0.1:0", "--data", data.path])
        let port = try #require(process.line(after: "listening on http://0.0.0.0:").flatMap { UInt16($0) })
        #expect(try Connection(port: port).request("GET", "/livez").status == 200)
        process.send(SIGTERM)
        #expect(process.wait() == .exit(0))
        #expect(process.standardOutput.contains("█"))
    }

    @Test func refusesAWrongBundleIdentifier() throws {
        let data = try TemporaryDirectory()
        let wrong = try ChildProcess.run("dev", "no app", "--listen", "127.0.0.1:0", "--data", data.path)
        #expect(wrong.end == .exit(2))
        #expect(wrong.error.split(separator: "\n").count == 1)
        #expect(wrong.output.isEmpty)
    }

    @Test(arguments: [
        "192.168.1.20:8080", "http://", "http://a\"b", "http://a b", "http://ä", "http://a:99999", "http://a/?b",
    ])
    func refusesATextThatIsNoURL(text: String) throws {
        let data = try TemporaryDirectory()
        let wrong = try ChildProcess.run("dev", "--url", text, "--listen", "127.0.0.1:0", "--data", data.path)
        #expect(wrong.end == .exit(2))
        #expect(wrong.error.hasPrefix("placekeeper: --url needs a URL"))
        #expect(wrong.output.isEmpty)
    }
}
