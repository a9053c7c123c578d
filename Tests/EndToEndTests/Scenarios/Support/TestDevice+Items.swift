import PlacekeeperCryptography
import PlacekeeperArchive
import PlacekeeperAPI
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Requests about data sources and items.
extension TestDevice {
    static let lines = ("Content-Type", "application/x-ndjson")

    func declare(_ scope: Wire.Scope = .registered, named name: String = "photos", selectsNeighbors: Bool? = nil)
        async throws -> Reply
    {
        let declaration = Wire.DataSourceDeclaration(scope: scope, selectsNeighbors: selectsNeighbors)
        return try await request("PUT", "/v1/data-sources/\(name)", json: declaration)
    }

    /// Sends a delta and requires the status 200.
    @discardableResult
    func register(
        _ items: [Wire.Item] = [], removals: [String] = [], redirects: [Wire.Redirect] = [], after: Int64? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Wire.RegistrationState {
        let delta = Wire.ItemDelta(upserts: items, removals: removals, redirects: redirects, after: after)
        let reply = try await request("PATCH", "/v1/data-sources/photos/items", json: delta)
        try #require(reply.status == 200, "\(reply.text)", sourceLocation: sourceLocation)
        return try reply.json()
    }

    func load(_ lines: [UInt8]) async throws -> Reply {
        try await request("PATCH", "/v1/data-sources/photos/items", fields: [Self.lines], body: lines)
    }

    func registration() async throws -> Wire.RegistrationState {
        let reply = try await request("GET", "/v1/data-sources/photos")
        return try #require(try reply.json(Wire.DataSource.self).registration)
    }

    func items(limit: Int = 1000) async throws -> [Wire.Item] {
        var items: [Wire.Item] = []
        var target: String? = "/v1/data-sources/photos/items?limit=\(limit)"
        while let next = target {
            let reply = try await request("GET", next)
            guard reply.status == 200 else { throw UnexpectedReply(reply) }
            items += try reply.json(Wire.Page<Wire.Item>.self).items
            target = reply.nextPage
        }
        return items
    }

    func resolve(_ identifiers: [String], of device: TestDevice) async throws -> [Wire.Resolution] {
        let question = Wire.ResolutionQuestion(device: device.id, identifiers: identifiers)
        return try await request("POST", "/v1/data-sources/photos/resolve", json: question)
            .json(Wire.Resolutions.self).results
    }

    /// Registers another device of the same person.
    func another() async throws -> TestDevice {
        let reply = try await app.register(context.idiom, code: try await linkCode())
        guard reply.status == 201 else { throw UnexpectedReply(reply) }
        return TestDevice(try reply.json(), idiom: context.idiom, app: app)
    }

    /// Uploads an archive of a list with these references.
    func upload(_ references: [ModelReference]) async throws -> Upload {
        var archive = StateArchive(bundleVersion: context.bundleVersion, idiom: 0, systemVersion: context.systemVersion)
        // The service must not rewrite the app's own string, although it is equal to an identifier.
        archive.application = ["title": .string(references.first?.element.identifier ?? "")]
        archive.objects = [
            RestorableObject(
                path: "List", kind: .viewController, className: "ListController",
                state: ["rows": .array(references.indices.map { .reference($0) })])
        ]
        archive.references = references
        var upload = Upload(bytes: try archive.encoded())
        let reply = try await put(upload)
        guard reply.status == 201 else { throw UnexpectedReply(reply) }
        upload.revision = try #require(reply.revision)
        return upload
    }
}

extension Wire.Item {
    init(_ identifier: String, _ aliases: String..., position: Int64? = nil) {
        self.init(identifier: identifier, aliases: aliases, position: position)
    }
}

extension ModelReference {
    /// Returns a reference to a photo with its neighbors.
    static func photo(
        _ identifier: String, _ aliases: String..., role: Role = .selected, before: [Element] = [],
        after: [Element] = []
    ) -> ModelReference {
        ModelReference(
            dataSource: "photos", element: .init(identifier, aliases: aliases), role: role, before: before, after: after
        )
    }
}

extension Reply {
    /// The served archive.
    var archive: StateArchive { get throws { try StateArchive(reading: body) } }

    /// The references of the served archive, each as `identifier step`. Without a resolution, the step is
    /// `as it was`.
    var references: [String] {
        get throws {
            try archive.references.map {
                "\($0.element.identifier ?? "nil") \($0.resolution?.step.rawValue ?? "as it was")"
            }
        }
    }
}

/// Computes the digest of items as a client does.
func digest(of items: some Sequence<Wire.Item>) -> String {
    var sum = [UInt8](repeating: 0, count: 16)
    for item in items {
        var bytes: [UInt8] = []
        let aliases = (item.aliases ?? []).map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
        for text in [Array(item.identifier.utf8)] + aliases + [Array((item.position.map { "\($0)" } ?? "").utf8)] {
            bytes += text + [0]
        }
        for (index, byte) in SHA256.digest(of: bytes).prefix(16).enumerated() { sum[index] ^= byte }
    }
    return sum.map { byte in
        let digits = String(byte, radix: 16)
        return digits.count == 1 ? "0" + digits : digits
    }.joined()
}

/// Encodes items as JSON lines.
func lines(of items: [Wire.Item]) throws -> [UInt8] {
    try items.flatMap { item in try item.json + [0x0A] }
}
