import PlacekeeperArchive
import PlacekeeperStandIns
import PlacekeeperRuntime
import Testing

@MainActor
struct ViewStateTests {
    /// A screen with one view of each kind, as the app makes it at each launch.
    private final class Composer: Screen {
        let scroll = ScrollView()
        let field = TextField()
        let body = TextView()

        init() {
            super.init("Composer")
            scroll.restorationIdentifier = "Scroll"
            scroll.zoomRange = 0.5...4
            field.restorationIdentifier = "Subject"
            body.restorationIdentifier = "Body"
            body.zoomRange = 0.5...4
            field.text = "Hello"
            body.text = "All is well."
            views = [scroll, field, body]
        }
    }

    private func restored(_ use: (Composer) -> Void) throws -> Composer {
        let (saved, next) = (Composer(), Composer())
        use(saved)
        try TestApp(next).restore(TestApp(saved).save())
        return next
    }

    @Test("seed 78 · a scroll view comes back at its zoom scale, inset and offset", .tags(.seed))
    func restoresScrollViews() throws {
        let next = try restored {
            $0.scroll.zoomScale = 2.5
            $0.scroll.contentInset = .init(top: 1, left: 2, bottom: 3, right: 4)
            $0.scroll.contentOffset = .init(x: 12.5, y: 640)
        }
        #expect(next.scroll.zoomScale == 2.5)
        #expect(next.scroll.contentInset == .init(top: 1, left: 2, bottom: 3, right: 4))
        #expect(next.scroll.contentOffset == .init(x: 12.5, y: 640))
    }

    @Test func setsInsetsToZeroByDefault() {
        let inset = ScrollView().contentInset
        #expect([inset.top, inset.left, inset.bottom, inset.right] == [0, 0, 0, 0])
        let top = ScrollView.Insets(top: 8)
        #expect([top.top, top.left, top.bottom, top.right] == [8, 0, 0, 0])
    }

    @Test func limitsZoomScaleToTheZoomRange() throws {
        let saved = Composer()
        saved.scroll.zoomScale = 1000
        #expect(saved.scroll.zoomScale == 4)
        saved.scroll.zoomScale = .nan
        #expect(saved.scroll.zoomScale == 4)
        let next = Composer()
        next.scroll.zoomRange = 1...2
        try TestApp(next).restore(TestApp(saved).save())
        #expect(next.scroll.zoomScale == 2)
        // The range of a photo is known when the photo is loaded. Meanwhile the state may be saved again.
        let late = Composer()
        late.scroll.zoomRange = 1...1
        try TestApp(late).restore(TestApp(next).save())
        #expect(late.scroll.zoomScale == 1)
        late.scroll.zoomRange = 1...8
        #expect(late.scroll.zoomScale == 4)
        late.scroll.zoomScale = 3
        late.scroll.zoomRange = 1...16
        #expect(late.scroll.zoomScale == 3)
    }

    @Test func ignoresInvalidNumbersAndRanges() throws {
        var archive = try #require(try TestApp(Composer()).save())
        for index in archive.objects.indices {
            archive.objects[index].state.merge([
                "kScrollViewZoomScaleKey": .real(.infinity),
                "kScrollViewContentOffsetKey": .array([.real(.nan), .real(1)]),
                "kScrollViewContentInsetKey": .array([.real(1)]),
                "kTextSelectedRangeKey": .array([.integer(4), .integer(2)]),
            ]) { $1 }
        }
        let next = Composer()
        next.scroll.zoomScale = 3
        next.scroll.contentOffset = .init(x: 7, y: 8)
        next.field.select(1..<2)
        #expect(try TestApp(next).restore(archive).failed == [])
        #expect(next.scroll.zoomScale == 3)
        #expect(next.scroll.contentOffset == .init(x: 7, y: 8))
        #expect(next.scroll.contentInset == .init())
        #expect(next.field.selectedRange == 1..<2)
    }

    @Test(
        "seed 78 · text under editing comes back with the insertion point; other text is the app's data", .tags(.seed))
    func restoresTextUnderEditing() throws {
        let next = try restored {
            $0.field.select(1..<5)
            $0.field.type("i 👋")
            $0.body.text = "From the app's data."
            $0.body.select(5..<8)
        }
        #expect(next.field.text == "Hi 👋")
        #expect(next.field.isEditing)
        #expect(next.field.selectedRange == 5..<5)
        #expect(next.body.text == "All is well.")
        #expect(!next.body.isEditing)
        #expect(next.body.selectedRange == 5..<8)
    }

    @Test("seed 78 · a text view comes back with its selection, its offset, and whether it can be edited", .tags(.seed))
    func restoresTextViews() throws {
        let next = try restored {
            $0.body.select(4..<11)
            $0.body.isEditable = false
            $0.body.contentOffset = .init(y: 90)
        }
        #expect(next.body.selectedRange == 4..<11)
        #expect(!next.body.isEditable)
        #expect(next.body.contentOffset.y == 90)
    }

    @Test("seed 32 · a view keeps its own values if the archive has no keys for them", .tags(.seed))
    func keepsValuesWithoutKeys() throws {
        var archive = try #require(try TestApp(Composer()).save())
        for index in archive.objects.indices { archive.objects[index].state = [:] }
        for isEditable in [true, false] {
            let next = Composer()
            (next.body.isEditable, next.body.zoomScale) = (isEditable, 2)
            next.body.contentOffset = .init(x: 3, y: 4)
            try TestApp(next).restore(archive)
            #expect(next.body.isEditable == isEditable)
            #expect(next.body.zoomScale == 2)
            #expect(next.body.contentOffset == .init(x: 3, y: 4))
        }
    }

