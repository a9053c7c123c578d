import PlacekeeperArchive
import PlacekeeperAPI
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A registered device, which sends requests as an app does.
struct TestDevice: Sendable {
    var app: TestApp
    var id: String
    var user: String
    var token: String
    /// The device's context. The device sends this context in its queries and outcomes, and writes it into every
    /// archive.
    var context: Wire.Context
    /// The id of the app's launch.
    var launch = "launch-1"

    init(_ registered: Wire.Registered, idiom: Wire.Idiom, app: TestApp) {
        self.app = app
        id = registered.device
        user = registered.user
        token = registered.token
        context = Wire.Context(idiom: idiom, bundleVersion: "42", systemVersion: "17.4")
    }

    /// Returns a copy of the device with a changed context, for example after an update.
    func running(_ change: (inout Wire.Context) -> Void) -> TestDevice {
        var device = self
        change(&device.context)
        return device
    }

    func request(
        _ method: String, _ target: String, fields: [(String, String)] = [], body: [UInt8] = []
    ) async throws -> Reply {
        try await app.address.request(method, target, fields: [authorization] + fields, body: body)
    }

    func request(_ method: String, _ target: String, json: some Encodable) async throws -> Reply {
        try await request(method, target, fields: [("Content-Type", "application/json")], body: json.json)
    }

    var authorization: (String, String) { ("Authorization", "Bearer \(token)") }

    func linkCode() async throws -> String {
        let reply = try await request("POST", "/v1/link-codes")
        guard reply.status == 201 else { throw UnexpectedReply(reply) }
        return try reply.json(Wire.LinkCode.self).code
    }

    /// Opens an event stream that begins after an id, or with new events.
    func events(after id: String? = nil) async throws -> EventReader {
        try await EventReader(
            port: app.address.port, fields: [authorization] + (id.map { [("Last-Event-ID", $0)] } ?? []))
    }
}

// Requests that read.
extension TestDevice {
    /// Requests the latest archive twice. The second response may come from the cache of responses, and must be the
    /// same.
    func latest(in scene: String = "main", of device: String? = nil, fields: [(String, String)] = []) async throws
        -> Reply
    {
        let found = try await latestOnce(in: scene, of: device, fields: fields)
        let remembered = try await latestOnce(in: scene, of: device, fields: fields)
        #expect(remembered.status == found.status && remembered.body == found.body)
        #expect(remembered.lastingFields == found.lastingFields)
        return found
    }

    /// Requests the latest archive once, for a scene that other devices change at the same time.
    func latestOnce(in scene: String = "main", of device: String? = nil, fields: [(String, String)] = [])
        async throws -> Reply
    {
        let whose = device.map { "&device=\($0)" } ?? ""
        return try await request(
            "GET", "/v1/scenes/\(scene)/archives/latest?\(query)\(whose)", fields: [("Launch-Id", launch)] + fields)
    }

    func explanation(in scene: String = "main") async throws -> Wire.Explanation {
        try await request(
            "GET", "/v1/scenes/\(scene)/archives/latest/explanation?\(query)", fields: [("Launch-Id", launch)]
        ).json()
    }

    func restorable(_ upload: Upload) async throws -> Reply {
        try await request("GET", upload.path + "/restorable?" + query, fields: [("Launch-Id", launch)])
    }

    func read(_ upload: Upload) async throws -> Reply { try await request("GET", upload.path) }

    func history(in scene: String = "main", limit: Int = 100) async throws -> [Wire.Archive] {
        var archives: [Wire.Archive] = []
        var target: String? = "/v1/scenes/\(scene)/archives?limit=\(limit)"
        while let next = target {
            let reply = try await request("GET", next)
            guard reply.status == 200 else { throw UnexpectedReply(reply) }
            archives += try reply.json(Wire.Page<Wire.Archive>.self).items
            target = reply.nextPage
        }
        return archives
    }

    func places() async throws -> [Wire.Place] {
        try await request("GET", "/v1/places?" + query).json(Wire.Page<Wire.Place>.self).items
    }

    func manifest() async throws -> Wire.Manifest { try await request("GET", "/v1/manifest").json() }

    func changes(after revision: Int64 = 0) async throws -> Reply {
        try await request("GET", "/v1/changes?after=\(revision)")
    }

    /// Returns the device after the next launch of its app.
    func launchedAgain() -> TestDevice {
        var device = self
        device.launch += "1"
        return device
    }

    func report(
        _ result: Wire.Outcome.Result, of upload: Upload, path: String? = nil, step: Int64? = nil,
        duration: Double? = nil
    ) async throws -> Reply {
        let outcome = Wire.Outcome(
            result: result, idiom: context.idiom, layout: context.layout, bundleVersion: context.bundleVersion,
            systemVersion: context.systemVersion, stateVersion: context.stateVersion,
            launch: launch, path: path, step: step, duration: duration)
        return try await request("POST", upload.path + "/outcomes", json: outcome)
    }

    /// The context as a query.
    var query: String {
        var members = ["idiom=\(context.idiom.rawValue)"]
        if let layout = context.layout { members.append("layout=\(layout.rawValue)") }
        if let version = context.bundleVersion { members.append("bundleVersion=\(version)") }
        if let version = context.systemVersion { members.append("systemVersion=\(version)") }
        if let version = context.stateVersion { members.append("stateVersion=\(version)") }
        return members.joined(separator: "&")
    }
}

extension Reply {
    /// All fields except those that differ in each response.
    fileprivate var lastingFields: [String] {
        fields.filter { !["date", "x-request-id"].contains($0.name.lowercased()) }.map { "\($0.name): \($0.value)" }
    }
}
