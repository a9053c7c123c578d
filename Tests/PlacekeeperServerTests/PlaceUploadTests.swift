import PlacekeeperAPI
import PlacekeeperArchive
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService
import Testing

@testable import PlacekeeperServer

/// Tests of places as JSON in requests and responses.
@Suite struct PlaceUploadTests {
    private static let type = "application/vnd.placekeeper.place+json"
    private static let main = "/v1/scenes/main/archives/"
    private static let targets = [
        "latest?idiom=phone&bundleVersion=42", ServerFixture.id(1) + "/restorable?idiom=phone&bundleVersion=42",
        ServerFixture.id(1),
    ]
    private static let accepts = "Accept: " + type

    private static let place = #"""
        {"format": 1, "idiom": "phone", "bundleVersion": "42", "systemVersion": "17.4",
         "references": [{"dataSource": "photos", "identifier": "p12", "aliases": ["sha:12"], "role": "selected"}],
         "steps": [{"screen": "albums", "title": "Albums"},
                   {"screen": "photo", "references": [0], "parameters": {"zoom": 2.5, "id": {"$integer": "9007199254740993"}}}]}
        """#

    private static var archive: StateArchive {
        var archive = StateArchive(
            bundleVersion: "42", idiom: 0, systemVersion: "17.4",
            references: [
                ModelReference(dataSource: "photos", element: .init("p12", aliases: ["sha:12"]), role: .selected)
            ],
            place: Place([
                .init(screen: "albums", title: "Albums"),
                .init(
                    screen: "photo", references: [0],
                    parameters: ["zoom": .real(2.5), "id": .integer(9_007_199_254_740_993)]),
            ]))
        archive.isPlaceOnly = true
        return archive
    }

    private let fixture: ServerFixture
    private let web: Member

    init() async throws { (fixture, web) = try await ServerFixture().withDevice() }

    @discardableResult
    private func upload(
        _ json: String = place, as number: Int = 1, type: String = type, query: String = "", fields: [String] = []
    ) async throws -> Answer {
        try await fixture.send(
            .put, Self.main + ServerFixture.id(number) + query, token: web.token,
            fields: ["Content-Type: " + type] + fields, body: Array(json.utf8))
    }

    private func read(_ target: String, _ fields: String..., by member: Member? = nil) async throws -> Answer {
        try await fixture.send(.get, Self.main + target, token: (member ?? web).token, fields: fields)
    }

    // MARK: - Uploads

    @Test(arguments: [type, type.uppercased(), type + "; charset=utf-8", type + " ;x=1"])
    func storesAPlaceAsTheArchiveOfAnApp(type: String) async throws {
        let stored = try await upload(type: type)
        #expect(stored.status == 201 && stored[.revision] != nil && stored.body.isEmpty)
        let answer = try await read(ServerFixture.id(1))
        #expect(answer.body == (try Self.archive.encoded()))
        #expect(stored[.etag] == nil && answer[.contentType] == "application/x-plist")
        let history = try await fixture.send(.get, "/v1/scenes/main/archives", token: web.token)
        let archive = try #require(try history.json(Wire.Page<Wire.Archive>.self).items.first)
        #expect(archive.place == ["Albums", "photo"] && archive.context.bundleVersion == "42")
    }

    @Test func answersARepeatedUploadWhateverTheOrderOfItsMembers() async throws {
        let first = try await upload()
        let again = #"""
            {"steps": [{"title": "\u0041lbums", "screen": "albums"},
                       {"parameters": {"id": {"$integer": "9007199254740993"}, "zoom": 25e-1}, "references": [0],
                        "screen": "photo"}],
             "systemVersion": "17.4", "bundleVersion": "42", "format": 1, "later": [{}], "idiom": "phone",
             "references": [{"role": "selected", "aliases": ["sha:12"], "identifier": "p12", "dataSource": "photos"}]}
            """#
        let second = try await upload(again)
        #expect([first.status, second.status] == [201, 200] && first[.revision] == second[.revision])
        // It isn't the tag of what the client sent.
        #expect(first[.etag] == nil && second[.etag] == nil)
        let archive = try await fixture.send(
            .put, Self.main + ServerFixture.id(1), token: web.token, body: try Self.archive.encoded())
        #expect(archive.status == 200)
        #expect(try await upload(Self.place.replacing("2.5", with: "2.6")).code == .archiveDiffers)
    }

    @Test func readsACompressedPlace() async throws {
        let coded = try #require(SystemGzip().deflate(Array(Self.place.utf8)))
        let answer = try await fixture.send(
            .put, Self.main + ServerFixture.id(1), token: web.token,
            fields: ["Content-Type: " + Self.type, "Content-Encoding: gzip"], body: coded)
        #expect(answer.status == 201)
        #expect(try await read(ServerFixture.id(1)).body == (try Self.archive.encoded()))
    }

    @Test func completesTheContextFromTheQuery() async throws {
        let place = #"{"format": 1, "steps": [{"screen": "albums"}]}"#
        #expect(try await upload(place).code == .idiomRequired)
        #expect(try await upload(place, query: "?idiom=pad&layout=regular&stateVersion=3").status == 201)
        let contradicted = try await upload(as: 2, query: "?bundleVersion=43")
        #expect(contradicted.code == .contextContradicted && contradicted.problem?.details?["archive"] == "42")
        #expect(try await upload(as: 2, query: "?bundleVersion=42").status == 201)
    }

    @Test func ordersPlacesAsArchives() async throws {
        let first = try await upload(fields: ["Interaction-Age: 0", "Capture-Sequence: 1", "If-Head: none"])
        let old = try await upload(
            Self.place.replacing("Albums", with: "Old"), as: 2, fields: ["Interaction-Age: 60"])
        #expect(old.status == 201 && old[.headRevision] == first[.headRevision])
        #expect(try await upload(as: 3, fields: ["If-Head: none"]).code == .headMoved)
    }

    /// A place is refused for what an archive would be refused for, and nothing is stored.
    @Test(arguments: [
        (#"{"screen": "a", "parameters": {"x": "\#(String(repeating: "x", count: 131_073))"}}"#, "place-size"),
        (#"{"screen": "a"}"# + String(repeating: #",{"screen": "a"}"#, count: 64), "place"),
    ])
    func refusesAPlaceThatAnArchiveCannotHold(_ steps: String, _ reason: String) async throws {
        let answer = try await upload(#"{"format": 1, "idiom": "phone", "steps": [\#(steps)]}"#)
        #expect(answer.status == 422 && answer.code == .invalidBody && answer.problem?.reason == reason)
        #expect(try await fixture.send(.get, "/v1/scenes/main/archives", token: web.token).text == #"{"items":[]}"#)
    }

    @Test func refusesWhatTheReaderOfArchivesRefuses() async throws {
        let version = Self.place.replacing(#""42""#, with: "\"\(String(repeating: "1", count: 129))\"")
        let long = try await upload(version)
        #expect(long.code == .archiveUnreadable && long.problem?.reason == "reserved-key")
        #expect(try await upload(Self.place.replacing(#""42""#, with: #""latest""#)).code == .contextInvalid)
        // The references share a text in the archive.
        let alias = String(repeating: "x", count: 1000)
        let reference = #"{"dataSource": "photos", "aliases": ["\#(alias)"]}"#
        let references = Array(repeating: reference, count: 500).joined(separator: ",")
        let shared = try await upload(
            #"{"format": 1, "idiom": "phone", "steps": [], "references": [\#(references)]}"#)
        #expect(shared.code == .archiveUnreadable && shared.problem?.reason == "expansion")
    }

    @Test func limitsTheSizeAndTheNumberOfValues() async throws {
        let coded = try #require(SystemGzip().deflate([UInt8](repeating: 0x20, count: 1 << 20 + 1)))
        let large = try await fixture.send(
            .put, Self.main + ServerFixture.id(1), token: web.token,
            fields: ["Content-Type: " + Self.type, "Content-Encoding: gzip"], body: coded)
        #expect(large.status == 413 && large.code == .archiveTooLarge)
        let many = try await upload(#"{"format": 1, "x": [0"# + String(repeating: ",0", count: 200_000) + "]}")
        #expect(many.status == 413 && many.code == .contentTooLarge)
        #expect(try await upload("{").code == .malformedJSON)
        let marks = String(repeating: "\u{301}", count: 257)
        #expect(try await upload(#"{"format": 1, "x": "a\#(marks)"}"#).code == .invalidBody)
    }

    @Test func countsPlacesInQuotas() async throws {
        var settings = fixture.app.settings
        settings.quotas.userArchives = 1
        try await fixture.service.apps.replaceSettings(of: fixture.app.id, with: settings)
        #expect(try await upload().status == 201)
        #expect(try await upload(as: 2).code == .quotaExceeded)
        #expect(try await upload().status == 200)
    }

    @Test func asksForTheTypeOfAPlace() async throws {
        #expect(try await upload(type: "application/json").code == .unsupportedMediaType)
        #expect(try await upload(type: "application/x-plist").code == .unsupportedMediaType)
    }

    // MARK: - Answers

    @Test(arguments: targets)
    func servesThePlaceInTheFormOfUploads(_ target: String) async throws {
        try await upload()
        let answer = try await read(target, Self.accepts)
        #expect(answer.status == 200 && answer[.contentType] == Self.type && answer[.revision] != nil)
        #expect(answer.response.fields.values(of: .vary).contains("Accept"))
        let again = try await upload(answer.text)
        #expect(again.status == 200, "the same archive")
        let tag = try #require(answer[.etag])
        let unchanged = try await read(target, Self.accepts, "If-None-Match: \(tag)")
        #expect(unchanged.status == 304 && unchanged.body.isEmpty && unchanged[.etag] == tag)
        // The other forms have other entity tags, and other bytes.
        let archive = try await read(target, "If-None-Match: \(tag)")
        #expect(archive.status == 200 && archive[.contentType] == "application/x-plist")
        let archiveTag = try #require(archive[.etag])
        #expect(try await read(target, Self.accepts, "If-None-Match: \(archiveTag)").status == 200)
    }

    @Test(arguments: [
        (type, type), ("application/json, " + type, type), (type + ";q=0.5, application/json;q=0.4", type),
        (type + ";q=0.5, application/json", "application/json"), (type + ";q=0", "application/x-plist"),
        (type + ", application/x-plist", "application/x-plist"), ("application/*", "application/x-plist"),
        (type.uppercased(), type),
    ])
    func choosesTheFormByAccept(_ accept: String, _ type: String) async throws {
        try await upload()
        let answer = try await read("latest?idiom=phone&bundleVersion=42", "Accept: " + accept)
        #expect(answer.status == 200 && answer[.contentType] == type)
    }

    @Test func resolvesReferencesForTheDevice() async throws {
        let pad = try await fixture.join("pad", with: web)
        try await fixture.declare(by: web)
        try await upload()
        try await fixture.change(#"{"upserts": [{"identifier": "row-7", "aliases": ["sha:12"]}]}"#, by: pad)
        let target = "latest?idiom=pad&bundleVersion=42&systemVersion=17.4"
        let answer = try await read(target, Self.accepts, by: pad)
        let archive = try await read(target, by: pad)
        #expect(answer.text.contains(#""identifier":"row-7","aliases":["sha:12"],"step":"alias","confidence":0.997"#))
        for name in [FieldName.fidelity, .servedArchive, .servedDevice, .revision, .headRevision, .references] {
            #expect(answer[name] == archive[name] && answer[name] != nil, "\(name)")
        }
        // The stored archive has the web's own identifiers.
        #expect(try await read(ServerFixture.id(1), Self.accepts, by: pad).text.contains(#""identifier":"p12""#))
    }

    @Test func saysWhatAnAppsArchiveHasBeyondItsPlace() async throws {
        try await fixture.upload(1, by: web)
        let answer = try await read(ServerFixture.id(1), Self.accepts)
        #expect(answer.status == 200 && answer.text.hasSuffix(#""omitted":{"state":true}}"#))
    }

    @Test(arguments: targets)
    func refusesToServeAPlaceThatIsNotThere(_ target: String) async throws {
        let stored = try await fixture.upload(1, by: web, place: nil)
        let answer = try await read(target, Self.accepts)
        let isChosen = target.contains("?")
        #expect(answer.status == 406 && answer.code == (isChosen ? .nothingCompatible : .placeUnavailable))
        #expect(answer.text.contains(#""code":"no-place""#) == isChosen)
        #expect(answer[.headRevision] == stored[.headRevision])
        #expect(try await read(target).status == 200)
    }

    @Test func servesTheNewestPlaceBelowAnArchiveWithoutOne() async throws {
        try await upload()
        try await fixture.upload(2, by: web, place: nil)
        let target = "latest?idiom=phone&bundleVersion=42"
        let answer = try await read(target, Self.accepts)
        #expect(answer.status == 200 && answer[.servedArchive] == ServerFixture.id(1))
        #expect(answer[.fidelity] == "place" && answer[.superseded] != nil)
        let archive = try await read(target)
        #expect(archive[.servedArchive] == ServerFixture.id(2) && archive[.fidelity] == "full")
    }

    @Test func isHiddenFromOtherUsers() async throws {
        try await upload()
        let other = try await fixture.join()
        #expect(try await read(ServerFixture.id(1), Self.accepts, by: other).code == .archiveNotFound)
    }
}
