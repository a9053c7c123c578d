import PlacekeeperArchive
import PlacekeeperStandIns
import PlacekeeperRuntime
import Testing

@MainActor
struct RestoringTests {
    private typealias Made = LookUpTests.Made

    private func next(_ roots: any RestorableViewController...) -> TestApp {
        let app = TestApp()
        app.roots = roots
        app.environment.add(Made.self)
        return app
    }

    @Test("seed 3 · shouldRestore can read the values that shouldSave encoded", .tags(.seed))
    func readsValuesOfShouldSaveInShouldRestore() throws {
        final class Versioned: ApplicationRestorationDelegate {
            var read = 0.0
            func shouldSaveApplicationState(_ coder: StateEncoder) -> Bool {
                coder.encode(11.0, forKey: "MyAppVersion")
                return true
            }
            func shouldRestoreApplicationState(_ coder: StateDecoder) -> Bool {
                read = coder.decodeDouble(forKey: "MyAppVersion")
                return true
            }
        }
        let app = TestApp(Screen("Root"))
        let delegate = Versioned()
        app.environment.delegate = delegate
        try app.restore(app.save())
        #expect(delegate.read == 11)
    }

    @Test("seed 9 · an object that is not saved still appears as the app makes it at launch", .tags(.seed))
    func keepsUnsavedObjectsOfTheLaunch() throws {
        func interface() -> TabBarController {
            let tabs = TabBarController().named("Tabs")
            tabs.viewControllers = [Screen(nil, text: "default"), Screen("Other", text: "default")]
            return tabs
        }
        let tabs = interface()
        for case let screen as Screen in tabs.viewControllers { screen.text = "changed" }
        let restored = interface()
        try next(restored).restore(TestApp(tabs).save())
        #expect(restored.viewControllers.compactMap { ($0 as? Screen)?.text } == ["default", "changed"])
    }

    @Test("seed 21 · a presented object whose restoration class returns nil is not presented", .tags(.seed))
    func doesNotPresentMissingObject() throws {
        for (text, isPresented) in [("here", true), ("gone", false)] {
            let root = Screen("Root")
            root.present(Made("Sheet", text: text))
            let restored = Screen("Root")
            try next(restored).restore(TestApp(root).save())
            #expect((restored.presented != nil) == isPresented)
        }
    }

    @Test(
        "seed 22 · a pushed object whose restoration class returns nil ends the stack", .tags(.seed), arguments: 1...4)
    func endsTheStackAtAMissingObject(at gone: Int) throws {
        func root() -> NavigationController { NavigationController(root: Screen("List")).named("Root") }
        let navigation = root()
        for index in 1...4 { navigation.push(Made("Level\(index)", text: index == gone ? "gone" : "here")) }
        let restored = root()
        let app = next(restored)
        try app.restore(TestApp(navigation).save())
        #expect(
            restored.viewControllers.map(\.restorationIdentifier) == ["List"] + (1..<gone).map { "Level\($0)" })
        #expect(app.journal.events.contains(.truncated(path: "Root", kept: gone, of: 5)))

