import PlacekeeperAPI
import PlacekeeperArchive
import PlacekeeperCore
import PlacekeeperCryptography
import PlacekeeperJSON
import Testing

@testable import PlacekeeperServer

/// Tests of the form of places as JSON (docs/place-format.md), without requests.
@Suite struct PlaceFormTests {
    private static func archive(_ json: some Collection<UInt8>) throws -> StateArchive {
        try PlaceReader.archive(try JSONBody.document(Array(json), depth: PlaceReader.depth))
    }

    private static func json(_ archive: StateArchive) throws -> [UInt8] {
        try #require(PlaceWriter.json(try ArchivedPlace(reading: try archive.encoded())))
    }

    private static func document(_ value: String) -> String {
        #"{"format": 1, "references": [{"dataSource": "d"}], "steps": [{"screen": "s", "parameters": {"x": \#(value)}}]}"#
    }

    private static func problem(_ json: String) throws -> Problem {
        try #require(throws: Problem.self) { try archive(json.utf8) }
    }

    // MARK: - Both ways

    @Test(arguments: 0..<400)
    func returnsTheBytesOfAnArchiveThatItWrote(seed: Int) throws {
        var random = RandomPlaces(seed: UInt64(seed))
        let archive = random.archive()
        let json = try Self.json(archive)
        #expect(try Self.archive(json).encoded() == archive.encoded(), "\(String(decoding: json, as: UTF8.self))")
        #expect(try Self.json(Self.archive(json)) == json)
    }

