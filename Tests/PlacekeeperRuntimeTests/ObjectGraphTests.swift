import PlacekeeperArchive
import PlacekeeperStandIns
import PlacekeeperRuntime
import Testing

/// Tests unusual object graphs.
@MainActor
struct ObjectGraphTests {
    /// A stack whose restoration class also makes the stack's first screen.
    private final class MadeStack: NavigationController, ViewControllerRestoration {
        static func interface() -> MadeStack {
            let stack = MadeStack(root: Screen("List")).named("Root")
            stack.restorationClass = MadeStack.self
            return stack
        }

        static func viewController(
            withRestorationIdentifierPath path: [String], coder: StateDecoder
        ) -> (any RestorableViewController)? { interface() }
    }

    /// A screen that refers to other objects.
    private final class Referring: Screen {
        var others: [any StateRestoring] = []
        var coder: StateDecoder?

        override func encodeRestorableState(with coder: StateEncoder) { coder.encode(others, forKey: "others") }
        override func decodeRestorableState(with coder: StateDecoder) throws {
            self.coder = coder
            others = coder.decodeObjects(forKey: "others")
        }
    }

    /// A registered object.
    private final class Filter: ObjectRestoration, StateRestoring {
        static var environment: RestorationEnvironment?
        var level: Int
        init(level: Int = 0) { self.level = level }
        var restorationClass: (any RestorationClass.Type)? { Filter.self }
        func encodeRestorableState(with coder: StateEncoder) { coder.encode(level, forKey: "level") }
        func decodeRestorableState(with coder: StateDecoder) { level = coder.decodeInteger(forKey: "level") }

        static func object(
            withRestorationIdentifierPath path: [String], coder: StateDecoder
        ) -> (any StateRestoring)? {
            let filter = Filter()
            environment?.registerObject(filter, restorationIdentifier: path.last ?? "")
            return filter
        }
    }

    @Test("seed 7 · an object below a nil identifier does not get state saved at an equal path", .tags(.seed))
    func prefersObjectThatIsNotBelowNil() throws {
        func interface() -> (TabBarController, hidden: Screen, named: Screen) {
            let (hidden, named) = (Screen("Detail", text: "default"), Screen("Detail", text: "default"))
            let tabs = TabBarController().named("Tabs")
            tabs.viewControllers = [NavigationController(root: hidden), named]
            return (tabs, hidden, named)
        }
        let saved = interface()
        (saved.hidden.text, saved.named.text) = ("hidden", "named")
        let restored = interface()
        try TestApp(restored.0).restore(TestApp(saved.0).save())
        #expect(restored.named.text == "named")
        #expect(restored.hidden.text == "default")

        // The same holds for an object that a restored object brings.
        let (launched, brought) = (interface(), interface())
        brought.0.viewControllers.removeLast()
        let app = TestApp(launched.0)
        app.make = { path, _ in path == ["Tabs"] ? brought.0 : nil }
        try app.restore(TestApp(saved.0).save())
        #expect(brought.hidden.text == "default")
    }

    @Test("seed 8 · an object that was saved before its container is found in the container", .tags(.seed))
    func makesContainersBeforeTheirChildren() throws {
        let (stack, root) = (MadeStack.interface(), Referring("Start"))
        root.others = [stack.viewControllers[0], stack]
        (stack.top as? Screen)?.text = "saved"
        let archive = try #require(try TestApp(root).save())
        #expect(archive.objects.map(\.path) == ["Start", "Root/List", "Root"])
        let restored = Referring("Start")
        let app = TestApp(restored)
        app.environment.add(MadeStack.self)
        try app.restore(archive)
        #expect((restored.others.first as? Screen)?.text == "saved")
        #expect(restored.others.count == 2)
    }

    @Test("seed 8 · the objects below a referenced object are saved with it", .tags(.seed))
    func savesDescendantsOfReferencedObject() throws {
        let (root, page, bar) = (Referring("Start"), Screen("Page"), View())
        bar.restorationIdentifier = "Bar"
        page.views = [bar]
        root.others = [page]
        #expect(try TestApp(root).save()?.objects.map(\.path) == ["Start", "Page", "Page/Bar"])
    }

