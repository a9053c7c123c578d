import PlacekeeperArchive
import Testing

/// Tests that the writer and the reader refuse invalid archives.
struct StateArchiveRefusalTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var code: ArchiveError.Code
        var subject: String?
        var change: @Sendable (inout StateArchive) -> Void

        init(
            _ name: String, _ code: ArchiveError.Code, in subject: String?,
            _ change: @escaping @Sendable (inout StateArchive) -> Void
        ) {
            testDescription = name
            self.code = code
            self.subject = subject
            self.change = change
        }
    }

    static func nested(_ depth: Int) -> StateValue { (1..<depth).reduce(.array([])) { value, _ in .array([value]) } }

    @Test(arguments: [
        Case("a time that is not a number", .dateRange, in: "timestamp") { $0.timestamp = .nan },
        Case("an infinite date", .dateRange, in: "Tabs") { $0.objects[0].state["d"] = .date(.infinity) },
        Case("the same path twice", .objectTable, in: "Tabs") { $0.objects[1].path = "Tabs" },
        Case("a reference that does not exist", .state, in: "Tabs") { $0.objects[0].state["r"] = .reference(2) },
        Case("a negative reference", .state, in: "Tabs") { $0.objects[0].state["r"] = .reference(-1) },
        Case("an instance that does not exist", .state, in: "Tabs") { $0.objects[0].state["i"] = .instance(1) },
        Case("nine neighbors", .referenceTable, in: "photos") {
            $0.references[0].after = [ModelReference.Element](repeating: .init("n"), count: 9)
        },
        Case("state nested too deeply", .tooDeep, in: "Tabs") { $0.objects[0].state["deep"] = nested(128) },
        Case("65 steps", .place, in: "place") {
            $0.place = Place([Place.Step](repeating: .init(screen: "s"), count: 65))
        },
        Case("a step with a missing reference", .place, in: "photo") { $0.place?.steps[2].references = [2] },
        Case("a step with a restorable object", .place, in: "photo") {
            $0.place?.steps[2].parameters["o"] = .array([.object(path: "Tabs")])
        },
        Case("a progress beyond 1", .place, in: "photo") { $0.place?.steps[2].progress = 1.5 },
        Case("a progress that is not a number", .place, in: "photo") { $0.place?.steps[2].progress = .nan },
        Case("a web address of another scheme", .place, in: "webAddress") { $0.place?.webAddress = "ftp://a.example" },
        Case("a place over 128 KiB", .placeSize, in: "photo") {
            $0.place?.steps[2].parameters = ["text": .string(String(repeating: "é", count: 65_530))]
        },
    ])
    func refusesToWriteInvalidArchives(wrong: Case) {
        var archive = Samples.photos
        wrong.change(&archive)
        #expect(throws: ArchiveWritingError(wrong.code, in: wrong.subject)) { try archive.encoded() }
    }

    @Test func writesArchivesAtTheLimits() throws {
        var archive = Samples.photos
        archive.objects[0].state["deep"] = Self.nested(127)
        // The limit of nesting includes arrays and dictionaries. It does not include marks and dates, although marks
        // and dates are dictionaries in the file.
        for value in [StateValue.null, .date(1), .object(path: "Tabs"), .string("$null"), .reference(0)] {
            archive.objects[0].state["deep \(value)"] = (0..<127).reduce(value) { value, _ in .array([value]) }
        }
        archive.references[0].before = [ModelReference.Element](repeating: .init("n"), count: 8)
        archive.place?.steps[2].progress = 1
        let others = archive.place?.steps.dropLast().reduce(0) { $0 + $1.size } ?? 0
        archive.place?.steps[2].parameters = ["text": .string("")]
        let size = Place.maximumSize - others - (archive.place?.steps[2].size ?? 0)
        archive.place?.steps[2].parameters = ["text": .string(String(repeating: "a", count: size))]
        #expect(archive.place?.steps.reduce(0) { $0 + $1.size } == Place.maximumSize)
        #expect(try StateArchive(reading: archive.encoded()) == archive)
    }

    @Test(arguments: [
        ("Placekeeper.formatVersion", PropertyListValue.integer(2), ArchiveError.Code.formatVersion),
        ("Placekeeper.formatVersion", .integer(0), .formatVersion),
        ("Placekeeper.layout", .string("wide"), .reservedKey),
        ("Placekeeper.stateVersion", .string("3"), .reservedKey),
        ("Placekeeper.objects", .integer(1), .objectTable),
        ("Placekeeper.objects", array([.uid(0)]), .objectTable),
        ("Placekeeper.objects", array([dictionary(["path": .string("p")])]), .objectTable),
        (
            "Placekeeper.objects",
            array([
                dictionary([
                    "path": .integer(1), "kind": .string("view"), "class": .string("V"), "state": dictionary([:]),
                ])
            ]),
            .objectTable
        ),
        ("Placekeeper.references", .string(""), .referenceTable),
        ("Placekeeper.references", array([dictionary(["dataSource": .string("a")])]), .referenceTable),
        ("Placekeeper.references", array([reference(["identifier": .integer(1)])]), .referenceTable),
        ("Placekeeper.references", array([reference(["aliases": array([.integer(1)])])]), .referenceTable),
        ("Placekeeper.references", array([reference(["shared": array([.integer(1)])])]), .referenceTable),
        ("Placekeeper.references", array([reference(["shared": .integer(1)])]), .referenceTable),
        ("Placekeeper.references", array([reference(["indexPath": array([.string("1")])])]), .referenceTable),
        ("Placekeeper.references", array([reference(["step": .string("alias")])]), .referenceTable),
        (
            "Placekeeper.references",
            array([
                reference(["step": .string("pending"), "confidence": .integer(0), "neighbor": .integer(1)])
            ]), .referenceTable
        ),
        (
            "Placekeeper.references",
            array([reference(["after": array([PropertyListValue](repeating: dictionary([:]), count: 9))])]),
            .referenceTable
        ),
        ("Placekeeper.webAddress", .integer(1), .place), ("Placekeeper.webAddress", .string(""), .place),
        ("Placekeeper.webAddress", .string("/photos/12"), .place),
        ("Placekeeper.webAddress", .string("https://a.example/" + String(repeating: "a", count: 2031)), .place),
        ("Placekeeper.place", dictionary([:]), .place),
        ("Placekeeper.place", array([dictionary(["title": .string("a")])]), .place),
        ("Placekeeper.place", array([dictionary(["screen": .string("a"), "title": .integer(1)])]), .place),
        (
            "Placekeeper.place", array([dictionary(["screen": .string("a"), "references": array([.integer(0)])])]),
            .place
        ),
        ("Placekeeper.place", array([step(progress: .string("0.5"))]), .place),
        ("Placekeeper.place", array([step(progress: .boolean(true))]), .place),
        ("Placekeeper.place", array([step(progress: .real(-0.001))]), .place),
        ("Placekeeper.place", array([step(progress: .real(1.001))]), .place),
        ("Placekeeper.place", array([step(progress: .real(.nan))]), .place),
        ("Placekeeper.place", array([step(progress: .real(.infinity))]), .place),
        ("Placekeeper.place", array([step(progress: .integer(2))]), .place),
        (
            "Placekeeper.place",
            array([dictionary(["screen": .string(String(repeating: "a", count: 131_073))])]), .placeSize
        ),
    ])
    func refusesMalformedTables(key: String, value: PropertyListValue, code: ArchiveError.Code) throws {
        var top: [String: PropertyListValue] = ["Placekeeper.formatVersion": .integer(1)]
        top[key] = value
        #expect(Refusal(of: try KeyedPlist(top: top).bytes()).code == code)
    }

    @Test(arguments: [
        dictionary(["Placekeeper.later": .integer(1)]),
        dictionary(["Placekeeper.null": .boolean(true), "a": .integer(1)]),
        dictionary(["Placekeeper.reference": .integer(0)]), dictionary(["Placekeeper.instance": .string("0")]),
        dictionary(["Placekeeper.object": .integer(0)]), dictionary(["Placekeeper.dictionary": .integer(0)]),
        .dictionary(["NS.keys": .array([.integer(1)]), "NS.objects": .array([.integer(1)])]),
        .dictionary(["other": .integer(1)]),
    ])
    func refusesMalformedState(value: PropertyListValue) throws {
        let plist = KeyedPlist(top: [
            "Placekeeper.formatVersion": .integer(1), "Placekeeper.application": Self.dictionary(["key": value]),
        ])
        let refusal = Refusal { () throws(ArchiveError) in _ = try StateArchive(reading: (try? plist.bytes()) ?? []) }
        #expect(refusal.code == .state)
    }

    @Test func refusesStateThatExpandsBeyondTheFilesSize() throws {
        var objects: [PropertyListValue] = [.string("$null")]
        for level in 1...30 {
            let next = PropertyListValue.uid(UInt32(level + 1))
            objects.append(.dictionary(["NS.objects": .array([PropertyListValue](repeating: next, count: 10))]))
        }
        objects.append(.string("leaf"))
        let top: [String: PropertyListValue] = [
            "Placekeeper.formatVersion": .integer(1), "Placekeeper.application": Self.dictionary(["key": .uid(1)]),
        ]
        let bytes = try KeyedPlist(top: top, objects: objects).bytes()
        #expect(Refusal(of: bytes).code == nil)
        let refusal = Refusal { () throws(ArchiveError) in _ = try StateArchive(reading: bytes) }
        #expect(refusal.code == .expansion)
    }

    /// A string is hashed and written again for each reference that has it, so the reader limits how many references
    /// can share a long string.
    @Test(arguments: ["dataSource", "role", "identifier", "alias"])
    func refusesReferenceTextsThatExpandBeyondTheFilesSize(what: String) throws {
        func refusal(repeating text: String) throws -> Refusal {
            let long = what == "alias" ? ["aliases": Self.array([.uid(1)])] : [what: PropertyListValue.uid(1)]
            let short: [String: PropertyListValue] = ["dataSource": .string("photos"), "role": .string("selected")]
            let reference = short.merging(long) { $1 }.sorted { $0.key < $1.key }
            let objects: [PropertyListValue] = [
                .string("$null"), .string(text),
                .dictionary([
                    "NS.keys": .array(reference.map { .string($0.key) }), "NS.objects": .array(reference.map(\.value)),
                ]),
            ]
            let references = PropertyListValue.dictionary([
                "NS.objects": .array([PropertyListValue](repeating: .uid(2), count: 2000))
            ])
            let top: [String: PropertyListValue] = [
                "Placekeeper.formatVersion": .integer(1), "Placekeeper.references": references,
                "filler": .data([UInt8](repeating: 0, count: 50_000)),
            ]
            return Refusal(of: try KeyedPlist(top: top, objects: objects).bytes())
        }
        #expect(try refusal(repeating: String(repeating: "a", count: 64)).code == nil)
        #expect(try refusal(repeating: String(repeating: "a", count: 1000)).code == .expansion)
    }

    @Test func refusesForeignArchives() throws {
        let bytes = try KeyedPlist().bytes()
        #expect(Refusal(of: bytes).code == nil)
        let refusal = Refusal { () throws(ArchiveError) in _ = try StateArchive(reading: bytes) }
        #expect(refusal.code == .foreign)
    }

    static func array(_ elements: [PropertyListValue]) -> PropertyListValue {
        .dictionary(["NS.objects": .array(elements)])
    }

    static func reference(_ entries: KeyValuePairs<String, PropertyListValue>) -> PropertyListValue {
        .dictionary([
            "NS.keys": .array(["dataSource", "role"].map { .string($0) } + entries.map { .string($0.key) }),
            "NS.objects": .array(["photos", "selected"].map { .string($0) } + entries.map(\.value)),
        ])
    }

    static func step(progress: PropertyListValue) -> PropertyListValue {
        dictionary(["screen": .string("a"), "progress": progress])
    }

    static func dictionary(_ entries: KeyValuePairs<String, PropertyListValue>) -> PropertyListValue {
        .dictionary([
            "NS.keys": .array(entries.map { .string($0.key) }), "NS.objects": .array(entries.map(\.value)),
        ])
    }
}
