import PlacekeeperArchive
import PlacekeeperStandIns
import PlacekeeperRuntime
import Testing

@MainActor
struct LookUpTests {
    /// A screen that its restoration class makes. The restoration class returns nil if the saved text is missing or
    /// "gone".
    final class Made: Screen, ViewControllerRestoration {
        nonisolated(unsafe) static var declines: Set<String> = []

        init(_ identifier: String, text: String = "") {
            super.init(identifier, text: text)
            restorationClass = Made.self
        }

        static func viewController(
            withRestorationIdentifierPath path: [String], coder: StateDecoder
        ) -> (any RestorableViewController)? {
            guard let text = coder.decodeString(forKey: "text"), text != "gone" else { return nil }
            return Made(path.last ?? "", text: "made")
        }
    }

    private func archive(of roots: any RestorableViewController...) throws -> StateArchive {
        let app = TestApp()
        app.roots = roots
        return try #require(try app.save())
    }

    private func found(_ app: TestApp) -> [RestorationEvent.LookUp] {
        app.journal.events.compactMap { if case .found(_, let by) = $0 { by } else { nil } }
    }

    @Test("seed 14 · the restoration class is asked first, and nil from it ends the search", .tags(.seed))
    func endsSearchWhenRestorationClassReturnsNil() throws {
        let declined = Made("B", text: "gone")
        declined.storyboardOrigin = StoryboardOrigin(storyboard: Storyboard(name: "Main"), identifier: "B")
        let archive = try archive(of: Made("A", text: "a"), declined)
        let storyboard = Storyboard(name: "Main")
        var instantiated = 0
        storyboard.add(identifier: "B") { _ in
            instantiated += 1
            return Screen("B")
        }
        let existing = Screen("B", text: "default")
        let app = TestApp(existing)
        app.make = { _, _ in Screen("B") }
        app.environment.add(Made.self)
        app.environment.add(storyboard)
        let restoration = try app.restore(archive)
        #expect(restoration.restored == ["A"])
        #expect(restoration.missing == ["B"])
        #expect(app.journal.calls == ["shouldRestore", "didDecode", "finished"])
        #expect(app.journal.events.contains(.missing(path: "B", .declined)))
        #expect(existing.text == "default")
        #expect(instantiated == 0)
        // If a screen has no restoration class, the same storyboard makes the screen.
        #expect(archive.objects.last?.storyboard == "Main")
        let classless = Screen("B")
        classless.storyboardOrigin = declined.storyboardOrigin
        app.roots = []
        app.make = { _, _ in nil }
        #expect(try app.restore(self.archive(of: classless)).restored == ["B"])
        #expect(instantiated == 1)
    }

    @Test("seed 14 · a restoration class that the app no longer lists ends the search", .tags(.seed))
    func endsSearchAtUnlistedRestorationClass() throws {
        let app = TestApp(Screen("A"))
        try app.restore(archive(of: Made("A", text: "a")))
        #expect(app.journal.events.contains(.missing(path: "A", .unknownClass(Made.restorationClassName))))
        let fromStoryboard = Made("B", text: "b")
        fromStoryboard.storyboardOrigin = StoryboardOrigin(storyboard: Storyboard(name: "Main"), identifier: "B")
        let storyboard = Storyboard(name: "Main")
        storyboard.add(identifier: "B") { _ in Screen("B") }
        app.environment.add(storyboard)
        #expect(try app.restore(self.archive(of: fromStoryboard)).missing == ["B"])
    }

    @Test("seed 15 · without a class the delegate is asked, and nil from it continues the search", .tags(.seed))
    func continuesSearchWhenDelegateReturnsNil() throws {
        let archive = try archive(of: Screen("A", text: "a"), Screen("B", text: "b"))
        let given = Screen("A")
        let app = TestApp(Screen("A"), Screen("B"))
        app.make = { path, _ in path == ["A"] ? given : nil }
        try app.restore(archive)
        #expect(app.journal.calls.prefix(3) == ["shouldRestore", "delegate A", "delegate B"])
        #expect(found(app) == [.delegate, .implicit])
        #expect(given.text == "a")
        #expect((app.roots.last as? Screen)?.text == "b")
    }

