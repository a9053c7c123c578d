import PlacekeeperAPI
import PlacekeeperArchive
import PlacekeeperHTTP
import PlacekeeperJSON
import PlacekeeperMatching
import PlacekeeperService
import Testing

@testable import PlacekeeperServer

/// Tests of strings with many combining marks. The time that Swift needs to compare or hash a string is quadratic in
/// the length of the longest run of combining marks. Comparing or hashing `hostile` once takes six seconds.
@Suite(.timeLimit(.minutes(20)))
struct CombiningRunTests {
    /// A string of 300 KB of UTF-8.
    static let hostile = String(repeating: "\u{301}\u{323}", count: 75_000)

    /// A request whose body has the hostile string as one name or value.
    struct Place: Sendable, CustomTestStringConvertible {
        var method: PlacekeeperHTTP.Method
        var path: String
        /// The parts of the body before and after the hostile string.
        var before: String
        var after: String
        var testDescription: String { "\(method.token) \(path) \(before)…\(after)" }

        init(_ method: PlacekeeperHTTP.Method, _ path: String, _ before: String, _ after: String) {
            self.method = method
            self.path = path
            self.before = before
            self.after = after
        }
    }

    static let archive = "/v1/scenes/main/archives/\(ServerFixture.id(1))"
    static let places: [Place] = [
        Place(.post, "/v1/devices", #"{"app":""#, #"","idiom":"phone"}"#),
        Place(.post, "/v1/devices", #"{"app":"pk_1","idiom":""#, #""}"#),
        Place(.post, "/v1/devices", #"{"app":"pk_1","idiom":"phone","model":""#, #""}"#),
        Place(.post, "/v1/devices", #"{"app":"pk_1","idiom":"phone","name":""#, #""}"#),
        Place(.post, "/v1/devices", #"{"app":"pk_1","idiom":"phone","linkCode":""#, #""}"#),
        Place(.post, "/v1/devices", #"{""#, #"":1,"app":"pk_1","idiom":"phone"}"#),
        Place(.post, "/v1/devices", #"{"app":"pk_1","idiom":"phone","more":[{"deep":{""#, #"":null}}]}"#),
        Place(.post, "/v1/devices/self/link", #"{"code":""#, #""}"#),
        Place(.post, archive + "/head", #"{"id":""#, #""}"#),
        Place(.post, archive + "/outcomes", #"{"idiom":"phone","result":""#, #""}"#),
        Place(.post, archive + "/outcomes", #"{"result":"restored","idiom":""#, #""}"#),
        Place(.post, archive + "/outcomes", #"{"result":"restored","idiom":"phone","layout":""#, #""}"#),
        Place(.post, archive + "/outcomes", #"{"result":"restored","idiom":"phone","bundleVersion":""#, #""}"#),
        Place(.put, "/v1/data-sources/albums", #"{"scope":""#, #""}"#),
        Place(.patch, "/v1/data-sources/photos/items", #"{"upserts":[{"identifier":""#, #""}]}"#),
        Place(.patch, "/v1/data-sources/photos/items", #"{"upserts":[{"identifier":"1","aliases":[""#, #""]}]}"#),
        Place(.patch, "/v1/data-sources/photos/items", #"{"removals":[""#, #""]}"#),
        Place(.patch, "/v1/data-sources/photos/items", #"{"redirects":[{"from":"1","to":""#, #""}]}"#),
        Place(.post, "/v1/data-sources/photos/resolve", #"{"identifiers":[],"device":""#, #""}"#),
        Place(.post, "/v1/data-sources/photos/resolve", #"{"device":"1","identifiers":[""#, #""]}"#),
    ]

    @Test(arguments: places)
    func rejectsALongRunInABodyBeforeComparingIt(place: Place) async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        try await fixture.declare(by: owner)
        let answer = try await fixture.send(
            place.method, place.path, token: owner.token, body: Array((place.before + Self.hostile + place.after).utf8))
        #expect(answer.status == 422)
        #expect(answer.code == .invalidBody)
        // The offset is the position of the first combining mark beyond the limit.
        #expect(answer.problem?.offset == place.before.utf8.count + 512)
    }

    @Test(arguments: [
        #"{"identifier":"MARKS"}"#, #"{"identifier":"1","aliases":["MARKS"]}"#, #"{"identifier":"1","MARKS":1}"#,
    ])
    func rejectsALongRunInAnItemLine(line: String) async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        try await fixture.declare(by: owner)
        let parts = line.split(separator: "MARKS")
        let marks = String(repeating: "\u{301}\u{323}", count: 30_000)
        let text = "\(#"{"identifier":"0"}"#)\n\(parts[0])\(marks)\(parts[1])\n"
        let answer = try await fixture.change(text, by: owner, fields: [ServerFixture.lines])
        #expect(answer.code == .invalidBody, "\(answer.text.prefix(1000))")
        #expect(answer.problem?.details?["line"] == "2")
    }

    @Test(arguments: [
        "/v1/scenes/MARKS/archives/latest", "/v1/scenes/main/archives/latest?idiom=MARKS",
        "/v1/scenes/main/archives/latest?layout=MARKS", "/v1/scenes/main/archives/latest?bundleVersion=MARKS",
        "/v1/scenes/main/archives/latest?systemVersion=MARKS", "/v1/scenes/main/archives/latest?device=MARKS",
        "/v1/places?cursor=MARKS", "/v1/data-sources/MARKS", "/v1/data-sources/photos/items?cursor=MARKS",
    ])
    func rejectsALongRunInTheTarget(target: String) async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        try await fixture.declare(by: owner)
        let parts = target.split(separator: "MARKS", omittingEmptySubsequences: false)
        let marks = String(repeating: "%CC%81%CC%A3", count: 600)
        let answer = try await fixture.send(.get, parts[0] + marks + parts[1], token: owner.token)
        #expect(answer.status == 400)
        #expect(answer.code == (target.contains("?") ? .malformedQuery : .malformedPath))
        #expect(answer.text.contains("more than 256 combining marks in a row"), "\(answer.text)")
    }

    @Test func rejectsAnArchiveWithALongRun() async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        var builder = KeyedArchiveBuilder()
        builder.setTop(builder.add(1 as Int64), forKey: "Placekeeper.formatVersion")
        builder.setTop(builder.add(Self.hostile), forKey: "Placekeeper.layout")
        let answer = try await fixture.send(.put, Self.archive, token: owner.token, body: builder.finish())
        #expect(answer.status == 422)
        #expect(answer.code == .archiveUnreadable)
        #expect(answer.problem?.reason == "combining-run")
    }

    @Test func acceptsTextsInManyScripts() async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        try await fixture.declare(by: owner)
        let texts = [
            "Tie\u{302}\u{301}ng Vie\u{323}\u{302}t", "ที่นี่น้ำ", "क्षत्रिय र्क्ष्म्य", "בְּרֵאשִׁ֖ית", "👩‍👩‍👧‍👦🏳️‍🌈👍🏽🇩🇪",
            "Z" + String(repeating: "\u{334}\u{351}\u{35C}", count: 33) + "algo",
            String(repeating: "\u{301}\u{323}", count: 128),
            String(repeating: "e\u{301}\u{323}", count: 100),
        ]
        let delta = ["upserts": texts.map { ["identifier": $0] }]
        let answer = try await fixture.change(
            String(decoding: try JSONBody.encode(delta), as: UTF8.self), by: owner)
        #expect(try answer.json(Wire.RegistrationState.self).count == texts.count)
        let items = try await fixture.send(.get, "/v1/data-sources/photos/items", token: owner.token)
            .json(Wire.Page<Wire.Item>.self).items
        #expect(Set(items.map(\.identifier)) == Set(texts))
        // An unknown member may have a longer string than an item's identifier or alias.
        let long = String(repeating: String(repeating: "\u{301}\u{323}", count: 128) + "a", count: 100)
        let escapes =
            String(repeating: #"\u0301\u0323\n"#, count: 1000) + String(repeating: #"\ud83d\ude00"#, count: 300)
        let body = "{\"upserts\":[],\"\(long)\":\"\(long)\",\"more\":\"\(escapes)\"}"
        #expect(try await fixture.change(body, by: owner).status == 200)
    }

    @Test(arguments: [#"\uD834\uDD65"#, "\u{1D165}", "\u{E38}", "\u{3099}", #"\u0E38"#])
    func countsEscapedAndUnescapedMarksAlike(mark: String) throws {
        for (count, isTaken) in [(256, true), (257, false)] {
            let text = "\"" + String(repeating: "a", count: 600) + String(repeating: mark, count: count) + "\""
            let fault: JSONGrammar.Fault?
            do throws(JSONGrammar.Fault) {
                _ = try JSONDocument(Array(text.utf8), depth: 1)
                fault = nil
            } catch {
                fault = error
            }
            #expect((fault == nil) == isTaken)
            if let fault { #expect(fault.offset == 601 + 256 * mark.utf8.count) }
        }
    }
}
