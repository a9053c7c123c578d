import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperMatching
import PlacekeeperService
import Testing

@testable import PlacekeeperServer

/// Tests of items as JSON lines.
@Suite struct ItemLinesTests {
    private func fixture(itemLimit: Int = ServerFixture.itemLimit) async throws -> (ServerFixture, Member) {
        let (fixture, owner) = try await ServerFixture(itemLimit: itemLimit).withDevice()
        try await fixture.declare(by: owner)
        return (fixture, owner)
    }

    private func line(_ number: Int) -> String { #"{"identifier": "p\#(number)", "aliases": ["a\#(number)"]}"# }

    @Test(arguments: ["\n", "\r\n", "\n\n \t\n"])
    func readsAnItemFromEachLine(_ end: String) async throws {
        let (fixture, owner) = try await fixture()
        for last in ["", end] {
            let text = (0..<3).map(line).joined(separator: end) + last
            let answer = try await fixture.change(text, by: owner, fields: [ServerFixture.lines])
            #expect(try answer.json(Wire.RegistrationState.self).count == 3, "\(answer.text)")
            #expect(try answer.json(Wire.RegistrationState.self).cursor == 1, "the same again changes nothing")
        }
    }

    @Test(arguments: ["application/x-ndjson", "Application/X-NDJSON; charset=utf-8"])
    func readsLinesIfTheContentTypeSaysSo(_ type: String) async throws {
        let (fixture, owner) = try await fixture()
        #expect(try await fixture.change(line(1), by: owner, fields: ["Content-Type: \(type)"]).status == 200)
        #expect(try await fixture.registration(of: owner)?.count == 1)
    }

    @Test func acceptsABodyWithoutItems() async throws {
        let (fixture, owner) = try await fixture()
        for text in ["", "\n", " \n\r\n"] {
            let answer = try await fixture.change(text, by: owner, fields: [ServerFixture.lines])
            #expect(try answer.json(Wire.RegistrationState.self).cursor == 0)
        }
    }

    @Test(arguments: [
        ("{", ProblemCode.malformedJSON, nil), (#"{"identifier": "p3"} {"identifier": "p4"}"#, .malformedJSON, nil),
        (#"{"identifier": "p3"},"#, .malformedJSON, nil), ("\u{FEFF}{}", .malformedJSON, nil),
        ("[]", .invalidBody, ""), ("{}", .invalidBody, "/identifier"),
        (#"{"identifier": null}"#, .invalidBody, "/identifier"),
        (#"{"identifier": "p3", "aliases": ["a", 1]}"#, .invalidBody, "/aliases/1"),
        (#"{"identifier": "p3", "position": 1.5}"#, .invalidBody, "/position"),
        (#"{"identifier": ""}"#, .identifierInvalid, "/identifier"),
        (#"{"identifier": "p3", "aliases": ["a", "\n"]}"#, .aliasInvalid, "/aliases/1"),
        // The first line has the same item, so this line contradicts the first line.
        (#"{"identifier": "p1"}"#, .itemContradicted, "/identifier"),
    ])
    func namesTheInvalidLineAndKeepsNoItemOfItsDelta(_ wrong: String, _ code: ProblemCode, _ pointer: String?)
        async throws
    {
        let (fixture, owner) = try await fixture()
        let text = "\(line(1))\n\n\(line(2))\n\(wrong)\n\(line(5))\n"
        let answer = try await fixture.change(text, by: owner, fields: [ServerFixture.lines])
        #expect(answer.code == code, "\(answer.text)")
        #expect(answer.problem?.pointer == pointer, "\(answer.text)")
        #expect(answer.problem?.details == ["line": "4", "firstLine": "1"])
        #expect(try await fixture.registration(of: owner)?.cursor == 0)
    }

    @Test func keepsTheDeltasBeforeAnInvalidLine() async throws {
        let (fixture, owner) = try await fixture(itemLimit: 30_000)
        let sound = (0..<Limits.deltaItems).map(line)
        let text = (sound + [line(20_000), "{}"]).joined(separator: "\n")
        let answer = try await fixture.change(text, by: owner, fields: [ServerFixture.lines])
        #expect(answer.code == .invalidBody)
        #expect(answer.problem?.details == ["line": "10002", "firstLine": "10001"])
        #expect(try await fixture.registration(of: owner)?.count == Limits.deltaItems)
        #expect(try await fixture.registration(of: owner)?.cursor == 1)
        // The client repairs the line and sends all lines again.
        let repaired = (sound + [line(20_000), line(20_001)]).joined(separator: "\n")
        let done = try await fixture.change(repaired, by: owner, fields: [ServerFixture.lines])
        #expect(try done.json(Wire.RegistrationState.self).count == Limits.deltaItems + 2)
        #expect(try done.json(Wire.RegistrationState.self).cursor == 2)
    }

    /// The server splits the lines into deltas, so a client need not count the aliases.
    @Test func limitsTheAliasesOfEachDelta() async throws {
        let (fixture, owner) = try await fixture(itemLimit: 30_000)
        func line(_ number: Int, _ aliases: Int) -> String {
            let aliases = (0..<aliases).map { "\"a\(number).\($0)\"" }.joined(separator: ",")
            return "{\"identifier\": \"p\(number)\", \"aliases\": [\(aliases)]}"
        }
        let most = Limits.deltaAliases / Limits.aliases
        let sound = (0..<2 * most + 1).map { line($0, Limits.aliases) }
        let answer = try await fixture.change(
            sound.joined(separator: "\n\n"), by: owner, fields: [ServerFixture.lines])
        let state = try answer.json(Wire.RegistrationState.self)
        #expect(state.count == 2 * most + 1)
        #expect(state.cursor == 3)
        // The third delta has one line, which follows an empty line.
        let wrong = sound.dropLast() + [line(2 * most, Limits.aliases + 1)]
        let refused = try await fixture.change(
            wrong.joined(separator: "\n\n"), by: owner, fields: [ServerFixture.lines])
        #expect(refused.code == .tooManyAliases)
        #expect(refused.problem?.pointer == "/aliases")
        #expect(refused.problem?.details == ["line": "\(4 * most + 1)", "firstLine": "\(4 * most + 1)"])
        #expect(try await fixture.registration(of: owner) == state)
    }

    /// If a delta replaces too many aliases, the server tries smaller deltas, so a client need not count the replaced
    /// aliases.
    @Test func limitsTheReplacedAliasesOfEachDelta() async throws {
        let (fixture, owner) = try await fixture(itemLimit: 30_000)
        let most = Limits.deltaAliases / Limits.aliases
        let aliases = (0..<Limits.aliases).map { "\"a\($0)\"" }.joined(separator: ",")
        let items = (0...most).map { "{\"identifier\": \"p\($0)\", \"aliases\": [\(aliases)]}" }
        try await fixture.change(items.joined(separator: "\n"), by: owner, fields: [ServerFixture.lines])
        // Each of these items has one alias, so by their own aliases they fit into one delta.
        let others = (0...most).map { "{\"identifier\": \"p\($0)\", \"aliases\": [\"b\($0)\"]}" }
        let wrong = others.dropLast() + ["{\"identifier\": \"\"}"]
        let refused = try await fixture.change(
            wrong.joined(separator: "\n"), by: owner, fields: [ServerFixture.lines])
        #expect(refused.problem?.details == ["line": "\(most + 1)", "firstLine": "1"], "\(refused.text)")
        let answer = try await fixture.change(
            others.joined(separator: "\n"), by: owner, fields: [ServerFixture.lines])
        let state = try answer.json(Wire.RegistrationState.self)
        #expect(state.count == most + 1)
        // The first items take two deltas. The new items take three deltas: one delta of all new items would replace
        // too many aliases, so the maximum size is halved, and one item is left over.
        #expect(state.cursor == 5)
        #expect(try await fixture.registered(by: owner).items.allSatisfy { $0.aliases?.count == 1 })
    }

    /// The limit includes the values of unknown members.
    @Test func limitsTheValuesDecodedAtATime() throws {
        let text = (0..<5).map { "{\"identifier\": \"p\($0)\", \"aliases\": [\"a\($0)\"], \"more\": [1, [], {}]}" }
        var lines = ItemLines(ContentPieces(Array(text.joined(separator: "\n").utf8)), depth: 64, values: 15)
        var problem = Problem(.aliasInvalid, "An alias.")
        problem.document.pointer = "/upserts/0/aliases/0"
        var deltas: [[String]] = []
        var places: [[String: String]?] = []
        while let items = try lines.next() {
            deltas.append(items.map(\.identifier))
            places.append(lines.locating(problem).document.details)
        }
        #expect(deltas == [["p0", "p1"], ["p2", "p3"], ["p4"]])
        #expect(places == ["1", "3", "5"].map { ["firstLine": $0, "line": $0] })
    }

    /// Compressed content that counts the pieces that were read.
    private final class Pieces: GzipPieces {
        private var rest: [[UInt8]]
        private(set) var given = 0

        init(_ pieces: [[UInt8]]) { rest = pieces.reversed() }

        func next() throws(GzipError) -> [UInt8] {
            guard let piece = rest.popLast() else { return [] }
            given += 1
            return piece
        }
    }

    private func items(of content: ContentPieces, _ values: Int = 15) throws -> [[String]] {
        var lines = ItemLines(content, depth: 64, values: values)
        var deltas: [[String]] = []
        while let items = try lines.next() { deltas.append(items.map(\.identifier)) }
        return deltas
    }

    @Test(arguments: [1, 2, 7, 40])
    func readsTheSameItemsFromContentInPieces(_ size: Int) throws {
        for end in ["", "\n", "\r\n\n"] {
            let text = Array(((0..<9).map(line).joined(separator: "\n\n") + end).utf8)
            let pieces = stride(from: 0, to: text.count, by: size).map { Array(text[$0..<min($0 + size, text.count)]) }
            #expect(
                try items(of: ContentPieces(Pieces(pieces), .ofShortBody)) == items(of: ContentPieces(text)))
        }
    }

    /// `next` returns an empty array after very many empty lines, so that the caller can yield.
    @Test func pausesAfterVeryManyEmptyLines() throws {
        let empty = String(repeating: "\n", count: 25 * Limits.deltaItems)
        let content = ContentPieces(Array((empty + line(1) + empty + line(2) + empty).utf8))
        #expect(
            try items(of: content).filter { !$0.isEmpty }
                == items(of: ContentPieces(Array("\(line(1))\n\(line(2))".utf8))).flatMap { $0 }.map { [$0] })
        var lines = ItemLines(ContentPieces(Array((empty + line(1)).utf8)), depth: 64, values: 15)
        #expect(try lines.next() == [])
        #expect(try lines.next() == [])
        #expect(try lines.next()?.count == 1)
        #expect(try lines.next() == nil)
    }

    @Test func inflatesOnlyTheLinesThatAreDecoded() throws {
        let pieces = Pieces((0..<1000).map { Array("\(line($0))\n".utf8) })
        var lines = ItemLines(ContentPieces(pieces, .ofShortBody), depth: 64, values: 15)
        #expect(try lines.next()?.isEmpty == false)
        #expect(pieces.given <= 15)
    }

    @Test func rejectsAnEndlessLineBeforeItIsFullyInflated() throws {
        let pieces = Pieces((0..<1000).map { _ in [UInt8](repeating: 0x20, count: 8 << 10) })
        #expect(throws: Problem.self) { try items(of: ContentPieces(pieces, .ofShortBody)) }
        #expect(pieces.given <= Limits.itemLine / (8 << 10) + 1)
    }

    @Test func reportsTheOffsetInTheWholeContent() throws {
        let text = Array("\(line(1))\n{x".utf8)
        let error = #expect(throws: Problem.self) {
            try items(of: ContentPieces(Pieces(text.map { [$0] }), .ofShortBody))
        }
        #expect(error?.document.offset == text.count - 1)
    }

    @Test func acceptsTheLargestItemWithEachByteEscaped() async throws {
        let (fixture, owner) = try await fixture()
        let aliases = (0..<Limits.aliases).map { number in
            "\"" + String(repeating: "\\u0061", count: Limits.alias - 2) + "\\u006\(number / 10)\\u003\(number % 10)\""
        }
        let line = "{\"identifier\": \(aliases[0]), \"aliases\": [\(aliases.joined(separator: ", "))], \"position\": 1}"
        #expect(line.utf8.count > 100_000)
        let answer = try await fixture.change(line, by: owner, fields: [ServerFixture.lines])
        #expect(answer.status == 200, "\(answer.text)")
    }

    @Test(arguments: [
        "{\"identifier\": \"p3\", \"more\": \"" + String(repeating: "x", count: Limits.itemLine) + "\"}",
        String(repeating: "[", count: Limits.itemLine + 1),
    ])
    func rejectsALineThatIsTooLong(_ wrong: String) async throws {
        let (fixture, owner) = try await fixture()
        let answer = try await fixture.change("\(line(1))\n\(wrong)\n", by: owner, fields: [ServerFixture.lines])
        #expect(answer.status == 413 && answer.code == .contentTooLarge, "\(answer.text)")
        #expect(answer.problem?.details == ["line": "2", "firstLine": "1"])
        #expect(try await fixture.registration(of: owner)?.cursor == 0)
    }

    @Test func namesTheFirstLineThatIsNotKept() async throws {
        let (fixture, owner) = try await fixture()
        let full = (0...ServerFixture.itemLimit).map(line).joined(separator: "\n")
        let answer = try await fixture.change(full, by: owner, fields: [ServerFixture.lines])
        #expect(answer.code == .tooManyItems)
        #expect(answer.problem?.details == ["firstLine": "1"])
        #expect(try await fixture.registration(of: owner)?.count == 0)
    }
}
