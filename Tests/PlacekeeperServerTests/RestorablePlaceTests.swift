import PlacekeeperAPI
import PlacekeeperArchive
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperServer

/// Tests of the place as JSON.
@Suite struct RestorablePlaceTests {
    private static let json = "Accept: application/json"
    private static let main = "/v1/scenes/main/archives/"
    private static let pad = "latest?idiom=pad&layout=regular&bundleVersion=42&systemVersion=17.4"
    private static let restorable = ServerFixture.id(1) + "/restorable" + pad.dropFirst("latest".count)

    private static let archive = StateArchive(
        bundleVersion: "42", idiom: 0, systemVersion: "17.4", layout: .compact,
        references: [
            ModelReference(dataSource: "photos", element: .init("p12", aliases: ["sha:12"]), role: .selected),
            ModelReference(dataSource: "photos", element: .init("p13", aliases: ["sha:13"]), role: .firstVisible),
            ModelReference(dataSource: "tabs", element: .init(nil), role: .init(rawValue: "new"), indexPath: [0, 3]),
            ModelReference(dataSource: "unknown", element: .init("u1")),
        ],
        place: Place(
            [
                .init(screen: "albums", title: "Albums"),
                .init(
                    screen: "photo", references: [0, 1, 2, 3],
                    parameters: [
                        "zoom": .real(2.5), "data": .data([0, 255, 1]), "date": .date(0.0625), "nothing": .null,
                        "limits": .array([.integer(.min), .unsigned(.max), .real(-.infinity), .real(.nan)]),
                        "options": .dictionary(["isOn": .boolean(true), "photo": .reference(0)]), "text": .string("é"),
                    ], progress: 0.25),
            ], webAddress: "https://a.example/photos/12"))

    private let fixture: ServerFixture
    private let phone: Member
    private let reader: Member

    init() async throws {
        fixture = try await ServerFixture()
        phone = try await fixture.join()
        reader = try await fixture.join("pad", with: phone)
        try await fixture.declare(by: phone)
        try await fixture.declare("shared", named: "tabs", by: phone)
        let stored = try await upload(Self.archive, as: 1)
        #expect(stored.status == 201)
        try await fixture.change(
            #"{"upserts": [{"identifier": "row-7", "aliases": ["sha:12"]}]}"#, by: reader)
    }

    @discardableResult
    private func upload(_ archive: StateArchive, as number: Int) async throws -> Answer {
        try await fixture.send(
            .put, Self.main + ServerFixture.id(number), token: phone.token, body: try archive.encoded())
    }

    private func ask(_ target: String = pad, _ fields: String...) async throws -> Answer {
        try await fixture.send(.get, Self.main + target, token: reader.token, fields: fields)
    }

    private func place(_ target: String = pad) async throws -> Wire.RestorablePlace {
        try await ask(target, Self.json).json(Wire.RestorablePlace.self)
    }

    @Test(arguments: [pad, restorable])
    func servesPlaceAsJSON(_ target: String) async throws {
        let answer = try await ask(target, Self.json)
        #expect(answer.status == 200 && answer[.contentType] == "application/json")
        let place = try answer.json(Wire.RestorablePlace.self)
        #expect(place.archive.id == ServerFixture.id(1) && place.archive.device == phone.device)
        #expect(place.fidelity == .place && place.superseded == nil && place.omittedReferences == nil)
        #expect(place.webAddress == "https://a.example/photos/12")
        #expect(place.steps.map(\.screen) == ["albums", "photo"] && place.steps.map(\.title) == ["Albums", nil])
        #expect(place.steps.map(\.progress) == [nil, 0.25])
        let archive = try await ask(target)
        #expect(archive.status == 200 && archive[.contentType] == "application/x-plist")
        for name in [FieldName.fidelity, .servedArchive, .servedDevice, .revision, .headRevision, .references] {
            #expect(answer[name] == archive[name], "\(name)")
        }
    }

    @Test func encodesParametersAsDocumented() async throws {
        let parameters = try await place().steps[1].parameters
        #expect(parameters["zoom"] == .number(2.5) && parameters["text"] == .string("é"))
        #expect(parameters["data"] == .string("AP8B") && parameters["nothing"] == .null)
        #expect(parameters["date"] == .string("2001-01-01T00:00:00.063Z"))
        #expect(
            parameters["limits"]
                == .array([.integer(.min), .unsigned(.max), .string("-Infinity"), .string("NaN")]))
        guard case .object(let options) = parameters["options"], case .object(let photo) = options["photo"] else {
            Issue.record("no options")
            return
        }
        #expect(options["isOn"] == .boolean(true))
        #expect(photo["identifier"] == .string("row-7") && photo["step"] == .string("alias"))
    }

    @Test func resolvesReferencesForTheDevice() async throws {
        let references = try await place().steps[1].references
        #expect(references.map(\.dataSource) == ["photos", "photos", "tabs", "unknown"])
        #expect(references.map(\.identifier) == ["row-7", nil, nil, "u1"])
        #expect(references.map(\.step) == [.alias, .pending, .indexPath, nil])
        #expect(references.map(\.confidence) == [0.997, 0, 0.25, nil])
        #expect(references.map(\.aliases) == [["sha:12"], ["sha:13"], [], []])
        #expect(references.map(\.role) == [.selected, .firstVisible, .other, .other])
        #expect(references[2].indexPath == [0, 3])
        let text = try await ask(Self.pad, Self.json).text
        #expect(text.contains(#""identifier":null"#))
        let own = try await fixture.send(
            .get, Self.main + "latest?idiom=phone&bundleVersion=42&systemVersion=17.4", token: phone.token,
            fields: [Self.json]
        ).json(Wire.RestorablePlace.self)
        #expect(own.fidelity == .full && own.steps[1].references.first?.identifier == "p12")
    }