    @Test("seed 78 · a selection from the start of the text comes back", .tags(.seed))
    func restoresASelectionFromTheStart() throws {
        let next = try restored { $0.body.select(0..<3) }
        #expect(next.body.selectedRange == 0..<3)
    }

    @Test("seed 78 · text that is no longer under editing, or is secret, is not in the archive", .tags(.seed))
    func savesNoFinishedOrSecretText() throws {
        let saved = Composer()
        saved.field.type("kept ")
        saved.field.endEditing()
        saved.body.editedText.isSecret = true
        saved.body.type("password ")
        let archive = try #require(try TestApp(saved).save())
        let texts = archive.objects.flatMap(\.state.values).filter { if case .string = $0 { true } else { false } }
        #expect(texts == [.string("")])
        let next = Composer()
        try TestApp(next).restore(archive)
        #expect(next.field.text == "Hello")
        #expect(!next.field.isEditing)
        #expect(next.body.selectedRange == 9..<9)
    }

    @Test("seed 78 · text under editing wins over text that other objects set while they are restored", .tags(.seed))
    func keepsTextUnderEditing() throws {
        final class Owner: Screen {
            let field = TextField()
            init() {
                super.init("Owner")
                field.restorationIdentifier = "Field"
                views = [field]
            }
            override func applicationFinishedRestoringState() { field.text = "model" }
        }
        let (saved, next) = (Owner(), Owner())
        saved.field.type("typed")
        saved.field.select(2..<4)
        try TestApp(next).restore(TestApp(saved).save())
        #expect(next.field.text == "typed")
        #expect(next.field.selectedRange == 2..<4)
        // After restoring, the app can set the text again.
        next.field.text = "other"
        #expect(next.field.text == "other")
    }

    @Test func selectsTextWhenItArrives() throws {
        let (saved, next) = (Composer(), Composer())
        saved.body.select(4..<11)
        next.body.text = ""
        let archive = try TestApp(saved).save()
        let app = TestApp(next)
        try app.restore(archive)
        #expect(next.body.selectedRange == 0..<0)
        // A pending selection is saved again.
        let again = Composer()
        try TestApp(again).restore(app.save())
        #expect(again.body.selectedRange == 4..<11)

        next.body.text = "All is w"
        #expect(next.body.selectedRange == 4..<8)
        // The saved selection is applied only once: a later text does not get it.
        next.body.text = "All"
        #expect(next.body.selectedRange == 3..<3)
        next.body.text = "All is well."
        #expect(next.body.selectedRange == 3..<3)
    }

    @Test func replacesTheSelectionWithTypedText() {
        let field = TextField()
        field.text = "a👋b"
        field.select(1..<3)
        field.type("xy")
        #expect(field.text == "axyb")
        #expect(field.selectedRange == 3..<3)
        field.type("z")
        #expect(field.text == "axyzb")
        field.select(-5..<900)
        #expect(field.selectedRange == 0..<5)
    }

    /// Returns two windows of one app, each with the same screens.
    private func windows() -> (left: Window, right: Window, app: TestApp) {
        func window(_ identifier: String?) -> Window {
            let window = Window()
            window.restorationIdentifier = identifier
            window.rootViewController = NavigationController(root: Screen("List")).named("Root")
            return window
        }
        let (left, right) = (window("Left"), window("Right"))
        left.isKey = true
        let app = TestApp()
        app.roots = [left, right].compactMap(\.rootViewController)
        app.environment.add(LookUpTests.Made.self)
        return (left, right, app)
    }

    @Test("seed 78 · windows keep their screens apart, and the key window comes back", .tags(.seed))
    func restoresWindows() throws {
        func list(_ window: Window) -> Screen? {
            (window.rootViewController as? NavigationController)?.viewControllers.first as? Screen
        }
        let saved = windows()
        list(saved.left)?.text = "left"
        list(saved.right)?.text = "right"
        (saved.left.isKey, saved.right.isKey) = (false, true)
        (saved.right.rootViewController as? NavigationController)?.push(LookUpTests.Made("Page", text: "page"))
        let archive = try #require(try saved.app.save())
        #expect(
            archive.objects.map(\.path) == [
                "Left", "Left/Root", "Left/Root/List", "Right", "Right/Root", "Right/Root/List", "Right/Root/Page",
            ])

        let next = windows()
        #expect(try next.app.restore(archive).missing == [])
        #expect(list(next.left)?.text == "left")
        #expect(list(next.right)?.text == "right")
        #expect((next.left.rootViewController as? NavigationController)?.viewControllers.count == 1)
        #expect((next.right.rootViewController as? NavigationController)?.viewControllers.count == 2)
        #expect(!next.left.isKey)
        #expect(next.right.isKey)
    }

    @Test func addsNothingToPathsInAnUnnamedWindow() throws {
        let (left, right, app) = windows()
        left.restorationIdentifier = nil
        #expect(
            try app.save()?.objects.map(\.path) == [
                "Root", "Root/List", "Right", "Right/Root", "Right/Root/List",
            ])
        #expect(right.rootViewController?.window === right)
    }
}