    @Test("seed 34 · a registered object below a screen that a factory makes gets its state", .tags(.seed))
    func restoresObjectRegisteredBelowMadeScreen() throws {
        /// An object whose restoration parent is a screen. The screen does not refer to this object.
        final class Zoom: StateRestoring {
            let restorationParent: (any StateRestoring)?
            var factor: Int
            init(_ screen: Screen, factor: Int) { (restorationParent, self.factor) = (screen, factor) }
            func encodeRestorableState(with coder: StateEncoder) { coder.encode(factor, forKey: "factor") }
            func decodeRestorableState(with coder: StateDecoder) { factor = coder.decodeInteger(forKey: "factor") }
        }
        let (root, detail) = (Referring("Root"), Screen("Detail"))
        detail.restorationParent = root
        root.others = [detail]
        let saved = Zoom(detail, factor: 3)
        let app = TestApp(root)
        app.environment.registerObject(saved, restorationIdentifier: "Zoom")
        let archive = try app.save()
        #expect(archive?.objects.map(\.path) == ["Root", "Root/Detail/Zoom", "Root/Detail"])

        let next = TestApp(Referring("Root"))
        var made: Zoom?
        // No container and no other screen retains the screen that this closure makes.
        next.make = { path, _ in
            guard path == ["Root", "Detail"] else { return nil }
            let detail = Screen("Detail")
            made = Zoom(detail, factor: 1)
            next.environment.registerObject(made!, restorationIdentifier: "Zoom")
            return detail
        }
        try next.restore(archive)
        #expect(made?.factor == 3)
    }

