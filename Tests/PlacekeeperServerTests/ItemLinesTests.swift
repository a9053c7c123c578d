import PlacekeeperAPI
import RestorationService
import Testing

@testable import PlacekeeperServer

/// Items as lines of JSON.
@Suite struct ItemLinesTests {
    private func bench(itemLimit: Int = ServerBench.itemLimit) async throws -> (ServerBench, Member) {
        let bench = try await ServerBench(itemLimit: itemLimit)
        let owner = try await bench.join()
        try await bench.declare(by: owner)
        return (bench, owner)
    }

    private func line(_ number: Int) -> String { #"{"identifier": "p\#(number)", "aliases": ["a\#(number)"]}"# }

    @Test(arguments: ["\n", "\r\n", "\n\n \t\n"])
    func takesAnItemToALine(_ end: String) async throws {
        let (bench, owner) = try await bench()
        for last in ["", end] {
            let text = (0..<3).map(line).joined(separator: end) + last
            let answer = try await bench.change(text, by: owner, fields: [ServerBench.lines])
            #expect(try answer.json(Wire.RegistrationState.self).count == 3, "\(answer.text)")
            #expect(try answer.json(Wire.RegistrationState.self).cursor == 1, "the same again changes nothing")
        }
    }

    @Test(arguments: ["application/x-ndjson", "Application/X-NDJSON; charset=utf-8"])
    func goesByTheContentType(_ type: String) async throws {
        let (bench, owner) = try await bench()
        #expect(try await bench.change(line(1), by: owner, fields: ["Content-Type: \(type)"]).status == 200)
        #expect(try await bench.registration(of: owner)?.count == 1)
    }

    @Test func takesNoLinesForNone() async throws {
        let (bench, owner) = try await bench()
        for text in ["", "\n", " \n\r\n"] {
            let answer = try await bench.change(text, by: owner, fields: [ServerBench.lines])
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
        // It stands on the first line, too.
        (#"{"identifier": "p1"}"#, .itemContradicted, "/identifier"),
    ])
    func tellsWhichLineIsWrongAndKeepsNothingOfThem(_ wrong: String, _ code: ProblemCode, _ pointer: String?)
        async throws
    {
        let (bench, owner) = try await bench()
        let text = "\(line(1))\n\n\(line(2))\n\(wrong)\n\(line(5))\n"
        let answer = try await bench.change(text, by: owner, fields: [ServerBench.lines])
        #expect(answer.code == code, "\(answer.text)")
        #expect(answer.problem?.pointer == pointer, "\(answer.text)")
        #expect(answer.problem?.details == ["line": "4", "firstLine": "1"])
        #expect(try await bench.registration(of: owner)?.cursor == 0)
    }

    @Test func keepsWhatCameBeforeInWholeDeltas() async throws {
        let (bench, owner) = try await bench(itemLimit: 30_000)
        let sound = (0..<Limits.deltaItems).map(line)
        let text = (sound + [line(20_000), "{}"]).joined(separator: "\n")
        let answer = try await bench.change(text, by: owner, fields: [ServerBench.lines])
        #expect(answer.code == .invalidBody)
        #expect(answer.problem?.details == ["line": "10002", "firstLine": "10001"])
        #expect(try await bench.registration(of: owner)?.count == Limits.deltaItems)
        #expect(try await bench.registration(of: owner)?.cursor == 1)
        // Put right, all of it is sent again.
        let repaired = (sound + [line(20_000), line(20_001)]).joined(separator: "\n")
        let done = try await bench.change(repaired, by: owner, fields: [ServerBench.lines])
        #expect(try done.json(Wire.RegistrationState.self).count == Limits.deltaItems + 2)
        #expect(try done.json(Wire.RegistrationState.self).cursor == 2)
    }

    /// Nobody who sends lines need count aliases.
    @Test func makesDeltasOfNoMoreAliasesThanOneMayHave() async throws {
        let (bench, owner) = try await bench(itemLimit: 30_000)
        func line(_ number: Int, _ aliases: Int) -> String {
            let aliases = (0..<aliases).map { "\"a\(number).\($0)\"" }.joined(separator: ",")
            return "{\"identifier\": \"p\(number)\", \"aliases\": [\(aliases)]}"
        }
        let most = Limits.deltaAliases / Limits.aliases
        let sound = (0..<2 * most + 1).map { line($0, Limits.aliases) }
        let answer = try await bench.change(
            sound.joined(separator: "\n\n"), by: owner, fields: [ServerBench.lines])
        let state = try answer.json(Wire.RegistrationState.self)
        #expect(state.count == 2 * most + 1)
        #expect(state.cursor == 3)
        // The third delta's one line: the one behind a blank one.
        let wrong = sound.dropLast() + [line(2 * most, Limits.aliases + 1)]
        let refused = try await bench.change(
            wrong.joined(separator: "\n\n"), by: owner, fields: [ServerBench.lines])
        #expect(refused.code == .tooManyAliases)
        #expect(refused.problem?.pointer == "/aliases")
        #expect(refused.problem?.details == ["line": "\(4 * most + 1)", "firstLine": "\(4 * most + 1)"])
        #expect(try await bench.registration(of: owner) == state)
    }

    /// Nor what the items had before.
    @Test func makesDeltasThatReplaceNoMoreAliasesThanOneMay() async throws {
        let (bench, owner) = try await bench(itemLimit: 30_000)
        let most = Limits.deltaAliases / Limits.aliases
        let aliases = (0..<Limits.aliases).map { "\"a\($0)\"" }.joined(separator: ",")
        let items = (0...most).map { "{\"identifier\": \"p\($0)\", \"aliases\": [\(aliases)]}" }
        try await bench.change(items.joined(separator: "\n"), by: owner, fields: [ServerBench.lines])
        // Of these each has one, so that they could be one delta.
        let others = (0...most).map { "{\"identifier\": \"p\($0)\", \"aliases\": [\"b\($0)\"]}" }
        let wrong = others.dropLast() + ["{\"identifier\": \"\"}"]
        let refused = try await bench.change(
            wrong.joined(separator: "\n"), by: owner, fields: [ServerBench.lines])
        #expect(refused.problem?.details == ["line": "\(most + 1)", "firstLine": "1"], "\(refused.text)")
        let answer = try await bench.change(
            others.joined(separator: "\n"), by: owner, fields: [ServerBench.lines])
        let state = try answer.json(Wire.RegistrationState.self)
        #expect(state.count == most + 1)
        // Two deltas of the first, and then three: half of the items that were too many, the other half, and one.
        #expect(state.cursor == 5)
        #expect(try await bench.registered(by: owner).items.allSatisfy { $0.aliases?.count == 1 })
    }

    @Test func saysFromWhichLineNothingIsKeptWhereTheStoreFails() async throws {
        let (bench, owner) = try await bench()
        let full = (0...ServerBench.itemLimit).map(line).joined(separator: "\n")
        let answer = try await bench.change(full, by: owner, fields: [ServerBench.lines])
        #expect(answer.code == .tooManyItems)
        #expect(answer.problem?.details == ["firstLine": "1"])
        #expect(try await bench.registration(of: owner)?.count == 0)
    }
}
