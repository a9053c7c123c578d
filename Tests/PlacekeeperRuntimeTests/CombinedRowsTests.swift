import PlacekeeperArchive
import PlacekeeperRuntime
import PlacekeeperStandIns
import Testing

/// Sequences in which several rows of docs/seeds.md meet.
@MainActor
struct CombinedRowsTests {
    private typealias Made = LookUpTests.Made

    /// A navigation controller with screens that the app sets at launch.
    private func stack(_ identifiers: String...) -> NavigationController {
        let navigation = NavigationController().named("Root")
        navigation.viewControllers = identifiers.map { Screen($0) }
        return navigation
    }

    private func next(_ root: NavigationController) -> TestApp {
        let app = TestApp(root)
        app.environment.add(Made.self)
        return app
    }

    private func texts(_ navigation: NavigationController) -> [String] {
        navigation.viewControllers.map { ($0 as? Screen)?.text ?? "" }
    }

    // MARK: - Equal identifiers (row 81)

    @Test("seed 81 · a drill-down with one identifier comes back on its prebuilt root, again and again", .tags(.seed))
    func restoresEqualIdentifiersOnAPrebuiltRoot() throws {
        let first = stack("Folder")
        (first.viewControllers[0] as? Screen)?.text = "top"
        first.push(Made("Folder", text: "a"))
        first.push(Made("Folder", text: "b"))
        var archive = try TestApp(first).save()
        for _ in 1...2 {
            let restored = stack("Folder")
            let root = restored.viewControllers[0]
            let app = next(restored)
            try app.restore(archive)
            #expect(restored.viewControllers.first === root)
            #expect(texts(restored) == ["top", "a", "b"])
            archive = try app.save()
        }
    }

    @Test("seed 81 · a screen is found that was unique when saved, and has equal siblings at launch", .tags(.seed))
    func findsAScreenAmongNewSiblings() throws {
        let saved = stack("Folder", "Settings")
        (saved.viewControllers[0] as? Screen)?.text = "folder"
        let restored = stack("Folder", "Folder")
        try next(restored).restore(TestApp(saved).save())
        #expect(texts(restored) == ["folder"])

        // The index in the stack leads elsewhere, and one child has the identifier.
        let moved = stack("Welcome", "Folder")
        try next(moved).restore(TestApp(saved).save())
        #expect(texts(moved) == ["folder"])
    }

    @Test("seed 81 · two candidates are none", .tags(.seed))
    func guessesNoChild() throws {
        let saved = stack("Folder")
        (saved.viewControllers[0] as? Screen)?.text = "folder"
        let restored = stack("Welcome", "Folder", "Folder")
        let app = next(restored)
        try app.restore(TestApp(saved).save())
        #expect(texts(restored) == ["", "", ""])
        #expect(app.journal.events.contains(.missing(path: "Root/Folder", .notFound)))
    }

    @Test("seed 81 · a storyboard makes the opened screen, and not the prebuilt one again", .tags(.seed))
    func makesOnlyTheOpenedScreenFromAStoryboard() throws {
        func storyboard() -> Storyboard {
            let storyboard = Storyboard(name: "Main")
            storyboard.add(identifier: "folder") { origin in
                let screen = Screen("Folder")
                screen.storyboardOrigin = origin
                return screen
            }
            return storyboard
        }
        func folder(_ text: String) throws -> Screen {
            let screen = try #require(storyboard().instantiateViewController(withIdentifier: "folder") as? Screen)
            screen.text = text
            return screen
        }
        let saved = NavigationController(root: try folder("top")).named("Root")
        saved.push(try folder("a"))
        let restored = NavigationController(root: try folder("")).named("Root")
        let root = restored.viewControllers[0]
        let app = next(restored)
        app.environment.add(storyboard())
        try app.restore(TestApp(saved).save())
        #expect(restored.viewControllers.first === root)
        #expect(texts(restored) == ["top", "a"])
    }

    @Test("seed 81 · a declined screen between equal ones ends the stack above the prebuilt root", .tags(.seed))
    func endsAtADeclinedScreenBetweenEqualOnes() throws {
        let saved = stack("Folder")
        (saved.viewControllers[0] as? Screen)?.text = "top"
        saved.push(Made("Item", text: "gone"))
        saved.push(Made("Folder", text: "a"))
        let restored = stack("Folder")
        try next(restored).restore(TestApp(saved).save())
        #expect(texts(restored) == ["top"])
    }

    @Test("seed 81 · the views of a prebuilt root with a new path get their state", .tags(.seed))
    func restoresTheViewsOfAPrebuiltRoot() throws {
        func root(at y: Double) -> NavigationController {
            let screen = Screen("Folder")
            let view = ScrollView()
            view.restorationIdentifier = "Content"
            view.contentOffset.y = y
            screen.views = [view]
            return NavigationController(root: screen).named("Root")
        }
        let saved = root(at: 120)
        saved.push(Made("Folder", text: "a"))
        let restored = root(at: 0)
        try next(restored).restore(TestApp(saved).save())
        #expect((restored.viewControllers.first?.views.first as? ScrollView)?.contentOffset.y == 120)
    }

