import PlacekeeperAPI
import PlacekeeperHTTP
import PlacekeeperMatching
import PlacekeeperService
import Testing

@testable import PlacekeeperServer

/// Tests that a refused delta names the invalid member and changes nothing.
@Suite struct ItemRefusalTests {
    /// The registered items before each test: p1, p2 and p3. A redirect leads from p0 to p1.
    private static let before = """
        {"upserts": [{"identifier": "p1", "aliases": ["one"], "position": 1}, {"identifier": "p2"}, {"identifier": "p3"}],
         "redirects": [{"from": "p0", "to": "p1"}]}
        """

    struct Refusal: Sendable, CustomTestStringConvertible {
        var delta: String
        var code: ProblemCode
        var pointer: String?
        var testDescription: String { "\(code.rawValue) \(pointer ?? "") \(delta.prefix(60))" }

        init(_ delta: String, _ code: ProblemCode, _ pointer: String?) {
            self.delta = delta
            self.code = code
            self.pointer = pointer
        }
    }

    private func expect(_ refusal: Refusal) async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        try await fixture.declare(by: owner)
        #expect(try await fixture.change(Self.before, by: owner).status == 200)
        let before = try await fixture.registered(by: owner)
        #expect(before.items.count == 3)
        let answer = try await fixture.change(refusal.delta, by: owner)
        #expect(answer.code == refusal.code, "\(answer.text)")
        #expect(answer.problem?.pointer == refusal.pointer, "\(answer.text)")
        #expect(try await fixture.registered(by: owner) == before)
    }

    @Test(arguments: [
        Refusal(#"{"upserts": [{"identifier": ""}]}"#, .identifierInvalid, "/upserts/0/identifier"),
        Refusal(
            #"{"upserts": [{"identifier": "p4"}, {"identifier": "a\u0000b"}]}"#, .identifierInvalid,
            "/upserts/1/identifier"),
        Refusal(#"{"upserts": [{"identifier": "a\nb"}]}"#, .identifierInvalid, "/upserts/0/identifier"),
        Refusal(#"{"upserts": [{"identifier": "a\u007f"}]}"#, .identifierInvalid, "/upserts/0/identifier"),
        Refusal(#"{"upserts": [{"identifier": "a\u0085"}]}"#, .identifierInvalid, "/upserts/0/identifier"),
        Refusal(#"{"upserts": [{"identifier": "p4"}], "removals": ["p1", "\t"]}"#, .identifierInvalid, "/removals/1"),
        Refusal(#"{"redirects": [{"from": "", "to": "p1"}]}"#, .identifierInvalid, "/redirects/0/from"),
        Refusal(#"{"redirects": [{"from": "p2", "to": ""}]}"#, .identifierInvalid, "/redirects/0/to"),
        Refusal(#"{"upserts": [{"identifier": "p1", "aliases": ["a", ""]}]}"#, .aliasInvalid, "/upserts/0/aliases/1"),
        Refusal(
            #"{"upserts": [{"identifier": "p1", "aliases": ["\u001b[0m"]}]}"#, .aliasInvalid, "/upserts/0/aliases/0"),
    ])
    func rejectsEmptyTextsAndControlCharacters(_ refusal: Refusal) async throws { try await expect(refusal) }

    /// The limit of 512 is a number of bytes, not of characters.
    @Test(arguments: ["x", "é", "\u{1F5BC}"])
    func rejectsTextsOfMoreThan512Bytes(_ character: String) async throws {
        let width = character.utf8.count
        let longest = String(repeating: character, count: 512 / width)
        let item = Wire.Item(identifier: longest, aliases: [longest], position: nil)
        let (fixture, owner) = try await ServerFixture().withDevice()
        try await fixture.declare(by: owner)
        let taken = try await fixture.change(#"{"upserts": [\#(try JSONText.text(item))]}"#, by: owner)
        #expect(taken.status == 200, "\(taken.text)")

        let long = longest + "x"
        let identifier = try JSONText.text(Wire.Item(identifier: long, aliases: nil, position: nil))
        let alias = try JSONText.text(Wire.Item(identifier: "p1", aliases: [long], position: nil))
        try await expect(Refusal("{\"upserts\": [\(identifier)]}", .identifierInvalid, "/upserts/0/identifier"))
        try await expect(Refusal("{\"upserts\": [\(alias)]}", .aliasInvalid, "/upserts/0/aliases/0"))
        try await expect(Refusal("{\"removals\": [\"\(long)\"]}", .identifierInvalid, "/removals/0"))
    }

    @Test func rejectsMoreThan32Aliases() async throws {
        let aliases = (1...33).map { "a\($0)" }
        for (count, refused) in [(32, false), (33, true)] {
            let item = Wire.Item(identifier: "p1", aliases: Array(aliases.prefix(count)), position: nil)
            let delta = "{\"upserts\": [\(try JSONText.text(item))]}"
            if refused {
                try await expect(Refusal(delta, .tooManyAliases, "/upserts/0/aliases"))
            } else {
                let (fixture, owner) = try await ServerFixture().withDevice()
                try await fixture.declare(by: owner)
                #expect(try await fixture.change(delta, by: owner).status == 200)
            }
        }
    }

    @Test(arguments: [
        Refusal(#"{"upserts": [{"identifier": "p1"}], "removals": ["p1"]}"#, .itemContradicted, "/removals/0"),
        Refusal(
            #"{"upserts": [{"identifier": "p4"}, {"identifier": "p4"}]}"#, .itemContradicted, "/upserts/1/identifier"),
        Refusal(#"{"removals": ["p2", "p1", "p1"]}"#, .itemContradicted, "/removals/2"),
        Refusal(
            #"{"removals": ["p2"], "redirects": [{"from": "p2", "to": "p1"}]}"#, .itemContradicted, "/redirects/0/from"),
        Refusal(
            #"{"upserts": [{"identifier": "p2"}], "redirects": [{"from": "p2", "to": "p1"}]}"#, .itemContradicted,
            "/redirects/0/from"),
    ])
    func refusesAnItemThatIsNamedTwice(_ refusal: Refusal) async throws { try await expect(refusal) }

    @Test(arguments: [
        Refusal(#"{"redirects": [{"from": "p2", "to": "p2"}]}"#, .redirectLoops, "/redirects/0"),
        Refusal(
            #"{"redirects": [{"from": "p2", "to": "p3"}, {"from": "p3", "to": "p2"}]}"#, .redirectLoops, "/redirects/0"),
        // A redirect already leads from p0 to p1, so this redirect makes a loop.
        Refusal(#"{"redirects": [{"from": "p1", "to": "p0"}]}"#, .redirectLoops, "/redirects/0"),
        Refusal(
            #"{"redirects": [{"from": "p2", "to": "p3"}, {"from": "p1", "to": "p0"}]}"#, .redirectLoops, "/redirects/1"),
        // The composed and the decomposed form of a string are two identifiers.
        Refusal(
            #"{"upserts": [{"identifier": "caf\u00e9"}], "redirects": [{"from": "p2", "to": "cafe\u0301"}]}"#,
            .redirectTargetUnknown, "/redirects/0/to"),
        Refusal(#"{"redirects": [{"from": "p2", "to": "p9"}]}"#, .redirectTargetUnknown, "/redirects/0/to"),
        Refusal(
            #"{"removals": ["p3"], "redirects": [{"from": "p2", "to": "p3"}]}"#, .redirectTargetUnknown,
            "/redirects/0/to"),
        Refusal(
            #"{"redirects": [{"from": "p3", "to": "p2"}, {"from": "p2", "to": "p9"}]}"#, .redirectTargetUnknown,
            "/redirects/0/to"),
    ])
    func rejectsRedirectsWithoutARegisteredTarget(_ refusal: Refusal) async throws { try await expect(refusal) }

    @Test func rejectsMoreThan32RedirectsInAChain() async throws {
        let chain = (1...33).map { #"{"from": "q\#($0)", "to": "\#($0 == 33 ? "p1" : "q\($0 + 1)")"}"# }
        let refused = "{\"redirects\": [\(chain.joined(separator: ","))]}"
        try await expect(Refusal(refused, .redirectLoops, "/redirects/0"))
    }

    @Test(arguments: ["1.5", "\"1\"", "true", "9223372036854775808", "1e400", "[]", "{}", "-9223372036854775809"])
    func rejectsPositionsThatAreNotIntegers(_ position: String) async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        try await fixture.declare(by: owner)
        let answer = try await fixture.change(
            "{\"upserts\": [{\"identifier\": \"p1\", \"position\": \(position)}]}", by: owner)
        #expect(answer.code == .invalidBody, "\(answer.text)")
        #expect(answer.problem?.pointer == "/upserts/0/position", "\(answer.text)")
        #expect(try await fixture.registration(of: owner)?.cursor == 0)
    }

    @Test(arguments: ["1.5", "9223372036854775808", "1e400"])
    func saysThatAMemberMustBeAnInteger(_ number: String) async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        try await fixture.declare(by: owner)
        for delta in ["{\"upserts\": [{\"identifier\": \"p1\", \"position\": \(number)}]}", "{\"after\": \(number)}"] {
            let answer = try await fixture.change(delta, by: owner)
            #expect(answer.problem?.detail == "The member must be a 64-bit integer.", "\(delta)")
        }
    }

    /// A body with only unknown members must not be treated as an applied delta.
    @Test(arguments: [
        "{}", #"{"upsert": [{"identifier": "p4"}]}"#, #"{"identifier": "p4", "aliases": ["four"]}"#,
    ])
    func rejectsADeltaWithoutAnyOfItsMembers(_ delta: String) async throws {
        try await expect(Refusal(delta, .invalidBody, ""))
    }

    @Test(arguments: [#"{"upserts": []}"#, #"{"removals": []}"#, #"{"redirects": []}"#, #"{"after": 1}"#])
    func acceptsAnEmptyDelta(_ delta: String) async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        try await fixture.declare(by: owner)
        #expect(try await fixture.change(Self.before, by: owner).status == 200)
        #expect(try await fixture.change(delta, by: owner).status == 200)
        #expect(try await fixture.registration(of: owner)?.cursor == 1)
    }

    @Test(arguments: [
        (#"{"upserts": {}}"#, "/upserts"), (#"{"upserts": [1]}"#, "/upserts/0"),
        (#"{"upserts": [{}]}"#, "/upserts/0/identifier"),
        (#"{"upserts": [{"identifier": 1}]}"#, "/upserts/0/identifier"),
        (#"{"upserts": [{"identifier": "p1", "aliases": "a"}]}"#, "/upserts/0/aliases"),
        (#"{"upserts": [{"identifier": "p1", "aliases": [1]}]}"#, "/upserts/0/aliases/0"),
        (#"{"removals": [null]}"#, "/removals/0"), (#"{"redirects": [{"from": "p1"}]}"#, "/redirects/0/to"),
        (#"{"after": "1"}"#, "/after"), (#"{"after": 0.5}"#, "/after"), ("[]", ""),
    ])
    func pointsToTheInvalidMemberOfADelta(_ delta: String, _ pointer: String) async throws {
        try await expect(Refusal(delta, .invalidBody, pointer))
    }

    @Test func rejectsADeltaOfMoreThan10000Items() async throws {
        let (fixture, owner) = try await ServerFixture(itemLimit: 20_000).withDevice()
        try await fixture.declare(by: owner)
        let upserts = (0..<5000).map { "{\"identifier\": \"p\($0)\"}" }.joined(separator: ",")
        for (removals, status) in [(5000, 200), (5001, 422)] {
            let names = (0..<removals).map { "\"q\($0)\"" }.joined(separator: ",")
            let answer = try await fixture.change("{\"upserts\": [\(upserts)], \"removals\": [\(names)]}", by: owner)
            #expect(answer.status == status)
            #expect(answer.code == (status == 422 ? .deltaTooLarge : nil))
            #expect(try await fixture.registration(of: owner)?.count == 5000)
        }
    }

    @Test func rejectsADeltaWithMoreThan64000Aliases() async throws {
        let (fixture, owner) = try await ServerFixture(itemLimit: 20_000).withDevice()
        try await fixture.declare(by: owner)
        for (extra, status) in [(0, 200), (1, 422)] {
            let items = (0...2000).map { number in
                let aliases = (0..<(number < 2000 ? 32 : extra)).map { "\"a\(number).\($0)\"" }
                return "{\"identifier\": \"p\(number)\", \"aliases\": [\(aliases.joined(separator: ","))]}"
            }
            let answer = try await fixture.change("{\"upserts\": [\(items.joined(separator: ","))]}", by: owner)
            #expect(answer.status == status)
            #expect(answer.code == (status == 422 ? .deltaTooLarge : nil))
            #expect(answer.problem?.pointer == (status == 422 ? "/upserts/2000/aliases" : nil))
            #expect(answer.problem?.detail.contains("64000 aliases") == (status == 422 ? true : nil))
            #expect(try await fixture.registration(of: owner)?.cursor == 1)
        }
    }

    @Test func rejectsADeltaThatRemovesMoreThan64000Aliases() async throws {
        let (fixture, owner) = try await ServerFixture(itemLimit: 20_000).withDevice()
        try await fixture.declare(by: owner)
        let items = (0...2000).map { number in
            let aliases = (0..<32).map { "\"a\(number).\($0)\"" }
            return "{\"identifier\": \"p\(number)\", \"aliases\": [\(aliases.joined(separator: ","))]}"
        }
        try await fixture.change(items.joined(separator: "\n"), by: owner, fields: [ServerFixture.lines])
        for (count, status) in [(2001, 422), (2000, 200)] {
            let removals = (0..<count).map { "\"p\($0)\"" }.joined(separator: ",")
            let answer = try await fixture.change("{\"removals\": [\(removals)]}", by: owner)
            #expect(answer.status == status)
            #expect(answer.code == (status == 422 ? .deltaTooLarge : nil))
            #expect(answer.problem?.detail.contains("64000 aliases") == (status == 422 ? true : nil))
        }
        #expect(try await fixture.registration(of: owner)?.count == 1)
    }

    @Test func rejectsAnEmptyDeltaAfterAnotherCursor() async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        try await fixture.declare(by: owner)
        try await fixture.change(#"{"upserts": [{"identifier": "p1"}], "after": 0}"#, by: owner)
        for (after, status) in [(0, 409), (1, 200), (2, 409)] {
            #expect(try await fixture.change("{\"after\": \(after)}", by: owner).status == status)
        }
    }

    /// A device that is out of sync must first repair its registered items, because the redirect's target may be one of
    /// the missing items.
    @Test(arguments: [#"{"from": "p2", "to": "p9"}"#, #"{"from": "p1", "to": "p0"}"#])
    func reportsAStaleCursorBeforeAnInvalidRedirect(_ redirect: String) async throws {
        let delta = "{\"redirects\": [\(redirect)], \"after\": 7}"
        try await expect(Refusal(delta, .cursorStale, nil))
    }

    @Test func rejectsMoreItemsThanADeviceMayHave() async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        try await fixture.declare(by: owner)
        func add(_ range: Range<Int>, removing removals: String = "") async throws -> Answer {
            let upserts = range.map { "{\"identifier\": \"p\($0)\"}" }.joined(separator: ",")
            return try await fixture.change("{\"upserts\": [\(upserts)], \"removals\": [\(removals)]}", by: owner)
        }
        #expect(try await add(0..<ServerFixture.itemLimit).status == 200)
        let full = try await fixture.registered(by: owner)
        #expect(try await add(100..<101).code == .tooManyItems)
        #expect(try await fixture.registered(by: owner) == full)
        // At the limit, an item may be replaced, and an item may be added if another item is removed.
        #expect(try await add(0..<1).status == 200)
        #expect(try await add(100..<101, removing: "\"p0\"").status == 200)
        #expect(try await fixture.registration(of: owner)?.count == ServerFixture.itemLimit)
    }
}