        // If the bottom is gone, the stack of the launch stays.
        navigation.viewControllers.removeFirst(gone)
        try app.restore(TestApp(navigation).save())
        #expect(restored.viewControllers.first?.restorationIdentifier == "List")
    }

    @Test("seed 73 · a pushed screen without an identifier ends the restored stack", .tags(.seed), arguments: 1...4)
    func endsTheStackAtAnUnnamedScreen(at unnamed: Int) throws {
        func root() -> NavigationController { NavigationController(root: Screen("List")).named("Root") }
        let navigation = root()
        for index in 1...4 {
            navigation.push(index == unnamed ? Screen(nil) : Made("Level\(index)", text: "text \(index)"))
        }
        let restored = root()
        let app = next(restored)
        try app.restore(TestApp(navigation).save())
        #expect(
            restored.viewControllers.map(\.restorationIdentifier) == ["List"] + (1..<unnamed).map { "Level\($0)" })
        #expect(app.journal.events.contains(.truncated(path: "Root", kept: unnamed, of: 5)))
    }

    @Test("seed 73 · an unnamed screen that the app pushes at launch does not end the stack", .tags(.seed))
    func keepsUnnamedScreensPushedAtLaunch() throws {
        func root() -> NavigationController {
            let root = NavigationController(root: Screen(nil, text: "welcome")).named("Root")
            // A view controller that is not saved.
            root.push(ActivityViewController().named("Share"))
            return root
        }
        let navigation = root()
        navigation.push(Made("Detail", text: "item"))
        let restored = root()
        let launched = restored.viewControllers
        try next(restored).restore(TestApp(navigation).save())
        #expect(restored.viewControllers.prefix(2).map(ObjectIdentifier.init) == launched.map(ObjectIdentifier.init))
        #expect((restored.top as? Screen)?.text == "item")
    }

    @Test(
        "seed 23 · all objects are created before any object decodes; the archive has the restoration class",
        .tags(.seed))
    func createsAllObjectsBeforeDecoding() throws {
        let app = TestApp()
        app.roots = [NavigationController(root: Screen("List", journal: app.journal)).named("Root"), Made("Other")]
        let archive = try app.save()
        #expect(archive?.objects.map(\.restorationClass) == [nil, nil, "PlacekeeperRuntimeTests.LookUpTests.Made"])
        let restored = next()
        restored.roots = [NavigationController(root: Screen("List", journal: restored.journal)).named("Root")]
        try restored.restore(archive)
        let steps = restored.journal.events.compactMap { event -> String? in
            switch event {
            case .found(let path, _): "found \(path)"
            case .decoded(let path): "decoded \(path)"
            default: nil
            }
        }
        #expect(
            steps == [
                "found Root", "found Root/List", "found Other", "decoded Root", "decoded Root/List", "decoded Other",
            ])
    }

    @Test("seed 24 · containers restore order and selection", .tags(.seed))
    func restoresOrderAndSelectionOfContainers() throws {
        func interface() -> TabBarController {
            let tabs = TabBarController().named("Tabs")
            tabs.viewControllers = ["A", "B", "C"].map {
                NavigationController(root: Screen("List")).named($0)
            }
            return tabs
        }
        let tabs = interface()
        tabs.selected = tabs.viewControllers[1]
        for identifier in ["One", "Two"] { (tabs.selected as? NavigationController)?.push(Made(identifier)) }
        tabs.present(Made("Sheet", text: "sheet"))
        let restored = interface()
        try next(restored).restore(TestApp(tabs).save())
        #expect(restored.selected === restored.viewControllers[1])
        #expect(
            (restored.selected as? NavigationController)?.viewControllers.map(\.restorationIdentifier)
                == ["List", "One", "Two"])
        #expect((restored.presented as? Screen)?.text == "sheet")
        for index in tabs.viewControllers.indices {
            tabs.selected = tabs.viewControllers[index]
            let other = interface()
            other.selected = other.viewControllers[(index + 1) % 3]
            try next(other).restore(TestApp(tabs).save())
            #expect(other.selected === other.viewControllers[index])
        }
    }

    @Test("seed 24 · a split view restores both columns, and which of them is in front", .tags(.seed))
    func restoresColumns() throws {
        for showsSecondary in [true, false] {
            let split = SplitViewController().named("Split")
            (split.primary, split.secondary) = (Made("Folder", text: "folder"), Made("Detail", text: "item"))
            (split.isCollapsed, split.showsSecondary) = (true, showsSecondary)
            split.present(Made("Sheet", text: "sheet"))
            let expanded = SplitViewController().named("Split")
            (expanded.primary, expanded.showsSecondary) = (Screen("Sidebar"), !showsSecondary)
            try next(expanded).restore(TestApp(split).save())
            #expect((expanded.primary as? Screen)?.text == "folder")
            #expect((expanded.secondary as? Screen)?.text == "item")
            #expect((expanded.presented as? Screen)?.text == "sheet")
            #expect(expanded.showsSecondary == showsSecondary)
            #expect(expanded.visible.count == 2)
        }
    }

    @Test("seed 30 · a container has its children when it decodes, even if it does not call super", .tags(.seed))
    func restoresChildrenBeforeOwnState() throws {
        final class Badge: NavigationController {
            private(set) var seen: [String?] = []
            override func encodeRestorableState(with coder: StateEncoder) {}
            override func decodeRestorableState(with coder: StateDecoder) throws {
                seen = viewControllers.map(\.restorationIdentifier)
            }
        }
        func root() -> Badge { Badge(root: Screen("List")).named("Root") }
        let (saved, restored) = (root(), root())
        saved.push(Made("Page"))
        try next(restored).restore(TestApp(saved).save())
        #expect(restored.seen == ["List", "Page"])
    }

    @Test("seed 25 · old data reaches the right tab after the tabs changed places", .tags(.seed))
    func followsReorderedTabs() throws {
        func tabs(_ identifiers: [String]) -> TabBarController {
            let tabs = TabBarController().named("Tabs")
            tabs.viewControllers = identifiers.map { Screen($0) }
            return tabs
        }
        let saved = tabs(["A", "B", "C"])
        for case let screen as Screen in saved.viewControllers {
            screen.text = "text of \(screen.restorationIdentifier!)"
        }
        saved.selected = saved.viewControllers[0]
        let restored = tabs(["C", "A", "D", "B"])
        try next(restored).restore(TestApp(saved).save())
        #expect(
            restored.viewControllers.compactMap { ($0 as? Screen)?.text } == [
                "text of C", "text of A", "", "text of B",
            ])
        #expect(restored.selected === restored.viewControllers[1])
    }

    @Test("seed 38 · didDecode reads the values that willEncode saved, after every object was decoded", .tags(.seed))
    func callsDidDecodeAfterAllObjects() throws {
        let app = TestApp(Screen("A"))
        app.willEncode = { $0.encode(3, forKey: "interface") }
        let restored = TestApp()
        restored.roots = [Screen("A", journal: restored.journal)]
        var read = 0
        restored.didDecode = { read = $0.decodeInteger(forKey: "interface") }
        try restored.restore(app.save())
        #expect(read == 3)
        #expect(restored.journal.calls.suffix(4) == ["decode A", "didDecode", "finished A", "finished"])
    }

    @Test(
        "seed 64 · a prebuilt screen needs only an identifier; a screen that a person opened also needs a class",
        .tags(.seed))
    func restoresOpenedScreenOnlyWithRestorationClass() throws {
        func root() -> NavigationController { NavigationController(root: Screen("List")).named("Root") }
        for (opened, count) in [(Made("Help"), 2), (Screen("Help"), 1)] {
            let navigation = root()
            navigation.push(opened)
            let restored = root()
            try next(restored).restore(TestApp(navigation).save())
            #expect(restored.viewControllers.count == count)
        }
        // A screen without a restoration class is found, even if its class could make it.
        let (saved, prebuilt) = (Made("List", text: "saved"), Made("List", text: "default"))
        (saved.restorationClass, prebuilt.restorationClass) = (nil, nil)
        let archive = try #require(try TestApp(saved).save())
        #expect(archive.objects.map(\.restorationClass) == [nil])
        try next(prebuilt).restore(archive)
        #expect(prebuilt.text == "saved")
    }

    @Test(
        "seed 65 · view controllers that a custom root saves in willEncode are asked for, and then decoded",
        .tags(.seed))
    func restoresViewControllersSavedInWillEncode() throws {
        let app = TestApp()
        let editor = Screen("Editor", text: "draft")
        app.willEncode = { $0.encode(editor, forKey: "editor") }
        let archive = try app.save()
        #expect(archive?.objects.map(\.path) == ["Editor"])

        let restored = TestApp()
        let made = Screen("Editor", journal: restored.journal)
        restored.make = { path, _ in path == ["Editor"] ? made : nil }
        var decoded: Screen?
        restored.didDecode = { decoded = $0.decodeObject(forKey: "editor") }
        try restored.restore(archive)
        #expect(decoded === made)
        #expect(made.text == "draft")
        #expect(restored.journal.calls.prefix(3) == ["shouldRestore", "delegate Editor", "decode Editor"])
    }

    @Test("seed 65 · a factory that decodes an object asks for that object first", .tags(.seed))
    func asksForAnObjectThatAFactoryDecodes() throws {
        let (editor, page) = (Scripted("Editor"), Screen("Page", text: "one"))
        editor.save = { $0.encode(page, forKey: "page") }
        let restored = TestApp()
        let made = Screen("Page", journal: restored.journal)
        var (decoded, early): (Screen?, String?)
        restored.make = { path, coder in
            guard path == ["Editor"] else { return made }
            decoded = coder.decodeObject(forKey: "page")
            early = decoded?.text
            return Scripted("Editor")
        }
        try restored.restore(TestApp(editor).save())
        #expect(decoded === made)
        #expect(early == "")
        #expect(made.text == "one")
        #expect(
            restored.journal.calls.prefix(4) == ["shouldRestore", "delegate Editor", "delegate Page", "decode Page"])
    }

    @Test func reportsObjectThatFailsToDecode() throws {
        struct Unreadable: Error {}
        final class Failing: Screen {
            override func decodeRestorableState(with coder: StateDecoder) throws { throw Unreadable() }
        }
        let restored = next(Screen("A"), Failing("B"), Screen("C"))
        let restoration = try restored.restore(
            TestApp(Screen("A", text: "a"), Screen("B"), Screen("C", text: "c")).save())
        #expect(restoration.failed == ["B"])
        #expect(restored.roots.compactMap { ($0 as? Screen)?.text } == ["a", "", "c"])
    }

    @Test func doesNotDecodeObjectOfUnrelatedClass() throws {
        let restored = next(Screen("A"))
        restored.make = { _, _ in View2("A") }
        final class View2: Screen {}
        final class Elsewhere: ViewController {}
        let archive = try TestApp(Screen("A", text: "a")).save()
        try restored.restore(archive)
        #expect(restored.journal.events.contains(.decoded(path: "A")))
        restored.make = { _, _ in Elsewhere().named("A") }
        try restored.restore(archive)
        #expect(
            restored.journal.events.contains(
                .otherClass(
                    path: "A", saved: "PlacekeeperRuntimeTests.Screen",
                    found: "PlacekeeperRuntimeTests.RestoringTests.Elsewhere")))
    }
}
