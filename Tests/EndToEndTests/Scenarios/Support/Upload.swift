import PlacekeeperArchive
import PlacekeeperAPI
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The upload of a capture.
struct Upload: Sendable {
    var id = UUID().uuidString.lowercased()
    var scene = "main"
    var bytes: [UInt8]
    /// The interaction age.
    var age: Duration?
    var sequence: Int64?
    /// The revision that the device restored, if the user has not acted since the restore.
    var restoredFrom: Int64?
    /// The precondition `If-Head`.
    var ifHead: String?
    /// The revision of the stored archive. 0 before the upload.
    var revision: Int64 = 0

    var path: String { "/v1/scenes/\(scene)/archives/\(id)" }

    var fields: [(String, String)] {
        var fields = [("Content-Type", "application/x-plist")]
        if let age { fields.append(("Interaction-Age", age.decimalSeconds)) }
        if let sequence { fields.append(("Capture-Sequence", "\(sequence)")) }
        if let restoredFrom { fields.append(("Restored-From", "\(restoredFrom)")) }
        if let ifHead { fields.append(("If-Head", ifHead)) }
        return fields
    }
}

extension TestDevice {
    /// Creates a capture with unique bytes. The capture has a place if `titles` is not empty.
    func capture(_ titles: String..., change: (inout Upload) -> Void = { _ in }) throws -> Upload {
        try capture(titles, change: change)
    }

    func capture(_ titles: [String], change: (inout Upload) -> Void = { _ in }) throws -> Upload {
        let idioms: [Wire.Idiom: Int64] = [.phone: 0, .pad: 1, .tv: 2, .carPlay: 3, .watch: 4, .mac: 5, .vision: 6]
        var archive = StateArchive(
            bundleVersion: context.bundleVersion, idiom: idioms[context.idiom],
            systemVersion: context.systemVersion, stateVersion: context.stateVersion,
            layout: context.layout.map { $0 == .compact ? .compact : .regular })
        archive.objects = [
            RestorableObject(
                path: "Albums", kind: .viewController, className: "AlbumsController",
                state: ["capture": .string(UUID().uuidString)])
        ]
        if !titles.isEmpty { archive.place = Place(titles.map { Place.Step(screen: "list", title: $0) }) }
        var upload = Upload(bytes: try archive.encoded())
        change(&upload)
        return upload
    }

    /// Sends a capture and returns the response.
    func put(_ upload: Upload, query: String = "") async throws -> Reply {
        try await request("PUT", upload.path + query, fields: upload.fields, body: upload.bytes)
    }

    /// Sends the first half of a capture. `finish` sends the rest.
    func begin(_ upload: Upload) async throws -> Line {
        var head = "PUT \(upload.path) HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\n"
        for (name, value) in upload.fields + [authorization] { head += "\(name): \(value)\r\n" }
        head += "Content-Length: \(upload.bytes.count)\r\n\r\n"
        let line = try Line(port: app.address.port)
        let interim = try await line.run { [head] connection in
            try connection.send(Array(head.utf8))
            return try connection.reply(to: "PUT", interim: true)
        }
        // The interim response shows that the service has read the request head.
        guard interim.status == 100 else { throw UnexpectedReply(interim) }
        try await line.send(Array(upload.bytes.prefix(upload.bytes.count / 2)))
        return line
    }

    func finish(_ upload: Upload, on line: Line) async throws -> Reply {
        try await line.send(Array(upload.bytes.dropFirst(upload.bytes.count / 2)))
        return try await line.reply(to: "PUT")
    }

    /// Creates a capture, sends it, and requires the status 201.
    func upload(
        _ titles: String..., change: (inout Upload) -> Void = { _ in },
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Upload {
        var upload = try capture(titles, change: change)
        let reply = try await put(upload)
        #expect(reply.status == 201, "\(reply.text)", sourceLocation: sourceLocation)
        upload.revision = try #require(reply.revision, sourceLocation: sourceLocation)
        return upload
    }
}

extension Duration {
    fileprivate var decimalSeconds: String {
        let (seconds, attoseconds) = components
        let milliseconds = "\(1000 + attoseconds / 1_000_000_000_000_000)".dropFirst()
        return "\(seconds).\(milliseconds)"
    }
}