    @Test func writesWhatTheFormatPageShows() throws {
        let json = #"""
            {"format":1,"bundleVersion":"42","idiom":"phone","layout":"compact","stateVersion":3,"webAddress":"https:\#
            //books.example/dune","steps":[{"screen":"root","title":""},{"screen":"book","title":"Dune","references":\#
            [0],"parameters":{"isOpen":true,"opened":{"$date":817804487.5},"page":12},"progress":0.25}],"references":\#
            [{"dataSource":"Book","role":"selected","identifier":"17","aliases":["isbn:9780441172719"]}]}
            """#
        var archive = StateArchive(
            bundleVersion: "42", idiom: 0, stateVersion: 3, layout: .compact,
            references: [
                ModelReference(
                    dataSource: "Book", element: .init("17", aliases: ["isbn:9780441172719"]), role: .selected)
            ],
            place: Place(
                [
                    .init(screen: "root", title: ""),
                    .init(
                        screen: "book", title: "Dune", references: [0],
                        parameters: [
                            "page": .integer(12), "isOpen": .boolean(true), "opened": .date(817_804_487.5),
                        ], progress: 0.25),
                ], webAddress: "https://books.example/dune"))
        archive.isPlaceOnly = true
        #expect(try Self.archive(json.utf8) == archive)
        #expect(String(decoding: try Self.json(archive), as: UTF8.self) == json)
        // A client may repeat an upload after an update of the service, so these bytes must never change.
        let digest = SHA256.digest(of: try archive.encoded()).map { String(Int($0) + 256, radix: 16).dropFirst() }
        #expect(digest.joined() == "30334fcca94c90e2b23f001f58c8d34eef9d182640fc34e6b3d7f7278d45b015")
    }

    @Test func saysWhatItOmits() throws {
        var archive = StateArchive(
            application: ["draft": .string("x"), "items": .array([.reference(1)])],
            references: ["a", "b", "c"].map { ModelReference(dataSource: $0, element: .init("1")) },
            place: Place([.init(screen: "s", references: [2], parameters: ["x": .reference(0)])]))
        let text = String(decoding: try Self.json(archive), as: UTF8.self)
        #expect(text.hasSuffix(#""omitted":{"state":true,"references":1}}"#))
        #expect(text.contains(#""references":[1],"parameters":{"x":{"$reference":0}}"#))
        #expect(text.contains(#"[{"dataSource":"a","role":"other","identifier":"1"},{"dataSource":"c""#))
        archive.application = [:]
        #expect(String(decoding: try Self.json(archive), as: UTF8.self).hasSuffix(#""omitted":{"references":1}}"#))
        archive.references.removeLast()
        archive.place?.steps[0].references = [1]
        #expect(!String(decoding: try Self.json(archive), as: UTF8.self).contains("omitted"))
        archive.objects = [RestorableObject(path: "root", kind: .view, className: "V")]
        #expect(String(decoding: try Self.json(archive), as: UTF8.self).contains(#""omitted":{"state":true}"#))
    }

    @Test func hasNoFormForAnArchiveWithoutAPlace() throws {
        #expect(PlaceWriter.json(try ArchivedPlace(reading: try StateArchive(idiom: 0).encoded())) == nil)
    }

    /// A few texts, shared by many references, would be many megabytes of JSON.
    @Test func hasNoFormForAPlaceThatIsMuchLargerThanItsArchive() throws {
        let long = String(repeating: "\u{1}", count: 8000)
        func archive(_ count: Int) -> StateArchive {
            let reference = ModelReference(dataSource: "d", element: .init("i", aliases: [long]))
            return StateArchive(
                application: ["padding": .data([UInt8](repeating: 1, count: 400_000))],
                references: Array(repeating: reference, count: count),
                place: Place([.init(screen: "s", references: Array(0..<count))]))
        }
        #expect(try Self.json(archive(20)).count > 900_000)
        #expect(PlaceWriter.json(try ArchivedPlace(reading: try archive(200).encoded())) == nil)
    }

    // MARK: - Values

    static let values: [(String, StateValue)] = [
        ("1", .integer(1)), ("-9007199254740991", .integer(-9_007_199_254_740_991)), ("0", .integer(0)),
        ("-0", .real(-0.0)), ("1.0", .real(1)), ("1e2", .real(100)), ("1E+2", .real(100)), ("-0.0", .real(-0.0)),
        ("9007199254740992", .real(0x1p53)), ("1152921504606847000", .real(0x1p60)), ("1e-999", .real(0)),
        ("100000000000000000000", .real(1e20)), ("-9007199254740994", .real(-9_007_199_254_740_994)),
        (#"{"$integer": "9007199254740993"}"#, .integer(9_007_199_254_740_993)), (#"{"$integer": "7"}"#, .integer(7)),
        (#"{"$integer": "-9223372036854775808"}"#, .integer(.min)),
        (#"{"$integer": "18446744073709551615"}"#, .unsigned(.max)),
        (#"{"$real": "NaN"}"#, .real(.nan)), (#"{"$real": "-Infinity"}"#, .real(-.infinity)),
        (#"{"$data": ""}"#, .data([])), (#"{"$data": "AP8B"}"#, .data([0, 255, 1])),
        (#"{"$date": -63114076800}"#, .date(-63_114_076_800)), (#"{"$date": 0.1}"#, .date(0.1)),
        (#"{"$reference": 0}"#, .reference(0)), ("null", .null), ("[[], {}]", .array([.array([]), .dictionary([:])])),
        (
            #"{"__proto__": {"a": 1}, "": 2}"#,
            .dictionary(["__proto__": .dictionary(["a": .integer(1)]), "": .integer(2)])
        ),
        (#"{"$dictionary": {"$date": 1, "b": 2}}"#, .dictionary(["$date": .integer(1), "b": .integer(2)])),
        (#"{"$dictionary": {}}"#, .dictionary([:])), (#"{"a$": 1}"#, .dictionary(["a$": .integer(1)])),
        (#""\ud83c\udfd6\u0000""#, .string("🏖\u{0}")),
        (#"{"Placekeeper.null": true}"#, .dictionary(["Placekeeper.null": .boolean(true)])),
    ]

    @Test(arguments: values)
    func readsAValue(_ json: String, _ value: StateValue) throws {
        let archive = try Self.archive(Self.document(json).utf8)
        var expected = StateArchive(
            references: [ModelReference(dataSource: "d", element: .init(nil))],
            place: Place([.init(screen: "s", parameters: ["x": value])]))
        expected.isPlaceOnly = true
        // NaN differs from itself, and zeros with different signs are equal, so compare the bytes.
        #expect(try archive.encoded() == expected.encoded())
    }

    static let refusedValues: [(String, String)] = [
        ("1e999", ""), ("-1e999", ""), ("9007199254740993", ""), ("1152921504606846976", ""),
        ("-18446744073709551617", ""), (#"{"$integer": "01"}"#, "/$integer"), (#"{"$integer": "+1"}"#, "/$integer"),
        (#"{"$integer": "-0"}"#, "/$integer"), (#"{"$integer": 1}"#, "/$integer"), (#"{"$integer": ""}"#, "/$integer"),
        (#"{"$integer": "18446744073709551616"}"#, "/$integer"), (#"{"$integer": "٣"}"#, "/$integer"),
        (#"{"$real": "nan"}"#, "/$real"), (#"{"$real": 1}"#, "/$real"), (#"{"$data": "AP8"}"#, "/$data"),
        (#"{"$data": "AP8_"}"#, "/$data"), (#"{"$data": []}"#, "/$data"), (#"{"$date": "2026"}"#, "/$date"),
        (#"{"$date": 252423993600}"#, "/$date"), (#"{"$date": -63114076801}"#, "/$date"),
        (#"{"$date": {"$real": "NaN"}}"#, "/$date"), (#"{"$reference": 1}"#, "/$reference"),
        (#"{"$reference": -1}"#, "/$reference"), (#"{"$reference": 0.5}"#, "/$reference"),
        (#"{"$reference": null}"#, "/$reference"), (#"{"$dictionary": []}"#, "/$dictionary"),
        (#"{"$unknown": 1}"#, ""), (#"{"$": 1}"#, ""), (#"{"$date": 1, "b": 2}"#, ""),
        (#"{"b": 2, "$date": 1}"#, ""), (#"{"$object": "root"}"#, ""), (#"{"$instance": 0}"#, ""),
        (#"{"a": 1, "a": 2}"#, "/a"), (#"{"a": 1, "\u0061": 2}"#, "/a"), (#"{"é": 1, "é": 2}"#, "/é"),
        (#"{"$dictionary": {"a": 1, "a": 1}}"#, "/$dictionary/a"), (#"["\ud800"]"#, "/0"), (#""\udc00\ud800""#, ""),
        (#"{"\ud800": 1}"#, "/"),
    ]

    @Test(arguments: refusedValues)
    func pointsToAValueThatItRefuses(_ json: String, _ pointer: String) throws {
        let problem = try Self.problem(Self.document(json))
        #expect(problem.document.code == ProblemCode.invalidBody.rawValue)
        #expect(problem.document.pointer == "/steps/0/parameters/x" + pointer)
    }

    @Test(arguments: ["NaN", "Infinity", "-Infinity", "01", "+1", ".5", "0x1", "'a'", "undefined", "[1,]", "-"])
    func refusesWhatIsNotJSON(_ json: String) throws {
        #expect(try Self.problem(Self.document(json)).document.code == ProblemCode.malformedJSON.rawValue)
    }

    @Test(arguments: [("[", "]"), (#"{"a":"#, "}"), (#"{"$dictionary":{"$":"#, "}}")])
    func readsParametersUpToTheDepthOfArchives(_ open: String, _ close: String) throws {
        func document(_ depth: Int) -> String {
            Self.document(
                String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth))
        }
        // The parameters themselves are the first level.
        #expect(try Self.json(Self.archive(document(127).utf8)).count > 127)
        let problem = try Self.problem(document(128))
        #expect(problem.document.code == ProblemCode.invalidBody.rawValue && problem.document.pointer != nil)
        #expect(try Self.problem(document(100_000)).document.code == ProblemCode.malformedJSON.rawValue)
    }

    // MARK: - Documents

    /// Members beside `format`, and the pointer to the faulty one.
    static let refusedMembers: [(String, String)] = [
        (#""title": "x""#, "/steps"), (#""steps": null"#, "/steps"), (#""steps": {}"#, "/steps"),
        (#""steps": [1]"#, "/steps/0"), (#""steps": [{}]"#, "/steps/0/screen"),
        (#""steps": [{"screen": null}]"#, "/steps/0/screen"),
        (#""steps": [{"screen": "s", "title": null}]"#, "/steps/0/title"),
        (#""steps": [{"screen": "s", "references": [0]}]"#, "/steps/0/references/0"),
        (#""steps": [{"screen": "s", "parameters": []}]"#, "/steps/0/parameters"),
        (#""steps": [{"screen": "s", "progress": 1.5}]"#, "/steps/0/progress"),
        (#""steps": [{"screen": "s", "progress": "1"}]"#, "/steps/0/progress"),
        (#""steps": [], "sealed": null"#, "/sealed"), (#""steps": [], "sealed": {}"#, "/sealed"),
        (#""steps": [], "format": 1"#, "/format"), (#""steps": [], "idiom": "toaster""#, "/idiom"),
        (#""steps": [], "layout": "wide""#, "/layout"), (#""steps": [], "stateVersion": 1.5"#, "/stateVersion"),
        (#""steps": [], "stateVersion": {"$integer": "9223372036854775808"}"#, "/stateVersion"),
        (#""steps": [], "savedAt": 1"#, "/savedAt"),
        (#""steps": [], "webAddress": "javascript:alert(1)""#, "/webAddress"),
    ]

    @Test(arguments: refusedMembers)
    func pointsToAMemberThatItRefuses(_ members: String, _ pointer: String) throws {
        let problem = try Self.problem(#"{"format": 1, \#(members)}"#)
        #expect(problem.document.code == ProblemCode.invalidBody.rawValue && problem.document.pointer == pointer)
    }

    @Test(arguments: [
        ("[]", ""), ("1", ""), ("{}", "/format"), (#"{"format": 2, "steps": []}"#, "/format"),
        (#"{"format": "1", "steps": []}"#, "/format"),
    ])
    func pointsToTheFormatThatItRefuses(_ json: String, _ pointer: String) throws {
        #expect(try Self.problem(json).document.pointer == pointer)
    }

    @Test(arguments: [
        ("", "/dataSource"), (#""dataSource": "d", "aliases": [1]"#, "/aliases/0"),
        (#""dataSource": "d", "aliases": "a""#, "/aliases"), (#""dataSource": "d", "identifier": 7"#, "/identifier"),
        (#""dataSource": "d", "indexPath": [0.5]"#, "/indexPath/0"),
        (#""dataSource": "d", "step": "alias""#, "/confidence"),
        (#""dataSource": "d", "step": "alias", "confidence": 2"#, "/confidence"),
        (#""dataSource": "d", "before": [{}, {}, {}, {}, {}, {}, {}, {}, {}]"#, "/before"),
        (#""dataSource": "d", "after": [1]"#, "/after/0"),
    ])
    func pointsToAMemberOfAReferenceThatItRefuses(_ members: String, _ pointer: String) throws {
        let problem = try Self.problem(#"{"format": 1, "steps": [], "references": [{\#(members)}]}"#)
        #expect(problem.document.pointer == "/references/0" + pointer)
    }

    @Test func ignoresUnknownMembers() throws {
        let json =
            #"{"format": 1, "steps": [{"screen": "s", "__proto__": {"title": "x"}}], "omitted": 1, "__proto__": 2}"#
        var expected = StateArchive(place: Place([.init(screen: "s")]))
        expected.isPlaceOnly = true
        #expect(try Self.archive(json.utf8) == expected)
    }

    /// A number of a million digits takes no longer than other bodies.
    @Test func readsLongNumbersInLinearTime() throws {
        let digits = String(repeating: "7", count: 1_000_000)
        let clock = ContinuousClock()
        let time = clock.measure { _ = try? Self.archive(Self.document("0." + digits).utf8) }
        #expect(time < .seconds(1))
        #expect(try Self.problem(Self.document(digits)).document.pointer == "/steps/0/parameters/x")
    }
}