    @Test("seed 16 · an object that already exists at the path is used", .tags(.seed))
    func usesExistingObjectAtThePath() throws {
        let archive = try archive(of: NavigationController(root: Screen("List", text: "saved")).named("Root"))
        let list = Screen("List")
        let navigation = NavigationController(root: list).named("Root")
        let app = TestApp(navigation)
        try app.restore(archive)
        #expect(navigation.viewControllers.first === list)
        #expect(list.text == "saved")

        // A storyboard that could make the object is not asked.
        let storyboard = Storyboard(name: "Main")
        storyboard.add(identifier: "List") { _ in Screen("List") }
        let saved = Screen("List", text: "from the storyboard")
        saved.storyboardOrigin = StoryboardOrigin(storyboard: storyboard, identifier: "List")
        app.environment.add(storyboard)
        try app.restore(self.archive(of: NavigationController(root: saved).named("Root")))
        #expect(navigation.viewControllers.first === list)
        #expect(list.text == "from the storyboard")
    }

    @Test("seed 17 · an object that is found in no other way is made from its storyboard", .tags(.seed))
    func makesFromTheStoryboard() throws {
        func storyboard() -> Storyboard {
            let storyboard = Storyboard(name: "Main")
            storyboard.add(identifier: "photo") { origin in
                let screen = Screen("Photo")
                screen.storyboardOrigin = origin
                return screen
            }
            return storyboard
        }
        let main = storyboard()
        let navigation = NavigationController(root: Screen("List")).named("Root")
        let photo = try #require(main.instantiateViewController(withIdentifier: "photo") as? Screen)
        photo.text = "saved"
        navigation.push(photo)
        let archive = try archive(of: navigation)
        #expect(archive.objects.last?.storyboardIdentifier == "photo")

        let next = NavigationController(root: Screen("List")).named("Root")
        let app = TestApp(next)
        app.environment.add(storyboard())
        try app.restore(archive)
        #expect(found(app) == [.implicit, .implicit, .storyboard])
        #expect((next.top as? Screen)?.text == "saved")
        #expect(next.top?.storyboardOrigin?.identifier == "photo")

        // No other storyboard serves for the saved one.
        let other = Storyboard(name: "Other")
        for identifier in ["photo", "Photo"] { other.add(identifier: identifier) { _ in Screen("Photo") } }
        let without = TestApp(NavigationController(root: Screen("List")).named("Root"))
        without.environment.add(other)
        #expect(try without.restore(archive).missing == ["Root/Photo"])
    }

    @Test("seed 18 · with a restoration class, an existing object at the path is not used", .tags(.seed))
    func prefersRestorationClassToExistingObject() throws {
        let archive = try archive(of: Made("A", text: "a"))
        let existing = Made("A", text: "existing")
        let app = TestApp(existing)
        app.environment.add(Made.self)
        try app.restore(archive)
        #expect(found(app) == [.restorationClass])
        #expect(existing.text == "existing")
    }