    // MARK: - Presented screens (rows 82 and 85)

    @Test("seed 82 · a restored sheet does not dismiss the log-in screen of this launch", .tags(.seed))
    func keepsWhatThisLaunchPresented() throws {
        let saved = stack("List")
        saved.present(Made("Sheet", text: "note"))
        let restored = stack("List")
        let logIn = Screen(nil)
        restored.present(logIn)
        let app = next(restored)
        try app.restore(TestApp(saved).save())
        #expect(restored.presented === logIn)
        #expect(app.journal.events.contains { if case .notPresented(by: "Root", _) = $0 { true } else { false } })
    }

    @Test("seed 85 · a sheet whose screens are all declined does not come back", .tags(.seed))
    func presentsNoEmptySheet() throws {
        final class Sheet: NavigationController, ViewControllerRestoration {
            static func viewController(
                withRestorationIdentifierPath path: [String], coder: StateDecoder
            ) -> (any RestorableViewController)? {
                Sheet().named(path.last)
            }
        }
        for (text, isPresented) in [("gone", false), ("note", true)] {
            let saved = stack("List")
            let sheet = Sheet(root: Made("Note", text: text)).named("Sheet")
            sheet.restorationClass = Sheet.self
            saved.present(sheet)
            let inner = Sheet(root: Made("Inner", text: text)).named("Pushed")
            inner.restorationClass = Sheet.self
            saved.push(inner)
            let restored = stack("List")
            let app = next(restored)
            app.environment.add(Sheet.self)
            let restoration = try app.restore(TestApp(saved).save())
            #expect((restored.presented != nil) == isPresented)
            #expect(restored.viewControllers.count == (isPresented ? 2 : 1))
            #expect(restoration.missing.contains("Root/Sheet") == !isPresented)
        }
    }

    // MARK: - Saving (rows 83 and 84)

    @Test("seed 83 · saving warns of a class that no launch could make", .tags(.seed))
    func warnsOfUnlistedClasses() throws {
        final class Filter: StateCopying {
            func encodeState(with coder: StateEncoder) { coder.encode("red", forKey: "color") }
            func decodeState(with coder: StateDecoder) throws {}
        }
        final class Filtered: Screen {
            override func encodeRestorableState(with coder: StateEncoder) {
                super.encodeRestorableState(with: coder)
                coder.encode(Filter(), forKey: "filter")
            }
        }
        let navigation = stack("List")
        navigation.push(Made("A", text: "a"))
        navigation.push(Made("B", text: "b"))
        navigation.push(Filtered("C"))
        let app = TestApp(navigation)
        _ = try app.save()
        func unlisted(_ app: TestApp) -> [String] {
            app.journal.events.compactMap { if case .unlistedClass(let name) = $0 { name } else { nil } }
        }
        #expect(unlisted(app) == [Made.restorationClassName, Filter.copyClassName])
        let listing = next(navigation)
        listing.environment.addCopies(of: Filter.self)
        _ = try listing.save()
        #expect(unlisted(listing) == [])
    }

    @Test("seed 83 · a mail draft comes back without a registration of its class", .tags(.seed))
    func restoresADraftWithoutRegistration() throws {
        let saved = stack("List")
        let sheet = ActivityViewController().named("Share")
        sheet.draft = .init(subject: "Hello")
        saved.present(sheet)
        let environment = RestorationEnvironment()
        let app = TestApp(saved, in: environment)
        let archive = try app.save()
        let restored = stack("List")
        try TestApp(restored, in: RestorationEnvironment()).restore(archive)
        #expect((restored.presented as? ActivityViewController)?.draft?.subject == "Hello")
    }

    @Test("seed 84 · a save that no launch could read keeps the good archive, and names the value", .tags(.seed))
    func keepsTheGoodArchive() throws {
        let storage = InMemoryArchiveStorage()
        let app = LivingApp(storage)
        app.application.launch()
        app.navigation.push(Made("Page", text: "small"))
        try app.application.saveState()
        let good = storage.archive
        app.navigation.push(Made("Large", text: String(repeating: "x", count: 17 << 20)))
        let error = #expect(throws: PreservationError.self) { try app.application.saveState() }
        guard case .unrestorable(_, "Root/Large", "text", 17_825_792) = error else {
            Issue.record("The error does not name the value: \(String(describing: error))")
            return
        }
        #expect(storage.archive == good)
        app.navigation.pop()
        app.application.configuration.maximumArchiveSize = 100
        #expect(throws: PreservationError.self) { try app.application.saveState() }
        #expect(storage.archive == good)
    }

    // MARK: - Archives of another kind (row 86)