    @Test(
        "seed 12 · an identifier that is invalid in a path is refused", .tags(.seed), arguments: [":[0]:", "a/b", ""])
    func refusesInvalidIdentifiers(identifier: String) {
        #expect(throws: PreservationError.invalidIdentifier(identifier, className: "PlacekeeperRuntimeTests.Screen")) {
            try TestApp(Screen(identifier)).save()
        }
    }

    @Test("seed 18 · an object that a restoration class makes replaces the object of the launch", .tags(.seed))
    func prefersObjectsThatRestorationClassMakes() throws {
        let saved = MadeStack.interface()
        (saved.top as? Screen)?.text = "saved"
        let prebuilt = MadeStack.interface()
        let app = TestApp(prebuilt)
        app.environment.add(MadeStack.self)
        app.willEncode = { $0.encode(saved, forKey: "stack") }
        var restored: MadeStack?
        app.didDecode = { restored = $0.decodeObject(forKey: "stack") }
        app.roots = [saved]
        let archive = try app.save()
        app.roots = [prebuilt]
        try app.restore(archive)
        #expect(restored !== prebuilt)
        #expect((restored?.top as? Screen)?.text == "saved")
        #expect(restored?.top?.parent === restored)
        #expect((prebuilt.top as? Screen)?.text == "")
    }

    @Test("seed 16 · an object that is transient at launch is found at its path", .tags(.seed))
    func findsObjectThatIsTransientAtLaunch() throws {
        final class Draft: Screen {
            override var isTransient: Bool { text.isEmpty }
        }
        let restored = Draft("Draft")
        try TestApp(restored).restore(TestApp(Draft("Draft", text: "half a")).save())
        #expect(restored.text == "half a")
    }

    @Test("seed 34 · an object replaces the object that was registered before at the same path", .tags(.seed))
    func replacesRegisteredObjects() throws {
        let (first, second) = (Filter(level: 1), Filter(level: 2))
        let app = TestApp()
        app.environment.registerObject(first, restorationIdentifier: "Filter")
        app.environment.registerObject(second, restorationIdentifier: "Filter")
        let archive = try app.save()
        #expect(archive?.objects.map(\.state["level"]) == [.integer(2)])
        withExtendedLifetime((first, second)) {}
    }

    @Test("seed 35 · a custom container can set itself as the restoration parent", .tags(.seed))
    func restoresPagesByTheirRestorationParent() throws {
        /// A container of pages. It lists only the visible page as a child.
        final class Pager: ViewController {
            private(set) var pages: [Screen] = []
            func add(_ page: Screen) {
                pages.append(page)
                page.restorationParent = self
            }
            override var restorableChildren: [any RestorableViewController] { Array(pages.prefix(1)) }
            override func encodeRestorableState(with coder: StateEncoder) { coder.encode(pages, forKey: "pages") }
            override func decodeRestorableState(with coder: StateDecoder) throws {
                pages = coder.decodeObjects(forKey: "pages")
            }
        }
        let saved = Pager().named("Pager")
        for name in ["One", "Two"] { saved.add(Screen(name, text: "text of \(name)")) }
        let archive = try TestApp(saved).save()
        #expect(archive?.objects.map(\.path) == ["Pager", "Pager/One", "Pager/Two"])

        let restored = Pager().named("Pager")
        restored.add(Screen("One"))
        let app = TestApp(restored)
        app.make = { path, _ in path == ["Pager", "Two"] ? Screen("Two") : nil }
        try app.restore(archive)
        #expect(restored.pages.map(\.text) == ["text of One", "text of Two"])

        // A page whose restoration parent is set to nil has its container as its restoration parent again.
        let (navigation, page) = (NavigationController().named("Root"), saved.pages[1])
        navigation.viewControllers = [page]
        page.restorationParent = nil
        #expect(page.restorationParent === navigation)
    }

    @Test("seed 36 · an object that its class registers again has its identifier", .tags(.seed))
    func findsIdentifierOfRegisteredObject() throws {
        let app = TestApp()
        let filter = Filter(level: 3)
        app.environment.registerObject(filter, restorationIdentifier: "Filter")
        let archive = try app.save()
        for isRegistered in [true, false] {
            let next = TestApp()
            next.environment.add(Filter.self)
            Filter.environment = isRegistered ? next.environment : nil
            try next.restore(archive)
            #expect(next.journal.events.contains(.misnamed(path: "Filter", identifier: nil)) == !isRegistered)
        }
        Filter.environment = nil
        withExtendedLifetime(filter) {}
    }

    @Test("seed 69 · a coder that is kept after restoring still leads to the same objects", .tags(.seed))
    func keepsCodersUsable() throws {
        let (root, other) = (Referring("Root"), Screen("Other"))
        root.others = [other]
        let app = TestApp(root, other)
        var encoder: StateEncoder?
        app.willEncode = { encoder = $0 }
        let archive = try app.save()
        #expect(encoder?.reference(to: other) == .null)

        let (restored, target) = (Referring("Root"), Screen("Other"))
        try TestApp(restored, target).restore(archive)
        #expect(restored.coder?.decodeObjects(of: Screen.self, forKey: "others").first === target)
    }

    @Test func putsNoContainerIntoItself() throws {
        let key = "kUIViewControllerChildrenKey"
        func container(_ path: String, _ children: [String]) -> RestorableObject {
            RestorableObject(
                path: path, kind: .viewController, className: "NavigationController",
                state: [
                    key: .array(children.map { .object(path: $0) }),
                    "kUIViewControllerPresentedKey": .object(path: path),
                ])
        }
        let (outer, inner) = (NavigationController().named("A"), NavigationController().named("B"))
        let archive = StateArchive(objects: [container("A", ["B", "B"]), container("B", ["A"])])
        try TestApp(outer, inner).restore(archive)
        #expect(outer.viewControllers.map(ObjectIdentifier.init) == [ObjectIdentifier(inner)])
        #expect(inner.viewControllers.isEmpty)
        #expect(outer.presented == nil)

        let split = SplitViewController().named("S")
        let column = Screen("C")
        split.primary = column
        let columns = ["kSplitViewPrimaryKey", "kSplitViewSecondaryKey"]
        try TestApp(split).restore(
            StateArchive(objects: [
                RestorableObject(
                    path: "S", kind: .viewController, className: "SplitViewController",
                    state: Dictionary(uniqueKeysWithValues: columns.map { ($0, .object(path: "S/C")) }))
            ]))
        #expect(split.primary === column)
        #expect(split.secondary == nil)
    }

    @Test func clearsRestorationParentOfRemovedView() throws {
        let (root, view) = (Referring("Root"), View())
        view.restorationIdentifier = "Bar"
        root.views = [view]
        root.views = []
        #expect(view.restorationParent == nil)
        let layout = View()
        layout.subviews = [view]
        layout.subviews = []
        #expect(view.restorationParent == nil)
    }

    @Test func restoresFiftyThousandObjects() throws {
        func interface() -> (TabBarController, [Screen]) {
            let tabs = TabBarController().named("Tabs")
            let screens = (0..<50_000).map { Screen("\($0)") }
            tabs.viewControllers = (0..<50).map { tab in
                let stack = NavigationController().named("Tab\(tab)")
                stack.viewControllers = Array(screens[(tab * 1000)..<(tab * 1000 + 1000)])
                return stack
            }
            return (tabs, screens)
        }
        let (saved, screens) = interface()
        for (index, screen) in screens.enumerated() { screen.text = "\(index)" }
        let app = TestApp(saved)
        let preserver = StatePreserver(app.environment, roots: { app.roots }, device: app.device, timestamp: 0)
        let archive = try preserver.preserve()
        let (restored, others) = interface()
        try TestApp(restored).restore(archive)
        #expect(others.map(\.text) == screens.map(\.text))
    }
}
