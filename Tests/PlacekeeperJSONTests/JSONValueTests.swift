import Testing

@testable import PlacekeeperJSON

@Suite struct JSONValueTests {
    private func read(_ text: String) throws(JSONGrammar.Fault) -> JSONValue {
        try JSONValue(Array(text.utf8), depth: 8, values: 100)
    }

    private func text(_ text: String) -> JSONValue { .text(Array(text.utf8)) }

    @Test func readsEveryKindOfValue() throws {
        let value = try read(
            "\t{ \"a\" : [ 1 , -2.5e1 , true, false,null, [ ], { } ] , \"b\":\"x\" ,\"\" : {\"c\":[[\"\"]]} }\r\n")
        #expect(
            value["a"]
                == .array([
                    .number(1), .number(-25), .boolean(true), .boolean(false), .null, .array([]), .object([:]),
                ]))
        #expect(value["b"]?.text == Array("x".utf8))
        #expect(value[""]?["c"] == .array([.array([text("")])]))
        #expect(value["d"] == nil)
    }

    @Test(arguments: [
        (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u0061\u00e9\u20AC""#, "aé€"),
        (#""\ud83d\ude00!""#, "😀!"), (#""\u0000""#, "\0"), ("\"é😀\"", "é😀"),
    ])
    func resolvesEscapes(json: String, expected: String) throws {
        #expect(try read(json) == text(expected))
    }

    @Test(arguments: [
        #"{"a":1,"a":1}"#, #"{"a":1,"\u0061":2}"#, #"[{"x":{"b":null,"c":2,"b":null}}]"#,
    ])
    func rejectsARepeatedMemberName(json: String) {
        let fault = #expect(throws: JSONGrammar.Fault.self) { try read(json) }
        #expect(fault?.message == "A member name is repeated.")
    }

    @Test(arguments: [#""\ud800""#, #""\udc00""#, #""\ud800\ud800""#, #""\ud800x""#, #""\ud800\n""#])
    func rejectsHalfOfASurrogatePair(json: String) {
        #expect(throws: JSONGrammar.Fault.self) { try read(json) }
    }

    @Test func distinguishesNamesThatOnlyLookEqual() throws {
        let value = try read("{\"K\":1,\"\u{212A}\":2,\"e\u{301}\":3,\"\u{E9}\":4}")
        #expect(value["K"] == .number(1))
        #expect(value["\u{212A}"] == .number(2))
        #expect(value["\u{E9}"] == .number(4))
    }

    @Test(arguments: [("1e999", Double.infinity), ("-1e999", -Double.infinity), ("1e-999", 0), ("0e1", 0), ("-0", 0)])
    func readsNumbersOfEverySize(json: String, expected: Double) throws {
        #expect(try read(json).number == expected)
        #expect(try read(String(repeating: "9", count: 5000)).number == Double.infinity)
    }

    @Test(arguments: ["", "{", "[1,]", "{\"a\":1,}", "[[[[[[[[[1]]]]]]]]]", "1 2", "\u{FEFF}1"])
    func rejectsInvalidDocuments(json: String) {
        #expect(throws: JSONGrammar.Fault.self) { try read(json) }
    }
}
