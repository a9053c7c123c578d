import Foundation
import PlacekeeperArchive
import Testing

struct StateArchiveTests {
    @Test func readsBackWrittenArchive() throws {
        let bytes = try Samples.photos.encoded()
        #expect(try StateArchive(reading: bytes) == Samples.photos)
        #expect(try Samples.photos.encoded() == bytes)
    }

    /// No shared aliases are not the same as unknown ones.
    @Test(arguments: [nil, [], ["title:Untitled"]])
    func readsBackSharedAliases(_ shared: [String]?) throws {
        let element = ModelReference.Element("p1", aliases: ["cloud:1"], sharedAliases: shared)
        let reference = ModelReference(dataSource: "photos", element: element, role: .selected, after: [element])
        let archive = StateArchive(references: [reference])
        #expect(try StateArchive(reading: archive.encoded()).references == [reference])
        #expect(try ReferenceTable(reading: archive.encoded()).references == [reference])
    }

    @Test func readsAndWritesTheFirstFormatByteForByte() throws {
        // Do not create this file again: archives of this format must stay readable.
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../Fuzz/seeds/archive/format-1.plist")
        let bytes = [UInt8](try Data(contentsOf: file))
        #expect(try StateArchive(reading: bytes) == Samples.photos)
        #expect(try Samples.photos.encoded() == bytes)
    }

    @Test func writesEqualArchivesAsEqualBytes() throws {
        let keys = [
            ["a", "b"], ["b", "c"], ["a", "b"], ["$null", "a"], ["$null", "a"], ["Placekeeper.x", "a"], ["a", "b"],
        ]
        func archive(_ order: ([String]) -> [String]) -> StateArchive {
            StateArchive(
                objects: keys.enumerated().map { number, keys in
                    var state: [String: StateValue] = [:]
                    for key in order(keys) { state[key] = .dictionary([key: .integer(Int64(number)), "z": .null]) }
                    return RestorableObject(path: "\(number)", kind: .view, className: "View", state: state)
                })
        }
        let bytes = try archive { $0 }.encoded()
        #expect(try StateArchive(reading: bytes) == archive { $0 })
        for _ in 0..<20 { #expect(try archive { $0.reversed() }.encoded() == bytes) }
    }

    @Test func summarizesWrittenArchive() throws {
        let summary = try ArchiveSummary(reading: Samples.photos.encoded())
        #expect(summary.formatVersion == 1)
        #expect(summary.bundleVersion == "42")
        #expect(summary.idiom == 0)
        #expect(summary.timestamp == 800_000_000.5)
        #expect(summary.systemVersion == "17.4")
        #expect(summary.stateVersion == 3)
        #expect(summary.layout == .compact)
        #expect(summary.placeTitles == ["Albums", "Sommer in Zürich", "photo"])
        #expect(summary.objectCount == 4)
        #expect(summary.referenceCount == 2)
    }

    @Test func isReadableByFoundationWithPropertyListClassesOnly() throws {
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: Data(Samples.photos.encoded()))
        unarchiver.requiresSecureCoding = true
        func decode(_ key: String) -> Any? {
            unarchiver.decodeObject(
                of: [NSArray.self, NSDictionary.self, NSString.self, NSNumber.self, NSDate.self, NSData.self],
                forKey: key)
        }
        #expect(decode("UIApplicationStateRestorationBundleVersion") as? String == "42")
        #expect(decode("UIApplicationStateRestorationUserInterfaceIdiom") as? Int == 0)
        #expect(
            decode("UIApplicationStateRestorationTimestamp") as? Date
                == Date(timeIntervalSinceReferenceDate: 800_000_000.5))
        let objects = try #require(decode("Placekeeper.objects") as? [[String: Any]])
        #expect(objects.map { $0["path"] as? String } == Samples.photos.objects.map(\.path))
        let state = try #require(objects.last?["state"] as? [String: Any])
        #expect(state["zoomScale"] as? Double == 2.5)
        #expect(state["thumbnail"] as? Data == Data([1, 2, 3]))
        #expect(state["opened"] as? Date == Date(timeIntervalSinceReferenceDate: -1))
        #expect((state["parent"] as? [String: Any])?["Placekeeper.object"] as? String == "Tabs")
        let references = try #require(decode("Placekeeper.references") as? [[String: Any]])
        #expect(references.first?["identifier"] as? String == "p12")
    }
}

enum Samples {
    static let photos = StateArchive(
        bundleVersion: "42", idiom: 0, timestamp: 800_000_000.5, systemVersion: "17.4", stateVersion: 3,
        layout: .compact, application: ["launches": .integer(7)],
        objects: [
            RestorableObject(
                path: "Tabs", kind: .viewController, className: "UITabBarController", storyboard: "Main",
                state: ["selected": .object(path: "Tabs/Albums")]),
            RestorableObject(path: "Tabs/Albums", kind: .viewController, className: "UINavigationController"),
            RestorableObject(
                path: "filter", kind: .object, className: "Filter", isRegistered: true,
                state: ["settings": .instance(0)]),
            RestorableObject(
                path: "Tabs/Albums/Photo", kind: .viewController, className: "PhotoViewController",
                restorationClass: "PhotoViewController", storyboard: "Main", storyboardIdentifier: "photo",
                state: [
                    "photo": .reference(0), "zoomScale": .real(2.5), "parent": .object(path: "Tabs"),
                    "thumbnail": .data([1, 2, 3]), "opened": .date(-1), "draft": .null,
                    "tags": .array([.string("été"), .string(""), .string("$null"), .unsigned(.max)]),
                    "options": .dictionary(["Placekeeper.object": .boolean(true), "": .integer(.min)]),
                    "extremes": .array([.real(.infinity), .integer(.max), .integer(-1), .boolean(false)]),
                ]),
        ],
        instances: [SavedInstance(className: "FilterSettings", state: ["next": .instance(0), "strength": .real(0.5)])],
        references: [
            ModelReference(
                dataSource: "photos", element: .init("p12", aliases: ["sha256:ab", "cloud:9"]), role: .selected,
                before: [.init("p11")], after: [.init("p13", aliases: ["cloud:10"]), .init("p14")]),
            ModelReference(dataSource: "albums", element: .init(nil), role: .firstVisible, indexPath: [0, 3]),
        ],
        place: Place([
            .init(screen: "albums", title: "Albums"),
            .init(screen: "album", title: "Sommer in Zürich", references: [1]),
            .init(screen: "photo", references: [0], parameters: ["zoom": .real(2.5)]),
        ]))
}
