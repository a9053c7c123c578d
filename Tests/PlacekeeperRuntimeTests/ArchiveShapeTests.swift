import Foundation
import PlacekeeperArchive
import PlacekeeperStandIns
import PlacekeeperRuntime
import Testing

/// Tests that other tools can read the runtime's archives.
@MainActor
struct ArchiveShapeTests {
    private func archive() throws -> StateArchive {
        let tabs = TabBarController().named("TabController")
        let navigation = NavigationController(root: Screen("First", text: "é")).named("NavigationController")
        navigation.push(Screen("SecondViewController"))
        tabs.viewControllers = [Screen("Other"), navigation]
        tabs.selected = navigation
        let app = TestApp(tabs)
        app.willEncode = { $0.encode(Date(timeIntervalSinceReferenceDate: 1), forKey: "since") }
        return try #require(try app.save())
    }

    private static let children = [
        "TabController/NavigationController/First", "TabController/NavigationController/SecondViewController",
    ]

    @Test func containersUseTheKeysOfUIKitArchives() throws {
        let objects = try archive().objects
        #expect(
            objects.first?.state["kTabBarSelectedViewControllerKey"]
                == .object(path: "TabController/NavigationController"))
        let navigation = objects.first { $0.className == "NavigationController" }
        #expect(
            navigation?.state["kUIViewControllerChildrenKey"] == .array(Self.children.map { .object(path: $0) }))
    }

    @Test func foundationReadsArchivesWithPropertyListClassesOnly() throws {
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: Data(archive().encoded()))
        unarchiver.requiresSecureCoding = true
        func decode(_ key: String) -> Any? {
            unarchiver.decodeObject(
                of: [NSArray.self, NSDictionary.self, NSString.self, NSNumber.self, NSDate.self, NSData.self],
                forKey: key)
        }
        #expect(decode(ReservedKey.bundleVersion) as? String == "1")
        #expect(decode(ReservedKey.systemVersion) as? String == "17.4")
        #expect(decode(ReservedKey.timestamp) as? Date == Date(timeIntervalSinceReferenceDate: 800_000_000))
        #expect((decode("Placekeeper.application") as? [String: Any])?["since"] is Date)
        let objects = try #require(decode("Placekeeper.objects") as? [[String: Any]])
        #expect(objects.contains { ($0["state"] as? [String: Any])?["text"] as? String == "é" })
    }

    private nonisolated static let python = ["/usr/bin/python3", "/usr/local/bin/python3"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    @Test(.enabled(if: python != nil))
    func pythonReadsArchives() throws {
        let script = """
            from plistlib import load
            from sys import argv
            archive = load(open(argv[1], "rb"))
            objects = archive["$objects"]
            def read(uid):
                value = objects[uid.data]
                if not isinstance(value, dict): return value
                values = [read(element) for element in value.get("NS.objects", [])]
                if "NS.keys" in value: return dict(zip([read(key) for key in value["NS.keys"]], values))
                return value["NS.time"] if "NS.time" in value else values
            top = {key: read(uid) for key, uid in archive["$top"].items()}
            assert archive["$archiver"] == "NSKeyedArchiver" and archive["$version"] == 100000
            navigation = [o for o in top["Placekeeper.objects"] if o["class"] == "NavigationController"][0]
            children = navigation["state"]["kUIViewControllerChildrenKey"]
            assert [child["Placekeeper.object"] for child in children] == argv[2:]
            """
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).plist")
        try Data(archive().encoded()).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(Self.python))
        process.arguments = ["-c", script, file.path] + Self.children
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }
}
