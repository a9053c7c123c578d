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

        // The columns of a split view controller, too.
        let split = SplitViewController().named("Root")
        split.primary = Screen("Sidebar")
        split.secondary = Screen("Folder", text: "folder")
        let next = SplitViewController().named("Root")
        next.primary = Screen("Folder")
        next.secondary = Screen("Folder")
        try TestApp(next).restore(TestApp(split).save())
        #expect((next.secondary as? Screen)?.text == "folder")
        #expect((next.primary as? Screen)?.text == "")
    }

    @Test("seed 81 · a screen is found at its index in a long stack", .tags(.seed))
    func findsAScreenAtALargeIndex() throws {
        func long(_ first: String) -> NavigationController {
            let long = stack(first)
            for index in 1...10 { long.push(Screen("Page \(index)")) }
            long.push(Screen("Folder"))
            return long
        }
        let (saved, restored) = (long("Folder"), long("Home"))
        (saved.viewControllers[0] as? Screen)?.text = "first"
        (saved.top as? Screen)?.text = "last"
        let folder = restored.top as? Screen
        try next(restored).restore(TestApp(saved).save())
        #expect(folder?.text == "last")
    }

    @Test("seed 81 · an object registered below a prebuilt root keeps its state", .tags(.seed))
    func restoresARegisteredObjectBelowAPrebuiltRoot() throws {
        final class Model: StateRestoring {
            var restorationParent: (any StateRestoring)?
            var text = ""
            func encodeRestorableState(with coder: StateEncoder) { coder.encode(text, forKey: "text") }
            func decodeRestorableState(with coder: StateDecoder) throws {
                text = coder.decodeString(forKey: "text") ?? ""
            }
        }
        func app(_ text: String, pushes: Bool) -> (TestApp, Model) {
            let navigation = stack("Folder")
            let model = Model()
            model.restorationParent = navigation.viewControllers[0]
            model.text = text
            if pushes { navigation.push(Made("Folder", text: "a")) }
            let app = next(navigation)
            app.environment.registerObject(model, restorationIdentifier: "Filter")
            return (app, model)
        }
        let (saved, kept) = app("red", pushes: true)
        let (launched, model) = app("", pushes: false)
        try launched.restore(saved.save())
        #expect(model.text == "red")
        withExtendedLifetime(kept) {}
    }

    @Test("seed 81 · a sheet with the root's former path is not the root", .tags(.seed))
    func doesNotTakeTheRootForASheet() throws {
        let saved = stack("Folder")
        saved.push(Made("Folder", text: "a"))
        saved.present(Screen("Folder", text: "sheet"))
        let restored = stack("Folder")
        try next(restored).restore(TestApp(saved).save())
        #expect(texts(restored) == ["", "a"])
        #expect(restored.presented == nil)
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

        // The prebuilt screen is at the index of another saved screen, which its class makes.
        let opened = NavigationController(root: Made("Folder", text: "a")).named("Root")
        opened.push(Screen("Folder", text: "declined"))
        let prebuilt = stack("Folder")
        try next(prebuilt).restore(TestApp(opened).save())
        #expect(texts(prebuilt) == ["a"])
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

    @Test("seed 82 · a sheet waits behind the log-in screen, also in the next save", .tags(.seed))
    func presentsTheSheetAfterTheLogIn() throws {
        let saved = stack("List")
        saved.present(Made("Sheet", text: "note"))
        var archive = try TestApp(saved).save()
        for _ in 1...2 {
            let restored = stack("List")
            restored.present(Screen(nil))
            let app = next(restored)
            try app.restore(archive)
            archive = try app.save()
            app.environment.presentRestored()
            #expect(restored.presented?.restorationIdentifier == nil)
            restored.dismiss()
            app.environment.presentRestored()
            #expect((restored.presented as? Screen)?.text == "note")
        }
    }

    @Test("seed 82 · a restored stack does not drop the screen that presents the log-in", .tags(.seed))
    func keepsThePresenterOfThisLaunch() throws {
        let saved = NavigationController(root: Made("List", text: "a")).named("Root")
        let restored = NavigationController(root: Made("List")).named("Root")
        restored.viewControllers[0].present(Screen(nil))
        let root = restored.viewControllers[0]
        let app = next(restored)
        try app.restore(TestApp(saved).save())
        #expect(restored.viewControllers.map(ObjectIdentifier.init) == [ObjectIdentifier(root)])
        #expect(root.presented != nil)
        #expect(app.journal.events.contains { if case .notReplaced(path: "Root", _) = $0 { true } else { false } })
    }

    @Test("seed 85 · the app's own empty container and a split view without columns", .tags(.seed))
    func leavesOutOnlyWhatWasMade() throws {
        final class Split: SplitViewController, ViewControllerRestoration {
            static func viewController(
                withRestorationIdentifierPath path: [String], coder: StateDecoder
            ) -> (any RestorableViewController)? {
                Split().named(path.last)
            }
        }
        let saved = stack()
        saved.push(Made("Page", text: "gone"))
        let split = Split().named("Split")
        split.restorationClass = Split.self
        split.primary = Made("Primary", text: "gone")
        saved.present(split)
        let own = stack()
        let app = next(own)
        app.environment.add(Split.self)
        app.make = { path, _ in path == ["Root"] ? own : nil }
        let restoration = try app.restore(TestApp(saved).save())
        #expect(restoration.restored == ["Root"])
        #expect(own.presented == nil)
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
            // This container is the only view controller of another.
            let innermost = Sheet(root: Made("Innermost", text: text)).named("Stack")
            innermost.restorationClass = Sheet.self
            let outer = Sheet(root: innermost).named("Outer")
            outer.restorationClass = Sheet.self
            inner.present(outer)
            let restored = stack("List")
            let app = next(restored)
            app.environment.add(Sheet.self)
            let restoration = try app.restore(TestApp(saved).save())
            #expect(restoration.missing.contains("Root/Pushed/Outer") == !isPresented)
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
        app.navigation.push(Made("Last", text: "small"))
        let error = #expect(throws: PreservationError.self) { try app.application.saveState() }
        guard case .unrestorable(_, "Root/Large", "text", 17_825_792) = error else {
            Issue.record("The error does not name the value: \(String(describing: error))")
            return
        }
        #expect(storage.archive == good)
        for _ in 1...2 { app.navigation.pop() }
        app.application.configuration.maximumArchiveSize = 100
        #expect(throws: PreservationError.self) { try app.application.saveState() }
        #expect(storage.archive == good)
    }

    @Test("seed 84 · the error names the largest value, also of a copy", .tags(.seed))
    func namesTheLargestValueOfACopy() throws {
        final class Draft: StateCopying {
            static let copyClassName = "Draft"
            var text = String(repeating: "x", count: 5000)
            func encodeState(with coder: StateEncoder) { coder.encode(text, forKey: "text") }
            func decodeState(with coder: StateDecoder) {}
        }
        let app = LivingApp(InMemoryArchiveStorage()) { $0.maximumArchiveSize = 2000 }
        app.application.launch()
        app.encodes = { $0.encode(Draft(), forKey: "draft") }
        let error = #expect(throws: PreservationError.self) { try app.application.saveState() }
        guard case .unrestorable(_, "Draft", "text", 5000) = error else {
            Issue.record("The error does not name the value: \(String(describing: error))")
            return
        }
    }

    // MARK: - Archives of another kind (row 86)

    @Test("seed 86 · the delegate reads the archive of another idiom, which is then discarded", .tags(.seed))
    func asksAboutAForeignArchive() throws {
        for wants in [true, false] {
            let storage = InMemoryArchiveStorage()
            let phone = LivingApp(storage)
            phone.encodes = { $0.encode(7, forKey: "MyAppVersion") }
            phone.application.launch()
            try phone.application.saveState()
            let pad = LivingApp(storage, idiom: .pad)
            var (idiom, version): (Int?, Int?)
            pad.shouldRestore = { coder in
                version = coder.decodeInteger(forKey: "MyAppVersion")
                idiom = coder.decodeInteger(forKey: ReservedKey.userInterfaceIdiom)
                return wants
            }
            var isKept = false
            pad.finishes = { isKept = storage.archive != nil }
            #expect(pad.application.launch() == (wants ? .incompatible : .declined))
            #expect(idiom == 0)
            #expect(version == 7)
            #expect(isKept)
            #expect(storage.archive == nil)
            // A failed save does not bring the archive back.
            pad.navigation.viewControllers = [Screen("a/b")]
            #expect(throws: PreservationError.self) { try pad.application.saveState() }
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

        // A screen with a place does not help an app that cannot restore places.
        final class Placed: Screen, PlaceProviding {
            func encodePlace(with coder: PlaceEncoder) { coder.addStep(screen: "list") }
        }
        let other = InMemoryArchiveStorage()
        for layout in [ArchiveLayout.compact, .regular] {
            let app = LivingApp(other) { $0.device.layout = layout }
            app.root = { NavigationController(root: Placed("List")).named("Root") }
            app.application.launch()
            if layout == .compact { app.navigation.push(Made("Page", text: "a")) }
            try app.application.saveState()
            #expect(app.stack == ["List", "Page"])
        }
    }
}
