import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperMatching
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperServer

/// A user with every kind of data, and exports of this user.
struct ExportedUser {
    let fixture: ServerFixture
    let phone: Member
    let owner: UserKey
    /// A device of the user that was revoked.
    let gone: Member

    /// - Parameter subject: the subject of the user's account. Nil for an anonymous user.
    init(subject: String? = nil) async throws {
        fixture = try await ServerFixture(settings: { $0.allowsScreenshots = true })
        phone = try await fixture.join()
        owner = UserKey(app: fixture.app.id, user: try #require(UserID(phone.user)))
        if let subject { #expect(try await fixture.signIn(phone, as: subject).status == 200) }
        let pad = try await fixture.join("pad", with: phone)
        gone = try await fixture.join(with: phone)
        try await addArchives(pad)
        try await addItems(pad)
        #expect(try await fixture.send(.delete, "/v1/devices/\(gone.device)", token: phone.token).status == 204)
        fixture.clock.advance(.seconds(5))
    }

    private func addArchives(_ pad: Member) async throws {
        var last: Answer?
        for (number, scene) in [(1, "main"), (2, "main"), (3, "editor"), (4, "old"), (5, "main")] {
            fixture.clock.advance(.seconds(1))
            let fields = ["Interaction-Age: 1", "Capture-Sequence: \(number)"]
            last = try await fixture.upload(number, by: phone, scene: scene, fields: fields)
        }
        try await fixture.upload(6, by: gone, place: nil)
        // A late capture that belongs between two captures of its device, and a view-only capture.
        try await fixture.upload(7, by: phone, fields: ["Capture-Sequence: 3"])
        let source = try #require(last?[.revision])
        try await fixture.upload(8, by: phone, fields: ["Capture-Sequence: 8", "Restored-From: \(source)"])
        let main = "/v1/scenes/main/archives/"
        let (first, second) = (main + ServerFixture.id(1), main + ServerFixture.id(2))
        _ = try await fixture.send(.put, first + "/screenshot", token: phone.token, body: Samples.png)
        _ = try await fixture.send(.get, first + "/restorable?idiom=pad&bundleVersion=42", token: pad.token)
        for result in ["began", "restored"] {
            let outcome = Wire.Outcome(
                result: Wire.Outcome.Result(rawValue: result), idiom: .phone, launch: "launch-1", path: "root/list",
                step: 1, duration: 0.25)
            let answer = try await fixture.send(
                .post, first + "/outcomes", token: phone.token, fields: ["Content-Type: application/json"],
                body: try JSONBody.encode(outcome))
            #expect(answer.status == 204)
        }
        _ = try await fixture.send(.delete, second, token: phone.token)
        _ = try await fixture.send(.delete, "/v1/scenes/old", token: phone.token)
    }

    private func addItems(_ pad: Member) async throws {
        _ = try await fixture.send(.put, "/v1/data-sources/photos", token: phone.token, json: ["scope": "registered"])
        let items = "/v1/data-sources/photos/items"
        let deltas: [(Member, String)] = [
            (phone, #"{"upserts":[{"identifier":"p1","aliases":["a","é"],"position":-3},{"identifier":"p2"}]}"#),
            (phone, #"{"upserts":[{"identifier":"p3","aliases":["a"]},{"identifier":"p\"4"},{"identifier":"p5"}]}"#),
            (phone, #"{"removals":["p5"],"redirects":[{"from":"p2","to":"p3"},{"from":"p0","to":"p1"}]}"#),
            (pad, #"{"upserts":[{"identifier":"q1","aliases":["a"],"position":9223372036854775807}]}"#),
            (gone, #"{"upserts":[{"identifier":"r1"}]}"#),
            // The identifier q2 is reused for another item, which then gets a further alias and loses one.
            (pad, #"{"upserts":[{"identifier":"q2","aliases":["c"]}]}"#),
            (pad, #"{"upserts":[{"identifier":"q2","aliases":["d"]}]}"#),
            (pad, #"{"upserts":[{"identifier":"q2","aliases":["d","e"]}]}"#),
            (pad, #"{"upserts":[{"identifier":"q2","aliases":["d"]}]}"#),
        ]
        for (member, delta) in deltas {
            fixture.clock.advance(.seconds(1))
            #expect(try await fixture.send(.patch, items, token: member.token, body: Array(delta.utf8)).status == 200)
        }
        let list = ItemList(owner: owner, dataSource: "photos")
        let ends = try [(phone, "p1"), (pad, "q1")].map { member, name in
            ItemName(device: try #require(DeviceID(member.device)), identifier: name)
        }
        try await fixture.service.lists.decide(.same, ends[0], ends[1], note: "seen", in: list)
    }

    func export() async throws -> [UInt8] { try await Self.export(owner, from: fixture) }

    static func export(_ owner: UserKey, from fixture: ServerFixture) async throws -> [UInt8] {
        let export = try #require(try await fixture.service.exports.export(owner, of: fixture.app))
        var text = ExportText(export, hashing: fixture.service.hashing, version: "1.2.3")
        var bytes: [UInt8] = []
        while let piece = try await text.next() { bytes += piece }
        return bytes
    }

    /// Imports a file into a service.
    static func load(
        _ file: [UInt8], into fixture: ServerFixture, replaces: Bool = false
    ) async throws(ServiceError) -> ImportResult {
        let bytes = FileBytes(file)
        var reader = try ExportReader(hashing: fixture.service.hashing, rewind: bytes.rewind, read: bytes.read)
        return try await fixture.service.exports.importUser(
            from: &reader, into: fixture.app, replaces: replaces, by: .command("anna"))
    }
}

/// A file in memory.
private final class FileBytes {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func rewind() { position = 0 }

    func read() -> [UInt8] {
        let piece = Array(bytes[position..<min(position + 1000, bytes.count)])
        position += piece.count
        return piece
    }
}
