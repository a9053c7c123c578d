import Foundation
import PlacekeeperArchive
import Testing

struct ArchiveInspectionTests {
    @Test func printsClassesThenTopLevelThenEachObject() throws {
        let inspection = try ArchiveInspection(reading: Samples.photos.encoded())
        #expect(inspection.description == Self.photos)
    }

    @Test func printsTheProgressOfAStep() throws {
        let place = Place([.init(screen: "book", title: "Moby-Dick", progress: 0.42)])
        let inspection = try ArchiveInspection(reading: StateArchive(place: place).encoded())
        #expect(inspection.description.contains("progress: 0.42"))
        #expect(inspection.json.contains(#""progress":0.42"#))
    }

    @Test func printsJSONThatFoundationReads() throws {
        let inspection = try ArchiveInspection(reading: Samples.photos.encoded())
        let json = try JSONSerialization.jsonObject(with: Data(inspection.json.utf8)) as? [String: Any]
        let objects = try #require(json?["objects"] as? [[String: Any]])
        #expect(objects.map { $0["name"] as? String } == ["Tabs", "Tabs/Albums", "filter", "Tabs/Albums/Photo", "#0"])
        let entries = try #require(objects[3]["entries"] as? [String: Any])
        #expect((entries["parent"] as? [String: String]) == ["object": "Tabs"])
        #expect((entries["opened"] as? [String: String]) == ["date": "2000-12-31T23:59:59Z"])
        #expect(entries["extremes"] as? [AnyHashable] == ["inf", Int64.max, -1, 0])
    }

    @Test func printsObjectsOfForeignArchivesByNumber() throws {
        let measurement = NSKeyedArchiver(requiringSecureCoding: false)
        measurement.encode(7, forKey: "count")
        measurement.encode(NSMeasurement(doubleValue: 2.5, unit: UnitLength.meters), forKey: "length")
        measurement.finishEncoding()
        let text = try ArchiveInspection(reading: [UInt8](measurement.encodedData)).description
        #expect(text.contains("Top Level\n    count.... 7\n    length... #1 (NSMeasurement)\n"))
        #expect(text.contains("[Object] #1 (Class: NSMeasurement)\n"))
        #expect(text.contains("NS.value... 2.5\n"))
    }

    @Test func printsTheMappedNameOfAClass() throws {
        let bytes = try KeyedPlist(
            top: ["root": .uid(1)],
            objects: [
                .string("$null"), .dictionary(["$class": .uid(2), "page": .integer(40)]),
                .dictionary(["$classname": .string("Book")]),
            ]
        ).bytes()
        let text = try ArchiveInspection(reading: bytes).description
        #expect(text.contains("[Object] #1 (Class: Book)\n    page... 40\n"))
    }

    @Test func limitsOutputForCircularReferences() throws {
        // An array that contains itself many times. Without a limit, the inspection would never end.
        let itself = [PropertyListValue](repeating: .uid(1), count: 5000)
        let bytes = try KeyedPlist(
            top: ["root": .uid(1)],
            objects: [
                .string("$null"), .dictionary(["$class": .uid(2), "NS.objects": .array(itself)]),
                .classRecord("NSArray"),
            ]
        ).bytes()
        let text = try ArchiveInspection(reading: bytes).description
        #expect(text.contains("…"))
        #expect(text.utf8.count < 100_000)
    }

    @Test func limitsOutputForSharedText() throws {
        let text = StateValue.string(String(repeating: "x", count: 500))
        let archive = StateArchive(objects: [
            RestorableObject(
                path: "a", kind: .view, className: "V",
                state: ["texts": .array([StateValue](repeating: text, count: 2000))])
        ])
        let bytes = try archive.encoded()
        #expect(bytes.count < 10_000)
        let inspection = try ArchiveInspection(reading: bytes)
        #expect(inspection.json.utf8.count < 20 * bytes.count + 100_000)
    }

