import FoundationEssentials
import KeyedArchive
import PlacekeeperAPI
import Testing

/// What an operator sees and decides of which items are one, beside the running service.
@Suite struct IdentityCommandTests {
    private let service: RunningService
    private let phone: RunningService.Device
    private let pad: RunningService.Device

    init() throws {
        service = try RunningService()
        let app = try service.createApp()
        phone = try service.register(app: app, idiom: "phone")
        let code = try service.linkCode(token: phone.token)
        pad = try service.register(app: app, idiom: "phone", linkCode: code)
    }

    private func run(_ words: String...) throws -> (end: ChildProcess.End, output: String, error: String) {
        let process = try ChildProcess(words + ["--data", service.data.path])
        return (process.wait(), process.standardOutput, process.standardError)
    }

    private func send(_ method: String, _ path: String, _ body: String, by device: RunningService.Device) throws
        -> Reply
    {
        try service.request(method, path, token: device.token, body: Array(body.utf8))
    }

    private func register(_ items: String, by device: RunningService.Device) throws {
        let reply = try send("PATCH", "/v1/data-sources/photos/items", "{\"upserts\": [\(items)]}", by: device)
        #expect(reply.status == 200, "\(reply.text)")
    }

    private func resolved(_ identifier: String) throws -> Wire.Resolution {
        let body = "{\"device\": \"\(phone.device)\", \"identifiers\": [\"\(identifier)\"]}"
        let reply = try send("POST", "/v1/data-sources/photos/resolve", body, by: pad)
        return try #require(try reply.json(Wire.Resolutions.self).results.first)
    }

    @Test func decidesWhatTheServiceThenGoesBy() throws {
        #expect(try send("PUT", "/v1/data-sources/photos", "{\"scope\": \"registered\"}", by: phone).status == 201)
        try register("{\"identifier\": \"p:1\", \"aliases\": [\"a\"]}", by: phone)
        try register("{\"identifier\": \"q1\"}", by: pad)
        #expect(try resolved("p:1").step == .pending)

        let list = ["--user", phone.user, "--data-source", "photos"]
        let (first, second) = ("\(phone.device):p:1", "\(pad.device):q1")
        let made = try ChildProcess(
            ["identity", "decide", "com.example.photos", "same", first, second, "--note", "the same photo"] + list
                + ["--data", service.data.path])
        #expect(made.wait() == .exit(0), "\(made.standardError)")
        // The service notices within a second.
        let deadline = ContinuousClock.now + .seconds(20)
        while try resolved("p:1").identifier != "q1", ContinuousClock.now < deadline {}
        #expect(try resolved("p:1").identifier == "q1")

        let told = try run(
            "identity", "decisions", "com.example.photos", "--user", phone.user, "--data-source", "photos")
        #expect(told.output.contains("the same photo") && told.output.contains(first))
        let undone = try run(
            "identity", "undecide", "com.example.photos", second, first, "--user", phone.user, "--data-source",
            "photos")
        #expect(undone.end == .exit(0))
        let again = try run(
            "identity", "undecide", "com.example.photos", second, first, "--user", phone.user, "--data-source",
            "photos")
        #expect(again.end == .exit(1))
        #expect(again.error.contains("identity decisions"))
    }

    @Test func listsDuplicateEvidence() throws {
        _ = try send("PUT", "/v1/data-sources/photos", "{\"scope\": \"registered\"}", by: phone)
        try register(
            """
            {"identifier": "p1", "aliases": ["default"]}, {"identifier": "p2", "aliases": ["default"]}
            """, by: phone)
        let told = try run(
            "identity", "set-aside", "com.example.photos", "--user", phone.user, "--data-source", "photos", "--json")
        #expect(told.end == .exit(0))
        #expect(told.output.contains("\"alias\" : \"default\"") || told.output.contains("\"alias\": \"default\""))
        #expect(told.output.contains("p1") && told.output.contains("p2"))
    }

    @Test func refusesWhatIsNotThere() throws {
        _ = try send("PUT", "/v1/data-sources/photos", "{\"scope\": \"registered\"}", by: phone)
        let typed = try run(
            "identity", "decisions", "com.example.photos", "--user", phone.user, "--data-source", "photo")
        #expect(typed.end == .exit(1))
        #expect(typed.error.contains("did you mean photos?"))
        for item in ["p1", "nobody:p1", "\(phone.user):p1"] {
            let told = try run(
                "identity", "decide", "com.example.photos", "same", item, "\(pad.device):q1", "--user", phone.user,
                "--data-source", "photos")
            #expect(told.end != .exit(0), "\(item)")
        }
        let same = try run(
            "identity", "decide", "com.example.photos", "same", "\(pad.device):q2", "\(pad.device):q1", "--user",
            phone.user, "--data-source", "photos")
        #expect(same.end == .exit(2))
    }

    @Test func changesWhatADataSourceIsDeclaredAs() throws {
        _ = try send("PUT", "/v1/data-sources/photos", "{\"scope\": \"registered\"}", by: phone)
        let changed = try run("app", "data-sources", "com.example.photos", "--declare", "photos=shared,neighbours")
        #expect(changed.end == .exit(0), "\(changed.error)")
        #expect(changed.output.contains("shared") && changed.output.contains("yes"))
        let deadline = ContinuousClock.now + .seconds(20)
        var scope: Wire.Scope?
        while scope != .shared, ContinuousClock.now < deadline {
            scope = try service.request("GET", "/v1/data-sources/photos", token: phone.token)
                .json(Wire.DataSource.self).scope
        }
        #expect(scope == .shared)
        #expect(try run("app", "data-sources", "com.example.photos", "--declare", "photos=else").end == .exit(2))
    }

    @Test func explainsEachReference() throws {
        _ = try send("PUT", "/v1/data-sources/photos", "{\"scope\": \"registered\"}", by: phone)
        try register("{\"identifier\": \"p1\", \"aliases\": [\"server:1\"]}", by: phone)
        try register("{\"identifier\": \"q1\", \"aliases\": [\"server:1\"]}", by: pad)
        let archive = try StateArchive(
            bundleVersion: "42", idiom: 0,
            references: [ModelReference(dataSource: "photos", element: .init("p1"), role: .selected)]
        ).encoded()
        let stored = try service.request(
            "PUT", "/v1/scenes/main/archives/0b6e1f52-5d5c-4c8e-9f0a-6a3d1c2b7e94", token: phone.token, body: archive)
        #expect(stored.status == 201)
        let told = try run(
            "explain", "com.example.photos", "--user", phone.user, "--device", pad.device, "--bundle-version", "42")
        #expect(told.end == .exit(0), "\(told.error)")
        #expect(told.output.contains("photos, selected: p1 → q1, by alias (0.95)"))
        #expect(told.output.contains("\(pad.device)  q1  by server:1"))
    }
}
