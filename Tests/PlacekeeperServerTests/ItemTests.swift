import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperMatching
import PlacekeeperService
import Testing

@testable import PlacekeeperServer

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct ItemTests {
    private static let items = "/v1/data-sources/photos/items"

    /// Registers a device and declares `photos`.
    private func owner(of fixture: ServerFixture) async throws -> Member {
        let owner = try await fixture.join()
        #expect(try await fixture.declare(by: owner).status == 201)
        return owner
    }

    @Test func rejectsADifferentDeclarationWithTheExistingOne() async throws {
        let fixture = try await ServerFixture()
        let first = try await owner(of: fixture)
        let stranger = try await fixture.join()
        let known = try await fixture.declare(by: stranger)
        #expect(known.status == 200, "a data source is the app's, not a user's")
        let text =
            #"{"allowsRedirects":false,"name":"photos","scope":"registered","selectsNeighbors":false,"uniqueAliases":[]}"#
        #expect(known.text == text)
        for scope in ["shared", "keyed"] {
            let differs = try await fixture.declare(scope, by: stranger)
            #expect(differs.code == .dataSourceDiffers)
            #expect(
                differs.problem?.detail == "The data source is already declared with other values. "
                    + "An operator can change it: placekeeper app data-sources APP --declare NAME=SCOPE.")
            #expect(
                differs.problem?.details == [
                    "scope": "registered", "selectsNeighbors": "false", "uniqueAliases": "",
                    "allowsRedirects": "false",
                ])
        }
        for (member, value) in [
            ("selectsNeighbors", "true"), ("uniqueAliases", #"["isbn"]"#), ("allowsRedirects", "true"),
        ] {
            let body = Array(#"{"scope": "registered", "\#(member)": \#(value)}"#.utf8)
            let other = try await fixture.send(.put, "/v1/data-sources/photos", token: first.token, body: body)
            #expect(other.code == .dataSourceDiffers, "\(member)")
        }
        #expect(try await fixture.registration(of: first)?.count == 0, "it is still registered")
    }

    @Test func keepsTheKindsOfUniqueAliasesInOrderWithoutDuplicates() async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        let text =
            #"{"allowsRedirects":false,"name":"photos","scope":"registered","selectsNeighbors":false,"#
            + #""uniqueAliases":["isbn","server"]}"#
        for (kinds, status) in [(#"["server", "isbn", "server"]"#, 201), (#"["isbn", "server"]"#, 200)] {
            let answer = try await fixture.declare(uniqueAliases: kinds, by: owner)
            #expect(answer.status == status)
            #expect(answer.text == text)
        }
        let listed = try await fixture.send(.get, "/v1/data-sources", token: owner.token)
        #expect(listed.text == #"{"items":[\#(text)]}"#)
        let differs = try await fixture.declare(by: owner)
        #expect(differs.code == .dataSourceDiffers)
        #expect(differs.problem?.details?["uniqueAliases"] == "isbn,server")
    }

    @Test(arguments: [
        #"[""]"#, #"["isbn", "server:"]"#, #"["a\u0000b"]"#, #"["a,b"]"#, #"["\u0085"]"#, Self.kinds(1, bytes: 65),
        Self.kinds(17, bytes: 2),
    ])
    func rejectsInvalidKindsOfUniqueAliases(_ kinds: String) async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        let refused = try await fixture.declare(uniqueAliases: kinds, by: owner)
        #expect(refused.status == 422 && refused.code == .invalidBody, "\(refused.text)")
        #expect(refused.problem?.pointer == "/uniqueAliases")
        #expect(
            refused.problem?.detail == "A data source has at most 16 kinds of unique aliases. "
                + "A kind has 1 to 64 bytes, no colon, no comma and no control characters.")
        let listed = try await fixture.send(.get, "/v1/data-sources", token: owner.token)
        #expect(listed.text == #"{"items":[]}"#)
    }

    /// In 0.1.0, the member was a truth value.
    @Test(arguments: [
        ("true", ""), ("false", ""), (#""isbn""#, ""), ("{}", ""), ("1", ""), (#"["isbn", 1]"#, "/1"), ("[true]", "/0"),
    ])
    func rejectsUniqueAliasesOfAnotherType(_ kinds: String, _ place: String) async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        let refused = try await fixture.declare(uniqueAliases: kinds, by: owner)
        #expect(refused.status == 422 && refused.code == .invalidBody, "\(refused.text)")
        #expect(refused.problem?.pointer == "/uniqueAliases" + place, "\(refused.text)")
        let listed = try await fixture.send(.get, "/v1/data-sources", token: owner.token)
        #expect(listed.text == #"{"items":[]}"#)
    }

    @Test func acceptsTheLongestAndTheMostKindsOfUniqueAliases() async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        let answer = try await fixture.declare(uniqueAliases: Self.kinds(16, bytes: 64), by: owner)
        #expect(answer.status == 201, "\(answer.text)")
        #expect(try answer.json(Wire.DataSource.self).uniqueAliases.count == 16)
    }

    /// Returns a JSON array of different kinds.
    private static func kinds(_ count: Int, bytes: Int) -> String {
        let kinds = (0..<count).map { "\"" + String(repeating: "x", count: bytes - 1) + String($0, radix: 36) + "\"" }
        return "[" + kinds.joined(separator: ",") + "]"
    }

    @Test(arguments: ["a%20b", "..%2F", String(repeating: "x", count: 65), "%C3%A9"])
    func rejectsInvalidNames(_ name: String) async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        #expect(try await fixture.declare(named: name, by: owner).code == .dataSourceNameInvalid)
        #expect(try await fixture.change(#"{"upserts": []}"#, of: name, by: owner).code == .dataSourceNameInvalid)
        #expect(try await fixture.resolve([], of: owner.device, in: name, by: owner).code == .dataSourceNameInvalid)
        for target in ["/v1/data-sources/\(name)", "/v1/data-sources/\(name)/items"] {
            #expect(try await fixture.send(.get, target, token: owner.token).code == .dataSourceNameInvalid)
        }
    }

    @Test func rejectsRequestsForUndeclaredDataSources() async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        let answers = [
            try await fixture.change("{\"upserts\": [{\"identifier\": \"p1\"}]}", by: owner),
            try await fixture.send(.get, Self.items, token: owner.token),
            try await fixture.send(.get, "/v1/data-sources/photos", token: owner.token),
            try await fixture.resolve(["p1"], of: owner.device, by: owner),
        ]
        for answer in answers {
            #expect(answer.code == .dataSourceUnknown, "\(answer.text)")
            #expect(
                answer.problem?.detail
                    == "This app has not declared this data source. Declare it with PUT /v1/data-sources/NAME.")
        }
    }

    @Test(arguments: ["shared", "keyed"])
    func rejectsItemsOfSharedAndKeyedDataSources(_ scope: String) async throws {
        let (fixture, owner, other) = try await ServerFixture().withDevices()
        try await fixture.declare(scope, by: owner)
        let refused = try await fixture.change(#"{"upserts": []}"#, by: owner)
        #expect(refused.code == .itemsNotRegistered)
        #expect(
            refused.problem?.detail == "The data source is declared as \(scope). "
                + "Items need a data source declared as registered"
                + (scope == "shared" ? ", or as shared with redirects. " : ". ")
                + "An operator can change it: placekeeper app data-sources APP --declare photos=registered.")
        #expect(refused.problem?.details == nil)
        #expect(try await fixture.change("", by: owner, fields: [ServerFixture.lines]).code == .itemsNotRegistered)
        #expect(try await fixture.send(.get, Self.items, token: owner.token).code == .itemsNotRegistered)
        #expect(try await fixture.registration(of: owner) == nil)
        let resolved = try await fixture.resolve(["p1"], of: owner.device, by: other).json(Wire.Resolutions.self)
        #expect(resolved.results.map(\.identifier) == ["p1"])
        #expect(resolved.results.map(\.step) == [.exact])
    }

    @Test func replacesAllMembersOfAnItem() async throws {
        let fixture = try await ServerFixture()
        let owner = try await owner(of: fixture)
        try await fixture.change(
            #"{"upserts": [{"identifier": "p1", "aliases": ["a", "b"], "position": 1}, {"identifier": "p2"}]}"#,
            by: owner)
        try await fixture.change(
            #"{"upserts": [{"identifier": "p1", "aliases": ["c"]}], "removals": ["p2", "none"]}"#, by: owner)
        let registered = try await fixture.registered(by: owner)
        #expect(registered.items == [Wire.Item(identifier: "p1", aliases: ["c"], position: nil)])
        #expect(registered.state?.cursor == 2)
        #expect(registered.state?.count == 1)
    }

    @Test func comparesTheCursorOfADelta() async throws {
        let fixture = try await ServerFixture()
        let owner = try await owner(of: fixture)
        let first = #"{"upserts": [{"identifier": "p1"}], "after": 0}"#
        let done = try await fixture.change(first, by: owner)
        let state = try done.json(Wire.RegistrationState.self)
        #expect(state.cursor == 1)
        // A client that lost the response repeats the delta. The delta is accepted, because it led to the current
        // cursor.
        #expect(try await fixture.change(first, by: owner).text == done.text)
        for stale in [0, 2, -1, Int64.max, .min] {
            let refused = try await fixture.change(#"{"removals": ["p1"], "after": \#(stale)}"#, by: owner)
            #expect(refused.code == .cursorStale)
            #expect(refused.problem?.details == ["cursor": "1", "digest": state.digest])
            // The device's cursor is behind or ahead of the current cursor.
            let begin = stale < 1 ? "The registered items changed after" : "The cursor is higher than the service"
            #expect(refused.problem?.detail.hasPrefix(begin) == true, "\(stale): \(refused.text)")
        }
        #expect(try await fixture.registered(by: owner).items.count == 1)
        let next = try await fixture.change(#"{"removals": ["p1"], "after": 1}"#, by: owner)
        #expect(try next.json(Wire.RegistrationState.self).cursor == 2)
        #expect(try await fixture.change(first, by: owner).code == .cursorStale, "it would bring back what was removed")
    }

    @Test func computesTheDigestOfTheItems() async throws {
        let fixture = try await ServerFixture()
        let owner = try await owner(of: fixture)
        let empty = try await fixture.registration(of: owner)
        #expect(empty?.digest == String(repeating: "0", count: 32))
        // The digest was computed with: printf 'p1\0a\0b\0-7\0' | sha256sum
        try await fixture.change(
            #"{"upserts": [{"identifier": "p1", "aliases": ["b", "a"], "position": -7}]}"#, by: owner)
        #expect(try await fixture.registration(of: owner)?.digest == "311d28b1b5d2ffd2f980251a988b0c4a")
        // The digest of both items is the exclusive or of this digest and of: printf 'p2\0\0' | sha256sum
        try await fixture.change(#"{"upserts": [{"identifier": "p2"}]}"#, by: owner)
        #expect(try await fixture.registration(of: owner)?.digest == "0d7506e75e2b9d88817d9f7ab1845210")
        try await fixture.change(#"{"removals": ["p1", "p2"]}"#, by: owner)
        #expect(try await fixture.registration(of: owner)?.digest == empty?.digest)
    }

    /// The composed and the decomposed form of a text are two identifiers.
    @Test func keepsItemsApartByTheBytesOfTheirIdentifiers() async throws {
        let fixture = try await ServerFixture()
        let owner = try await owner(of: fixture)
        let delta = #"{"upserts": [{"identifier": "caf\u00e9"}, {"identifier": "cafe\u0301"}]}"#
        #expect(try await fixture.change(delta, by: owner).json(Wire.RegistrationState.self).count == 2)
        let page = try await fixture.send(.get, "/v1/data-sources/photos/items", token: owner.token)
        let told = try page.json(Wire.Page<Wire.Item>.self).items.map { Array($0.identifier.utf8).count }
        #expect(told.sorted() == [5, 6])
        let rest = try await fixture.change(#"{"removals": ["caf\u00e9"]}"#, by: owner)
        #expect(try rest.json(Wire.RegistrationState.self).count == 1)
        #expect(try await fixture.registered(by: owner).items.map { Array($0.identifier.utf8).count } == [6])
    }

    /// The composed and the decomposed form of a text are one alias. The service returns the last spelling.
    @Test func keepsTheLastSpellingOfAnAlias() async throws {
        let fixture = try await ServerFixture()
        let owner = try await owner(of: fixture)
        let spellings = [#"caf\u00e9"#, #"cafe\u0301"#]
        var digests: [String] = []
        for (count, spelling) in (spellings + spellings).enumerated() {
            let answer = try await fixture.change(
                #"{"upserts": [{"identifier": "p1", "aliases": ["\#(spelling)", "a", "a"]}]}"#, by: owner)
            let state = try answer.json(Wire.RegistrationState.self)
            #expect(state.count == 1)
            #expect(state.cursor == Int64(count + 1))
            digests.append(state.digest)
            let told = try #require(try await fixture.registered(by: owner).items.first)
            #expect(told.aliases?.map { Array($0.utf8).count } == [count.isMultiple(of: 2) ? 5 : 6, 1, 1])
        }
        #expect(digests[0] != digests[1])
        #expect(Array(digests[..<2]) == Array(digests[2...]))
        let gone = try await fixture.change(#"{"removals": ["p1"]}"#, by: owner)
        #expect(try gone.json(Wire.RegistrationState.self).digest == String(repeating: "0", count: 32))
    }

    @Test func acceptsCompressedDeltasAndLines() async throws {
        let fixture = try await ServerFixture()
        let owner = try await owner(of: fixture)
        let items = (0..<40).map { "{\"identifier\": \"p\($0)\"}" }
        let delta = try #require(SystemGzip().deflate(Array("{\"upserts\": [\(items.joined(separator: ","))]}".utf8)))
        let more = items.map { $0.replacing("p", with: "q") }.joined(separator: "\n")
        let lines = try #require(SystemGzip().deflate(Array(more.utf8)))
        for (body, fields, count) in [(delta, [], 40), (lines, [ServerFixture.lines], 80)] {
            let answer = try await fixture.send(
                .patch, Self.items, token: owner.token, fields: fields + ["Content-Encoding: gzip"], body: body)
            #expect(try answer.json(Wire.RegistrationState.self).count == count)
        }
        let bomb = try #require(SystemGzip().deflate([UInt8](repeating: 0x20, count: Limits.itemsBody + 1)))
        let refused = try await fixture.send(
            .patch, Self.items, token: owner.token, fields: ["Content-Encoding: gzip"], body: bomb)
        #expect(refused.code == .contentTooLarge)
    }

    @Test func listsItemsInPages() async throws {
        let fixture = try await ServerFixture()
        let owner = try await owner(of: fixture)
        let upserts = (0..<7).map { #"{"identifier": "p\#($0)", "aliases": ["a\#($0)"], "position": \#($0)}"# }
        try await fixture.change("{\"upserts\": [\(upserts.joined(separator: ","))]}", by: owner)
        var found: [Wire.Item] = []
        var sizes: [Int] = []
        var target: String? = Self.items + "?limit=3"
        while let next = target {
            let answer = try await fixture.send(.get, next, token: owner.token)
            let page = try answer.json(Wire.Page<Wire.Item>.self)
            found += page.items
            sizes.append(page.items.count)
            #expect((answer[.link] == nil) == (page.next == nil))
            target = page.next.map { Self.items + "?limit=3&cursor=\($0)" }
        }
        #expect(sizes == [3, 3, 1])
        #expect(Set(found.map(\.identifier)) == Set((0..<7).map { "p\($0)" }))
        for query in ["limit=0", "limit=1001", "limit=x", "cursor=-1", "cursor=xyz", "cursor=11111111111111111"] {
            #expect(try await fixture.send(.get, Self.items + "?" + query, token: owner.token).code == .malformedQuery)
        }
    }
}
