import Testing

@testable import PlacekeeperAPI

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Tests that a decoder of responses keeps words of later versions, and that a strict decoder refuses these words.
@Suite struct WireWordTests {
    /// The known words of one type, and a function that decodes a word of this type.
    struct Words: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var known: [String]
        /// Decodes an array with the given word. Returns the decoded word, and the decoded array as JSON.
        var decode: @Sendable (String, JSONDecoder) throws -> (word: String?, json: String)

        init<Word: WireWord>(_ word: Word.Type, known: [String]) {
            testDescription = "\(word)"
            self.known = known
            decode = { text, decoder in
                let words = try decoder.decode([Word].self, from: Data("[\"\(text)\"]".utf8))
                return (words.first?.rawValue, String(decoding: try JSONEncoder().encode(words), as: UTF8.self))
            }
        }
    }

    private static let sets = [
        Words(Wire.Idiom.self, known: ["unspecified", "phone", "pad", "tv", "carPlay", "watch", "mac", "vision"]),
        Words(Wire.Layout.self, known: ["compact", "regular"]),
        Words(Wire.Fidelity.self, known: ["full", "place", "none"]),
        Words(Wire.Scope.self, known: ["shared", "keyed", "registered"]),
        Words(
            Wire.ResolutionStep.self,
            known: [
                "exact", "alias", "alignment", "indistinguishable", "pending", "neighbor", "indexPath", "unresolved",
            ]),
        Words(Wire.NeighborSource.self, known: ["archive", "position"]),
        Words(Wire.Bound.self, known: ["neighbors", "size"]),
        Words(Wire.Manifest.Restoration.self, known: ["auto", "offer", "off"]),
        Words(
            Wire.Change.Kind.self,
            known: [
                "archiveStored", "archiveDeleted", "sceneForgotten", "outcomeReported", "deviceRegistered",
                "deviceRevoked", "deviceCopied",
            ]),
        Words(Wire.Outcome.Result.self, known: ["began", "restored", "failed", "crashed", "abandoned"]),
    ]

    private static func decoder(isStrict: Bool) -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.userInfo[.refusesUnknownWords] = isStrict
        return decoder
    }

    @Test(arguments: sets)
    func keepsUnknownWordsUnlessTheDecoderIsStrict(_ words: Words) throws {
        for word in ["holo", "", words.known[0].uppercased(), words.known[0] + " "] {
            for decoder in [JSONDecoder(), Self.decoder(isStrict: false)] {
                let decoded = try words.decode(word, decoder)
                #expect(decoded.word == word)
                #expect(decoded.json == "[\"\(word)\"]")
            }
            let error = #expect(throws: DecodingError.self) { try words.decode(word, Self.decoder(isStrict: true)) }
            guard case .dataCorrupted(let context)? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            let list = words.known.joined(separator: ", ")
            #expect((context.underlyingError as? InvalidMember)?.detail == "The member must be one of \(list).")
            #expect(context.codingPath.map(\.intValue) == [0])
        }
    }

    @Test(arguments: sets)
    func decodesKnownWordsStrictly(_ words: Words) throws {
        for word in words.known {
            let decoded = try words.decode(word, Self.decoder(isStrict: true))
            #expect(decoded.word == word)
            #expect(decoded.json == "[\"\(word)\"]")
        }
    }

    @Test(arguments: ["1", "null", "{}", "[]", "true"])
    func refusesOtherValuesThanStrings(_ json: String) {
        for isStrict in [false, true] {
            #expect(throws: DecodingError.self) {
                try Self.decoder(isStrict: isStrict).decode([Wire.Idiom].self, from: Data("[\(json)]".utf8))
            }
        }
    }

    @Test func readsAChangeOfAnUnknownKind() throws {
        let change: Wire.Change = try read(
            #"{"revision": 7, "kind": "sceneRenamed", "scene": "main", "at": "2025-06-15T15:06:40.000Z"}"#)
        #expect(change.kind.rawValue == "sceneRenamed" && change.kind.description == "sceneRenamed")
        #expect(change.revision == 7 && change.scene == "main")
        #expect(!Wire.Change.Kind.known.contains(change.kind))
    }

    @Test func readsAnOutcomeWithUnknownWords() throws {
        let outcome: Wire.Outcome = try read(#"{"result": "paused", "idiom": "watch", "layout": "round"}"#)
        #expect(
            [outcome.result.rawValue, outcome.idiom.rawValue, outcome.layout?.rawValue] == ["paused", "watch", "round"])
    }

    private func read<Body: Decodable>(_ json: String) throws -> Body {
        try JSONDecoder().decode(Body.self, from: Data(json.utf8))
    }
}