    @Test("seed 86 · the delegate reads the archive of another idiom, which is then discarded", .tags(.seed))
    func asksAboutAForeignArchive() throws {
        for wants in [true, false] {
            let storage = InMemoryArchiveStorage()
            let phone = LivingApp(storage)
            phone.application.launch()
            try phone.application.saveState()
            let pad = LivingApp(storage, idiom: .pad)
            var idiom: Int?
            pad.shouldRestore = { coder in
                idiom = coder.decodeInteger(forKey: ReservedKey.userInterfaceIdiom)
                return wants
            }
            pad.finishes = { #expect(storage.archive != nil) }
            #expect(pad.application.launch() == (wants ? .incompatible : .declined))
            #expect(idiom == 0)
            #expect(storage.archive == nil)
        }
    }

    @Test("seed 86 · an app without places restores its own state in another layout", .tags(.seed))
    func restoresItsOwnStateInAnotherLayout() throws {
        let storage = InMemoryArchiveStorage()
        let narrow = LivingApp(storage) { $0.device.layout = .compact }
        narrow.application.launch()
        narrow.navigation.push(Made("Page", text: "a"))
        try narrow.application.saveState()
        let wide = LivingApp(storage) { $0.device.layout = .regular }
        wide.application.launch()
        #expect(wide.stack == ["List", "Page"])
    }

    // MARK: - Lists and snapshots (rows 87 to 89)

    /// A screen with a list, which gets its data source when restoration has finished.
    private final class LateList: Screen {
        let list = ListView()
        var elements: Elements?

        init() {
            super.init("List")
            list.restorationIdentifier = "Rows"
            views = [list]
        }

        override func applicationFinishedRestoringState() { list.dataSource = elements }
    }

    private func rows() -> Elements { Elements([(0..<100).map { "row\($0)" }]) }

    @Test("seed 87 · a list keeps its place until it gets a data source, also in the next save", .tags(.seed))
    func waitsForADataSource() throws {
        let elements = rows()
        let saved = LateList()
        saved.list.dataSource = elements
        saved.list.scroll(to: 1000)
        saved.list.select(.init(section: 0, item: 25))
        let archive = try TestApp(saved).save()

        let late = LateList()
        late.elements = elements
        let app = TestApp(late)
        try app.restore(archive)
        #expect(late.list.contentOffset == 1000)
        #expect(late.list.listSelection == [.init(section: 0, item: 25)])
        #expect(app.journal.events.contains(.awaitsDataSource(path: "List/Rows")))

        // This process ends before the list gets its data source.
        let never = LateList()
        let ending = TestApp(never)
        try ending.restore(archive)
        let last = LateList()
        last.elements = elements
        try TestApp(last).restore(ending.save())
        #expect(last.list.contentOffset == 1000)
        #expect(last.list.listSelection == [.init(section: 0, item: 25)])
    }

    @Test("seed 87 · a person who scrolls or selects gives up the pending place", .tags(.seed))
    func givesUpThePendingPlace() throws {
        let elements = rows()
        let saved = LateList()
        saved.list.dataSource = elements
        saved.list.scroll(to: 1000)
        let late = LateList()
        try TestApp(late).restore(TestApp(saved).save())
        late.list.scroll(to: 0)
        late.list.dataSource = elements
        #expect(late.list.contentOffset == 0)
    }

    @Test("seed 88 · a snapshot is not shown if an object that the screen refers to did not come back", .tags(.seed))
    func comparesWhatTheScreenRefersTo() throws {
        final class Referring: Screen {
            var others: [any StateRestoring] = []
            override func encodeRestorableState(with coder: StateEncoder) {
                super.encodeRestorableState(with: coder)
                coder.encode(others, forKey: "others")
            }
        }
        final class Model: StateRestoring {
            var next: Model?
            var restorationIdentifier: String? { nil }
            func encodeRestorableState(with coder: StateEncoder) { coder.encode(next, forKey: "next") }
            func decodeRestorableState(with coder: StateDecoder) throws {}
        }
        for (comesBack, expected) in [(true, LaunchAppearance.Image.snapshot), (false, .standard)] {
            let storage = InMemoryArchiveStorage()
            func launch(registers: Bool) -> (app: LivingApp, models: [Model]) {
                let app = LivingApp(storage)
                let models = [Model(), Model()]
                models[0].next = models[1]
                let screen = Referring("List")
                screen.others = [models[0]]
                app.root = { NavigationController(root: screen).named("Root") }
                app.environment.registerObject(models[0], restorationIdentifier: "Near")
                if registers { app.environment.registerObject(models[1], restorationIdentifier: "Far") }
                app.application.launch()
                return (app, models)
            }
            let first = launch(registers: true)
            try first.app.application.saveState()
            let next = launch(registers: comesBack)
            #expect(next.app.application.appearance.image == expected)
        }
    }

    @Test("seed 89 · a list that scrolls in two dimensions comes back with its insets and its zoom", .tags(.seed))
    func scrollsInTwoDimensions() throws {
        let elements = rows()
        let saved = LateList()
        saved.list.dataSource = elements
        saved.list.scroll(to: 440)
        saved.list.horizontalOffset = 120
        saved.list.zoomScale = 2
        saved.list.contentInset.top = 20
        let next = LateList()
        next.list.dataSource = elements
        try TestApp(next).restore(TestApp(saved).save())
        #expect(next.list.contentOffset == 440)
        #expect(next.list.horizontalOffset == 120)
        #expect(next.list.zoomScale == 2)
        #expect(next.list.contentInset.top == 20)
    }
}