    @Test("seed 19 · the factory can read the object's saved state and its storyboard", .tags(.seed))
    func givesFactoriesTheCoder() throws {
        final class FromStoryboard: Screen, ViewControllerRestoration {
            var name: String?
            static func viewController(
                withRestorationIdentifierPath path: [String], coder: StateDecoder
            ) -> (any RestorableViewController)? {
                let made =
                    coder.originalStoryboard?.instantiateViewController(withIdentifier: "page") as? FromStoryboard
                made?.title = coder.decodeString(forKey: "text")
                made?.name = coder.decodeString(forKey: ReservedKey.storyboard)
                return made
            }
        }
        let main = Storyboard(name: "Main")
        main.add(identifier: "page") { origin in
            let page = FromStoryboard("Page")
            page.restorationClass = FromStoryboard.self
            page.storyboardOrigin = origin
            return page
        }
        let page = try #require(main.instantiateViewController(withIdentifier: "page") as? FromStoryboard)
        page.text = "health"
        let presenter = Screen("Root")
        presenter.present(page)
        let archive = try archive(of: presenter)

        let next = Screen("Root")
        let app = TestApp(next)
        app.environment.add(main)
        app.environment.add(FromStoryboard.self)
        try app.restore(archive)
        #expect(next.presented?.title == "health")
        #expect((next.presented as? FromStoryboard)?.name == "Main")
        #expect(next.presented !== page)

        // The delegate gets the same coder.
        let classless = Screen("Page", text: "sleep")
        classless.storyboardOrigin = StoryboardOrigin(storyboard: main, identifier: "page")
        presenter.present(classless)
        var read: [String?] = []
        app.make = { path, coder in
            guard path == ["Root", "Page"] else { return nil }
            read = ["text", ReservedKey.storyboard].map { coder.decodeString(forKey: $0) }
            return nil
        }
        try app.restore(self.archive(of: presenter))
        #expect(read == ["sleep", "Main"])
    }

    @Test("seed 20 · saving restored state gives the same archive", .tags(.seed))
    func savesRestoredStateAsTheSameArchive() throws {
        func interface() -> NavigationController { NavigationController(root: Screen("List")).named("Root") }
        let navigation = interface()
        navigation.push(Made("Detail", text: "one"))
        navigation.top?.present(Made("Sheet", text: "two"))
        let archive = try archive(of: navigation)
        let next = TestApp(interface())
        next.environment.add(Made.self)
        try next.restore(archive)
        #expect(try next.save() == archive)
    }

    @Test("seed 20 · the log names an object whose factory forgets the identifier", .tags(.seed))
    func logsLostIdentifiers() throws {
        let app = TestApp()
        app.make = { _, _ in Screen(nil) }
        try app.restore(archive(of: Screen("A")))
        #expect(app.journal.events.contains(.misnamed(path: "A", identifier: nil)))
    }

    @Test(
        "seed 36 · an object's class is asked only for saved objects, with their paths; nil forgets the object",
        .tags(.seed))
    func asksObjectRestorationClassForSavedObjects() throws {
        final class Filter: ObjectRestoration, StateRestoring {
            nonisolated(unsafe) static var paths: [[String]] = []
            nonisolated(unsafe) static var environment: RestorationEnvironment?
            var level = 0
            var restorationParent: (any StateRestoring)?
            var restorationClass: (any RestorationClass.Type)? { Filter.self }
            func encodeRestorableState(with coder: StateEncoder) { coder.encode(level, forKey: "level") }
            func decodeRestorableState(with coder: StateDecoder) { level = coder.decodeInteger(forKey: "level") }
            static func object(
                withRestorationIdentifierPath path: [String], coder: StateDecoder
            ) -> (any StateRestoring)? {
                paths.append(path)
                guard coder.decodeInteger(forKey: "level") > 0 else { return nil }
                return Filter()
            }
        }
        let app = TestApp(Screen("Image"))
        let (sepia, blur, unused) = (Filter(), Filter(), Filter())
        (sepia.level, blur.level) = (7, 0)
        sepia.restorationParent = app.roots[0]
        app.environment.registerObject(sepia, restorationIdentifier: "Sepia")
        app.environment.registerObject(blur, restorationIdentifier: "Blur")
        let archive = try app.save()
        _ = unused
        let next = TestApp(Screen("Image"))
        next.environment.add(Filter.self)
        Filter.paths = []
        let restoration = try next.restore(archive)
        #expect(Filter.paths == [["Image", "Sepia"], ["Blur"]])
        #expect(restoration.restored == ["Image", "Image/Sepia"])
        #expect(restoration.missing == ["Blur"])
    }
}