    @Test func writesEveryKindOfTextAsJSON() throws {
        let scalars: [ClosedRange<UInt32>] = [0...0x2FF, 0x1FFE...0x2040, 0xE27F...0xE2AA, 0x1F600...0x1F610]
        let text = String(String.UnicodeScalarView(scalars.flatMap { $0 }.compactMap { Unicode.Scalar($0) }))
        let inspection = try ArchiveInspection(reading: StateArchive(application: [text: .string(text)]).encoded())
        let json = try JSONSerialization.jsonObject(with: Data(inspection.json.utf8)) as? [String: Any]
        #expect((json?["topLevel"] as? [String: Any])?[text] as? String == text)
        let controls = inspection.json.unicodeScalars.filter {
            $0.value < 0x20 || (0x7F...0x9F).contains($0.value) || (0x2028...0x2029).contains($0.value)
        }
        #expect(controls.isEmpty)
    }

    /// A control character takes six characters in JSON.
    @Test func limitsOutputForControlCharacters() throws {
        let text = StateValue.string(String(repeating: "\u{1}", count: 20_000))
        let archive = StateArchive(application: ["texts": .array([StateValue](repeating: text, count: 100))])
        let bytes = try archive.encoded()
        #expect(try ArchiveInspection(reading: bytes).json.utf8.count < 8 * bytes.count + 80_000)
    }

    @Test func escapesControlCharacters() throws {
        let archive = StateArchive(objects: [
            RestorableObject(
                path: "a\u{1B}[2J\nb", kind: .view, className: "V", state: ["k\u{7}": .string("x\u{202E}y")])
        ])
        let text = try ArchiveInspection(reading: archive.encoded()).description
        #expect(text.contains("[View] a\\u{1b}[2J\\u{a}b (Class: V)"))
        #expect(text.contains("k\\u{7}... \"x\\u{202e}y\""))
    }

    static let photos = """
        Restoration Classes
            Tabs/Albums/Photo... PhotoViewController

        Top Level
            Placekeeper.formatVersion......................... 1
            Placekeeper.layout................................ "compact"
            Placekeeper.stateVersion.......................... 3
            UIApplicationStateRestorationBundleVersion........ "42"
            UIApplicationStateRestorationSystemVersion........ "17.4"
            UIApplicationStateRestorationTimestamp............ 2026-05-09T06:13:20.500Z
            UIApplicationStateRestorationUserInterfaceIdiom... 0
            launches.......................................... 7

        Place
            1 albums... {title: "Albums"}
            2 album.... {title: "Sommer in Zürich", references: [Model Reference: 1]}
            3 photo.... {references: [Model Reference: 0], parameters: {zoom: 2.5}}

        Model References
            0 photos... {identifier: "p12", aliases: ["sha256:ab", "cloud:9"], role: "selected", before: [{identifier: "p11"}], after: [{identifier: "p13", aliases: ["cloud:10"]}, {identifier: "p14"}]}
            1 albums... {identifier: nil, role: "firstVisible", indexPath: [0, 3]}

        [View Controller] Tabs (Class: UITabBarController)
            Storyboard: Main (Identifier: Tabs)
            selected... Object Identifier Proxy: Tabs/Albums

        [View Controller] Tabs/Albums (Class: UINavigationController)

        [Restorable Object] filter (Class: Filter) (Registered)
            settings... #0 (FilterSettings)

        [View Controller] Tabs/Albums/Photo (Class: PhotoViewController)
            Storyboard: Main (Identifier: photo)
            draft....... nil
            extremes.... [inf, 9223372036854775807, -1, false]
            opened...... 2000-12-31T23:59:59Z
            options..... {: -9223372036854775808, Placekeeper.object: true}
            parent...... Object Identifier Proxy: Tabs
            photo....... Model Reference: 0
            tags........ ["été", "", "$null", 18446744073709551615]
            thumbnail... <3 bytes: 010203>
            zoomScale... 2.5

        [Instance] #0 (Class: FilterSettings)
            next....... #0 (FilterSettings)
            strength... 0.5

        """
}