    @Test func namesNeighborOfPendingFirstVisibleElement() async throws {
        var archive = Self.archive
        archive.references[1].before = [.init("p12", aliases: ["sha:12"])]
        archive.place = Place([.init(screen: "photo", references: [1, 0], parameters: ["top": .reference(1)])])
        try await upload(archive, as: 2)
        let step = try await place().steps[0]
        #expect(step.references.map(\.identifier) == [nil, "row-7"])
        #expect(step.references.map(\.step) == [.pending, .alias])
        #expect(step.references.map(\.neighbor) == ["row-7", nil])
        guard case .object(let top) = step.parameters["top"] else {
            Issue.record("no object")
            return
        }
        #expect(top["neighbor"] == .string("row-7") && top["identifier"] == .null)
    }

    @Test(arguments: [pad, restorable])
    func keepsRepresentationsApart(_ target: String) async throws {
        for _ in 0..<2 {
            let (archive, place) = (try await ask(target), try await ask(target, Self.json))
            #expect(archive[.vary] == "Authorization, Accept")
            #expect(String(decoding: place.response.fields.bytes, as: UTF8.self).contains("Vary: Accept\r\n"))
            let tags = (try #require(archive[.etag]), try #require(place[.etag]))
            #expect(tags.0 != tags.1)
            #expect(try await ask(target, "If-None-Match: \(tags.0)").status == 304)
            let unchanged = try await ask(target, Self.json, "If-None-Match: \(tags.1)")
            #expect(unchanged.status == 304 && unchanged[.etag] == tags.1 && unchanged.body.isEmpty)
            #expect(try await ask(target, Self.json, "If-None-Match: \(tags.0)").status == 200)
            #expect(try await ask(target, "If-None-Match: \(tags.1)").body == archive.body)
            #expect(try await ask(target, "Accept: */*").body == archive.body)
        }
    }

    @Test func changesEntityTagWithResolvedReferences() async throws {
        let tag = try #require(try await ask(Self.pad, Self.json)[.etag])
        try await fixture.change(#"{"upserts": [{"identifier": "row-8", "aliases": ["sha:13"]}]}"#, by: reader)
        let changed = try await ask(Self.pad, Self.json, "If-None-Match: \(tag)")
        #expect(changed.status == 200 && changed[.etag] != tag)
        #expect(try await place().steps[1].references[1].identifier == "row-8")
    }

    @Test func tellsThatANewerArchiveExists() async throws {
        fixture.clock.advance(.seconds(90))
        var newer = Self.archive
        (newer.bundleVersion, newer.place) = ("43", nil)
        try await upload(newer, as: 2)
        let place = try await place()
        #expect(place.archive.id == ServerFixture.id(1))
        #expect(place.superseded == .init(head: place.archive.revision + 1, seconds: 90))
    }

    @Test func servesNoStepsOfAnArchiveWithoutPlace() async throws {
        var archive = Self.archive
        archive.place = nil
        try await upload(archive, as: 2)
        let answer = try await fixture.send(
            .get, Self.main + "latest?idiom=phone&bundleVersion=42", token: phone.token, fields: [Self.json])
        let place = try answer.json(Wire.RestorablePlace.self)
        #expect(place.archive.id == ServerFixture.id(2) && place.steps.isEmpty && place.webAddress == nil)
    }

    /// A step may refer to one large reference many times.
    @Test func limitsSizeOfReferences() async throws {
        var archive = Self.archive
        archive.references = [
            ModelReference(
                dataSource: "unknown", element: .init("u", aliases: [String(repeating: "a", count: 50_000)]))
        ]
        archive.place = Place(
            (0..<64).map { _ in .init(screen: "s", references: [Int](repeating: 0, count: 200)) })
        #expect(try await upload(archive, as: 2).status == 201)
        let answer = try await ask(Self.pad, Self.json)
        #expect(answer.status == 200 && answer.body.count < 2 << 20)
        let place = try answer.json(Wire.RestorablePlace.self)
        let listed = place.steps.reduce(0) { $0 + $1.references.count }
        #expect(listed == Limits.placeReferences / 50_135 && place.omittedReferences == 64 * 200 - listed)
    }

    @Test func refusesAsForTheArchive() async throws {
        var newer = Self.archive
        newer.stateVersion = 2
        try await upload(newer, as: 2)
        let refused = try await ask("\(ServerFixture.id(2))/restorable?idiom=pad&stateVersion=1", Self.json)
        #expect(refused.status == 406 && refused.code == .nothingCompatible)
        let head = try await fixture.send(.head, Self.main + Self.pad, token: reader.token, fields: [Self.json])
        #expect(head.status == 200 && head[.contentType] == "application/json")
    }

    /// The answer counts as a serving, so that the device may report an outcome.
    @Test func countsAsServed() async throws {
        let outcome = { [fixture, reader] in
            try await fixture.send(
                .post, Self.main + ServerFixture.id(1) + "/outcomes", token: reader.token,
                json: ["result": "began", "idiom": "pad"])
        }
        #expect(try await outcome().code == .outcomeNotServed)
        _ = try await place()
        #expect(try await outcome().status == 204)
    }
}
