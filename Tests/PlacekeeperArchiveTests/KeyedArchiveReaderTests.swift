import Foundation
import PlacekeeperArchive
import Testing

struct KeyedArchiveReaderTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var plist: KeyedPlist
        var code: ArchiveError.Code?

        init(_ name: String, _ plist: KeyedPlist, _ code: ArchiveError.Code?) {
            testDescription = name
            self.plist = plist
            self.code = code
        }
    }

    static let object = PropertyListValue.dictionary(["$class": .uid(2)])

    @Test(arguments: [
        Case("an empty archive", KeyedPlist(), nil),
        Case("no objects", KeyedPlist(objects: []), nil),
        Case("numbers inline", KeyedPlist(top: ["n": .integer(7), "r": .real(0.5)]), nil),
        Case("another version of the archiver", KeyedPlist(version: .integer(1)), .version),
        Case("no version", KeyedPlist(version: nil), .version),
        Case("a version as text", KeyedPlist(version: .string("100000")), .version),
        Case("no archiver", KeyedPlist(archiver: nil), .notKeyedArchive),
        Case("another archiver", KeyedPlist(archiver: .string("NSArchiver")), .archiver),
        Case("an archiver that is a number", KeyedPlist(archiver: .integer(1)), .archiver),
        Case("no top", KeyedPlist(top: nil), .topKeys),
        Case("no object table", KeyedPlist(objects: nil), .objects),
        Case("a UID beyond the objects", KeyedPlist(top: ["root": .uid(1)]), .uidRange),
        Case("a UID without objects", KeyedPlist(top: ["root": .uid(0)], objects: []), .uidRange),
        Case("a class", KeyedPlist(objects: [.string("$null"), object, .classRecord("A")]), nil),
        Case(
            "a class with a mapped name, which has no superclasses",
            KeyedPlist(objects: [.string("$null"), object, .dictionary(["$classname": .string("A")])]), nil),
        Case("a class that is text", KeyedPlist(objects: [.string("$null"), object, .string("A")]), .classRecord),
        Case(
            "a class that is not a UID",
            KeyedPlist(objects: [.dictionary(["$class": .string("A")])]), .classRecord),
        Case(
            "a class without a name",
            KeyedPlist(objects: [.string("$null"), object, .dictionary(["$classes": .array([])])]), .classRecord),
        Case(
            "a class whose classes are numbers",
            KeyedPlist(objects: [
                .string("$null"), object,
                .dictionary(["$classname": .string("A"), "$classes": .array([.integer(1)])]),
            ]), .classRecord),
        Case(
            "more keys than objects",
            KeyedPlist(objects: [
                .dictionary(["NS.keys": .array([.uid(0), .uid(0)]), "NS.objects": .array([.uid(0)])])
            ]), .keyCount),
        Case("keys without objects", KeyedPlist(objects: [.dictionary(["NS.keys": .array([])])]), .keyCount),
        Case(
            "keys that are not an array",
            KeyedPlist(objects: [.dictionary(["NS.keys": .integer(1), "NS.objects": .array([])])]), .keyCount),
        Case(
            "objects in a circle",
            KeyedPlist(
                top: ["root": .uid(1)],
                objects: [
                    .string("$null"), .dictionary(["$class": .uid(2), "NS.objects": .array([.uid(1)])]),
                    .classRecord("NSArray"),
                ]), nil),
    ])
    func validatesKeyedArchives(given: Case) throws {
        #expect(Refusal(of: try given.plist.bytes()).code == given.code)
    }

    @Test(arguments: [PropertyListValue.array([]), .string("a"), .dictionary([:])])
    func refusesPropertyListThatIsNotAKeyedArchive(value: PropertyListValue) throws {
        let bytes = try value.encoded()
        #expect(Refusal(ofList: bytes).code == nil)
        #expect(Refusal(of: bytes).code == .notKeyedArchive)
    }

    @Test func readsReservedKeysInlineAndAsObjects() throws {
        let inline = KeyedPlist(top: [
            "UIApplicationStateRestorationUserInterfaceIdiom": .integer(1),
            "UIApplicationStateRestorationBundleVersion": .string("7"),
            "UIApplicationStateRestorationTimestamp": .date(5),
        ])
        let objects = KeyedPlist(
            top: [
                "UIApplicationStateRestorationUserInterfaceIdiom": .uid(1),
                "UIApplicationStateRestorationBundleVersion": .uid(2),
                "UIApplicationStateRestorationTimestamp": .uid(3),
                "UIApplicationStateRestorationSystemVersion": .uid(0),
            ],
            objects: [
                .string("$null"), .integer(1), .dictionary(["$class": .uid(4), "NS.string": .string("7")]),
                .dictionary(["$class": .uid(5), "NS.time": .real(5)]), .classRecord("NSMutableString"),
                .classRecord("NSDate"),
            ])
        for plist in [inline, objects] {
            let summary = try ArchiveSummary(reading: plist.bytes())
            #expect(summary.idiom == 1)
            #expect(summary.bundleVersion == "7")
            #expect(summary.timestamp == 5)
            #expect(summary.systemVersion == nil)
            #expect(summary.formatVersion == nil)
            #expect(summary.placeTitles.isEmpty)
        }
    }

    @Test(arguments: [
        ("UIApplicationStateRestorationUserInterfaceIdiom", PropertyListValue.string("phone")),
        ("UIApplicationStateRestorationUserInterfaceIdiom", .real(0.5)),
        ("UIApplicationStateRestorationUserInterfaceIdiom", .real(.nan)),
        ("UIApplicationStateRestorationBundleVersion", .integer(1)),
        ("UIApplicationStateRestorationBundleVersion", .string(String(repeating: "1", count: 129))),
        ("UIApplicationStateRestorationTimestamp", .real(0)),
        ("Placekeeper.formatVersion", .string("1")),
    ])
    func refusesReservedKeysOfWrongType(key: String, value: PropertyListValue) throws {
        #expect(Refusal(of: try KeyedPlist(top: [key: value]).bytes()).code == .reservedKey)
    }

    @Test func readsArchivesWrittenByFoundation() throws {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        archiver.encode("43" as NSString, forKey: "UIApplicationStateRestorationBundleVersion")
        archiver.encode(
            Date(timeIntervalSinceReferenceDate: 9) as NSDate, forKey: "UIApplicationStateRestorationTimestamp")
        archiver.encode(1, forKey: "UIApplicationStateRestorationUserInterfaceIdiom")
        archiver.encode(["a": [1, 2.5, true], "b": Data([1])] as NSDictionary, forKey: "extra")
        archiver.finishEncoding()
        let summary = try ArchiveSummary(reading: [UInt8](archiver.encodedData))
        #expect(summary.bundleVersion == "43")
        #expect(summary.timestamp == 9)
        #expect(summary.idiom == 1)
    }

    @Test func validatesSharedRecordsOnce() throws {
        // Twenty thousand objects share one record of a thousand keys, so the reader must validate the record only
        // once.
        var writer = BinaryPropertyListWriter()
        let keys = (0..<1000).map { writer.add("key\($0)") }
        let zero = writer.add(0 as Int64)
        let shared = writer.addDictionary(
            keys: keys, values: [BinaryPropertyListWriter.Reference](repeating: zero, count: 1000))
        let objects = writer.addArray([BinaryPropertyListWriter.Reference](repeating: shared, count: 20_000))
        let names = ["$archiver", "$version", "$top", "$objects"].map { writer.add($0) }
        let values = [
            writer.add("NSKeyedArchiver"), writer.add(100_000 as Int64), writer.addDictionary(keys: [], values: []),
            objects,
        ]
        let root = writer.addDictionary(keys: names, values: values)
        let bytes = writer.finish(top: root)
        #expect(throws: Never.self) { try ArchiveSummary(reading: bytes) }
        #expect(throws: Never.self) { try ArchiveInspection(reading: bytes) }
    }
}
