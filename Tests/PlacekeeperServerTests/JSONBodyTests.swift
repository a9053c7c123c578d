import PlacekeeperJSON
import PlacekeeperTestSupport
import Foundation
import PlacekeeperHTTP
import PlacekeeperAPI
import Testing

@testable import PlacekeeperServer

@Suite struct JSONBodyTests {
    private struct Body: Decodable, Equatable {
        struct Inner: Decodable, Equatable {
            var numbers: [Int]
        }
        var name: String
        var inner: Inner?
        var a_b: Bool?
        enum CodingKeys: String, CodingKey {
            case name, inner
            case a_b = "a/~b"
        }
    }

    private func decode(_ text: String) throws(Problem) -> Body {
        try JSONBody.decode(Body.self, from: Array(text.utf8), depth: 64)
    }

    /// The limit includes the values of unknown members.
    @Test(arguments: [("0", 1), ("{}", 1), (#"{"a":1,"b":[]}"#, 3), (#"[0,"",null,[true],{"x":{"y":{}}}]"#, 9)])
    func limitsValuesBeforeDecoding(_ text: String, _ count: Int) throws {
        #expect(try JSONDocument(Array(text.utf8), depth: 64, values: count).valueCount == count)
        #expect {
            try JSONBody.decode([Int].self, from: Array(text.utf8), depth: 64, values: count - 1)
        } throws: { error in
            (error as? Problem)?.document.code == "content-too-large"
        }
    }

    @Test func ignoresUnknownMembers() throws {
        let body = try decode(#"{"name":"é\n","more":{"deep":[1,2,{"x":null}]},"name2":1e9}"#)
        #expect(body == Body(name: "é\n"))
    }

    @Test(arguments: [
        ("{}", "/name"), (#"{"name":1}"#, "/name"), (#"{"name":null}"#, "/name"), ("[]", ""), ("null", ""), ("3", ""),
        (#"{"name":"x","inner":{"numbers":[1,"2"]}}"#, "/inner/numbers/1"),
        (#"{"name":"x","inner":{"numbers":[1,2.5]}}"#, "/inner/numbers/1"),
        (#"{"name":"x","inner":{"numbers":[1,{"name":[]},9223372036854775808]}}"#, "/inner/numbers/1"),
        (#"{"name":"\ud800"}"#, "/name"), (#"{"name":"x","a/~b":true,"a\/~b":true}"#, "/a~1~0b"),
        (#"{"name":"x","inner":{}}"#, "/inner/numbers"), (#"{"name":"x","a/~b":1}"#, "/a~1~0b"),
    ])
    func pointsToTheInvalidValue(_ text: String, _ pointer: String) {
        #expect {
            try decode(text)
        } throws: { error in
            let document = (error as? Problem)?.document
            return document?.code == "invalid-body" && document?.pointer == pointer
        }
    }

    @Test(arguments: [
        "", " ", "{", "{\"name\":\"x\"", "{\"name\":\"x\",}", "[1,]", "{'name':1}", "{name:1}", "nul", "01", "1.", ".5",
        "+1",
        "\"\\x\"", "\"\\u12g4\"", "\"a\nb\"", "\"", "[1}", "{\"a\"}", "{\"a\":}", "1 2", "[1]]", "\u{FEFF}{}",
        "// x\n{}", "NaN",
        "{\"a\":1 \"b\":2}", "[1 2]", "-", "1e", "1e+", "tru", "truex", "{,}", "[,]", "\u{0}",
    ])
    func rejectsInvalidJSON(_ text: String) {
        #expect {
            try decode(text)
        } throws: { error in
            (error as? Problem)?.document.code == "malformed-json"
        }
    }

    @Test func rejectsMoreThan64Levels() throws {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        _ = try JSONDocument(nested(64), depth: 64)
        #expect(throws: JSONGrammar.Fault(message: "The body is more than 64 levels deep.", offset: 64)) {
            _ = try JSONDocument(nested(65), depth: 64)
        }
        #expect(throws: JSONGrammar.Fault.self) {
            _ = try JSONDocument([UInt8](repeating: 0x5B, count: 1 << 20), depth: 64)
        }
    }

    @Test(
        arguments: [
            [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
            [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22],
            [0x22, 0xE2, 0x82, 0x22], [0x22, 0xC3], [0x22, 0x80, 0x22], [0x22, 0xF8, 0x88, 0x80, 0x80, 0x80, 0x22],
            [0x22, 0xE0, 0x9F, 0xBF, 0x22], [0x22, 0xF0, 0x8F, 0xBF, 0xBF, 0x22],
        ] as [[UInt8]])
    func rejectsInvalidUTF8(_ bytes: [UInt8]) {
        #expect(throws: JSONGrammar.Fault(message: "The body is not UTF-8.", offset: 1)) {
            _ = try JSONDocument(bytes, depth: 64)
        }
    }

    @Test(arguments: ["\"\u{7F}\u{80}\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}\""])
    func acceptsAllOfUnicode(_ text: String) throws { _ = try JSONDocument(Array(text.utf8), depth: 0) }
}

/// Tests with the files of JSONTestSuite in the folder `PLACEKEEPER_CORPORA`. By the prefix of its name, a file must be
/// accepted (`y_`), must be refused (`n_`), or may be either (`i_`).
@Suite(.enabled(if: Corpora.folder != nil, "PLACEKEEPER_CORPORA is not set"))
struct JSONCorpusTests {
    @Test func acceptsAndRejectsFilesByTheirPrefix() async throws {
        let fixture = try await ServerFixture()
        let files = try JSONCorpus.files()
        #expect(files.count > 300)
        for (name, bytes) in files {
            let answer = try await fixture.send(.post, "/v1/devices", body: bytes)
            switch name.prefix(2) {
            // Valid JSON, but not a registration.
            case "y_": #expect(answer.code == .invalidBody, "\(name): \(answer.text)")
            case "n_": #expect(answer.code == .malformedJSON, "\(name): \(answer.text)")
            default: #expect([400, 422].contains(answer.status), "\(name)")
            }
        }
    }

    @Test func acceptsEveryValidFile() throws {
        for (name, bytes) in try JSONCorpus.files() where name.hasPrefix("y_") {
            #expect(throws: Never.self, "\(name)") { _ = try JSONDocument(bytes, depth: 64) }
        }
    }
}

enum JSONCorpus {
    static func files() throws -> [(name: String, bytes: [UInt8])] {
        let folder = URL(filePath: Corpora.folder ?? "").appending(path: "json/test_parsing")
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "json" }
            .map { ($0.lastPathComponent, [UInt8](try Data(contentsOf: $0))) }
    }
}

extension JSONBody {
    static func decode<Body: Decodable>(
        _ type: Body.Type, from bytes: [UInt8], depth: Int, values: Int = .max
    ) throws(Problem) -> Body {
        try decode(type, from: try document(bytes, depth: depth, values: values))
    }
}
