import PlacekeeperArchive
import PlacekeeperStandIns
import PlacekeeperRuntime
import Testing

@MainActor
struct SnapshotTests {
    private typealias Made = LookUpTests.Made
    private let snapshot = LaunchAppearance(image: .snapshot, transition: .none)
    private let fade = LaunchAppearance(image: .standard, transition: .fade)

    /// Launches an app, uses it, saves the state, and returns the appearance of the next launch.
    private func appearance(after use: (LivingApp) -> Void) throws -> LaunchAppearance {
        let storage = InMemoryArchiveStorage()
        let app = LivingApp(storage)
        app.application.launch()
        use(app)
        try app.application.saveState()
        let next = LivingApp(storage)
        next.application.launch()
        return next.application.appearance
    }

    @Test("seed 55 · a launch shows the matching snapshot or the launch image, and nothing else", .tags(.seed))
    func showsSnapshotOrLaunchImage() throws {
        #expect(
            try appearance { $0.navigation.push(Made("Page")) } == LaunchAppearance(image: .snapshot, transition: .none)
        )
        let fresh = LivingApp(InMemoryArchiveStorage())
        fresh.application.launch()
        #expect(fresh.application.appearance == LaunchAppearance(image: .standard, transition: .none))
        // Only one launch restores an archive, and only this launch shows the archive's snapshot.
        try fresh.application.saveState()
        fresh.application.launch()
        #expect(fresh.application.appearance.image == .snapshot)
        fresh.application.launch()
        #expect(fresh.application.appearance.image == .standard)
        // The system has no snapshot of a state of another device, or one that was saved in front.
        try fresh.application.saveState()
        fresh.application.launch(hasSnapshot: false)
        #expect(fresh.application.appearance == fade)
        // A snapshot of another layout.
        try fresh.application.saveState()
        fresh.application.configuration.device.layout = .regular
        fresh.application.launch()
        #expect(fresh.application.appearance == fade)
    }

    @Test("seed 56 · ignoring the snapshot is requested while saving, and affects one launch", .tags(.seed))
    func ignoresSnapshotForOneLaunch() throws {
        final class Changing: Screen {
            var ignores: () -> Void = {}
            override func encodeRestorableState(with coder: StateEncoder) {
                super.encodeRestorableState(with: coder)
                ignores()
            }
        }
        let asked = try appearance { app in
            let screen = Changing("Page")
            screen.restorationClass = LookUpTests.Made.self
            screen.ignores = { app.environment.ignoreSnapshotOnNextApplicationLaunch() }
            app.navigation.push(screen)
        }
        #expect(asked == LaunchAppearance(image: .standard, transition: .fade))
        // A request at any other time has no effect.
        let early = try appearance { $0.environment.ignoreSnapshotOnNextApplicationLaunch() }
        #expect(early.image == .snapshot)

        let storage = InMemoryArchiveStorage()
        let app = LivingApp(storage)
        let screen = Changing("List")
        app.root = { NavigationController(root: screen).named("Root") }
        app.application.launch()
        screen.ignores = { app.environment.ignoreSnapshotOnNextApplicationLaunch() }
        try app.application.saveState()
        screen.ignores = {}
        try app.application.saveState()
        let next = LivingApp(storage)
        next.application.launch()
        #expect(next.application.appearance.image == .snapshot)
    }

    @Test("seed 55 · a snapshot of a screen that does not come back in front is not shown", .tags(.seed))
    func showsNoSnapshotIfAnotherScreenIsInFront() throws {
        func pushed(_ text: String) throws -> LaunchAppearance {
            try appearance {
                $0.navigation.push(Made("Page"))
                $0.navigation.push(Made("Detail", text: text))
            }
        }
        #expect(try pushed("here") == snapshot)
        #expect(try pushed("gone") == fade)
        // The sheet does not come back: the screen below it is in front.
        #expect(
            try appearance {
                $0.navigation.push(Made("Page"))
                $0.navigation.present(Made("Sheet", text: "gone"))
            } == fade)
    }

    @Test("seed 55 · a snapshot of two columns is not shown when one column differs", .tags(.seed))
    func showsNoSnapshotIfOneColumnDiffers() throws {
        for (text, expected) in [("here", snapshot), ("gone", fade)] {
            let storage = InMemoryArchiveStorage()
            func app() -> (LivingApp, SplitViewController) {
                let (app, split) = (LivingApp(storage), SplitViewController().named("Split"))
                split.secondary = Screen("Detail")
                app.root = {
                    let root = NavigationController(root: Screen("List")).named("Root")
                    split.primary = NavigationController(root: Screen("Sidebar")).named("Column")
                    root.push(split)
                    return root
                }
                return (app, split)
            }
            let (first, split) = app()
            first.application.launch()
            (split.primary as? NavigationController)?.push(Made("Folder", text: text))
            try first.application.saveState()
            let (next, _) = app()
            next.application.launch()
            #expect(next.application.appearance == expected)
        }
    }

    @Test("seed 55 · a snapshot of a screen that cannot restore its state is not shown", .tags(.seed))
    func showsNoSnapshotIfTheScreenFailsToDecode() throws {
        final class Failing: Screen {
            var fails = false
            override func decodeRestorableState(with coder: StateDecoder) throws {
                if fails { throw StorageError.failed("unreadable") }
            }
        }
        for (fails, expected) in [(false, snapshot), (true, fade)] {
            let storage = InMemoryArchiveStorage()
            func launch(fails: Bool) -> LivingApp {
                let app = LivingApp(storage)
                app.root = {
                    let screen = Failing("List")
                    screen.fails = fails
                    return NavigationController(root: screen).named("Root")
                }
                app.application.launch()
                return app
            }
            try launch(fails: false).application.saveState()
            #expect(launch(fails: fails).application.appearance == expected)
        }
    }

    @Test("seed 55 · a snapshot of rows that moved or are gone is not shown", .tags(.seed))
    func showsNoSnapshotOfMovedOrMissingRows() throws {
        for (names, rowHeight, expected) in [
            (["new", "a", "b"], 44.0, snapshot), (["b", "a"], 44, fade), (["a"], 44, fade), (["a", "b"], 470, fade),
        ] {
            let storage = InMemoryArchiveStorage()
            func launch(_ elements: Elements, _ rowHeight: Double = 44) -> (LivingApp, TableView) {
                let (app, table) = (LivingApp(storage), TableView())
                table.rowHeight = rowHeight
                table.restorationIdentifier = "Table"
                table.dataSource = elements
                app.root = {
                    let (screen, layout) = (Screen("List"), View())
                    layout.subviews = [table]
                    screen.views = [layout]
                    return NavigationController(root: screen).named("Root")
                }
                app.application.launch()
                return (app, table)
            }
            let (before, after) = (Elements("a", "b"), Elements([names]))
            let (app, table) = launch(before)
            table.select(.init(item: 1))
            try app.application.saveState()
            #expect(launch(after, rowHeight).0.application.appearance == expected)
        }
    }

    @Test("seed 57 · a launch that restores nothing has no fade", .tags(.seed))
    func fadesOnlyToRestoredScreens() throws {
        let storage = InMemoryArchiveStorage()
        let app = LivingApp(storage)
        app.application.launch()
        app.navigation.push(Screen(nil))
        for (answer, expected) in [(true, fade), (false, LaunchAppearance(image: .standard, transition: .none))] {
            try app.application.saveState()
            let next = LivingApp(storage)
            next.shouldRestore = { _ in answer }
            next.application.launch()
            #expect(next.application.appearance == expected)
        }
    }

    @Test("seed 57 · a screen that has no identifier or does not come back gets a fade, and no snapshot", .tags(.seed))
    func fadesToScreensThatDoNotComeBack() throws {
        #expect(try appearance { $0.navigation.push(Screen(nil)) } == fade)
        #expect(try appearance { $0.navigation.present(Screen(nil)) } == fade)
        #expect(try appearance { $0.navigation.present(ActivityViewController().named("Share")) } == fade)
        // A presented screen with an identifier comes back, and so does an activity sheet with an identifier and a
        // draft.
        #expect(try appearance { $0.navigation.present(Made("Sheet")) } == snapshot)
        #expect(
            try appearance { app in
                let sheet = ActivityViewController().named("Share")
                sheet.draft = .init(subject: "Look")
                app.navigation.present(sheet)
            } == snapshot)
    }

    @Test("seed 57 · a snapshot of two columns is not shown when one column has no identifier", .tags(.seed))
    func showsNoSnapshotOfUnnamedColumn() throws {
        let storage = InMemoryArchiveStorage()
        func launch() -> (LivingApp, SplitViewController) {
            let (app, split) = (LivingApp(storage), SplitViewController().named("Split"))
            split.primary = Screen("Sidebar")
            app.root = {
                let root = NavigationController(root: Screen("List")).named("Root")
                root.push(split)
                return root
            }
            app.application.launch()
            return (app, split)
        }
        for (column, expected) in [(nil, snapshot), (Screen(nil), fade)] as [(Screen?, LaunchAppearance)] {
            let (app, split) = launch()
            split.secondary = column
            try app.application.saveState()
            #expect(launch().0.application.appearance == expected)
        }
    }

    @Test("seed 57 · a snapshot of a screen that was pushed above an unnamed screen is not shown", .tags(.seed))
    func showsNoSnapshotAboveUnnamedScreen() throws {
        #expect(
            try appearance {
                $0.navigation.push(Screen(nil))
                $0.navigation.push(Made("Detail"))
            } == fade)
    }

    @Test("seed 58 · an activity sheet is not saved", .tags(.seed))
    func doesNotSaveActivitySheet() throws {
        let root = Screen("Root")
        let sheet = ActivityViewController().named("Share")
        root.present(sheet)
        #expect(try TestApp(root).save()?.objects.map(\.path) == ["Root"])
        // Nor does a reference save it.
        let app = TestApp(root)
        app.willEncode = { $0.encode(sheet, forKey: "sheet") }
        let archive = try app.save()
        #expect(archive?.objects.map(\.path) == ["Root"])
        #expect(archive?.application["sheet"] == .null)
    }

    @Test("seed 59 · the mail draft of a sheet with an identifier comes back", .tags(.seed))
    func savesMailDrafts() throws {
        let root = Screen("Root")
        let sheet = ActivityViewController().named("Share")
        sheet.draft = .init(
            recipients: ["a@example.com", "b@example.com"], subject: "Look", body: "An elaborate message")
        root.present(sheet)
        let archive = try TestApp(root).save()
        let next = Screen("Root")
        let app = TestApp(next)
        try app.restore(archive)
        let restored = try #require(next.presented as? ActivityViewController)
        #expect(restored.draft?.recipients == ["a@example.com", "b@example.com"])
        #expect(restored.draft?.subject == "Look")
        #expect(restored.draft?.body == "An elaborate message")
        #expect(restored !== sheet)
        #expect(restored.restorationIdentifier == "Share")
        // The draft is saved again after the person continues to write.
        restored.draft?.body = "More"
        let last = Screen("Root")
        try TestApp(last).restore(app.save())
        #expect((last.presented as? ActivityViewController)?.draft?.body == "More")

        // A draft that has only a text comes back, too.
        restored.draft = .init(body: "Hello")
        let short = Screen("Root")
        try TestApp(short).restore(app.save())
        #expect((short.presented as? ActivityViewController)?.draft == .init(body: "Hello"))

        sheet.restorationIdentifier = nil
        #expect(try TestApp(root).save()?.objects.map(\.path) == ["Root"])
    }

    /// A custom sheet that uses its own keys and does not call `super`.
    private final class Share: ActivityViewController {
        var note = "default"
        override func encodeRestorableState(with coder: StateEncoder) { coder.encode(note, forKey: "subject") }
        override func decodeRestorableState(with coder: StateDecoder) throws {
            note = coder.decodeString(forKey: "subject") ?? ""
        }
    }

    @Test("seed 59 · a mail draft survives in a subclass that saves its own state", .tags(.seed))
    func savesMailDraftsOfSubclasses() throws {
        let root = Screen("Root")
        let sheet = Share().named("Share")
        (sheet.draft, sheet.note) = (.init(recipients: ["a@example.com"], subject: "Look", body: "Text"), "own")
        root.present(sheet)
        let next = Screen("Root")
        let app = TestApp(next)
        app.environment.add(Share.self)
        try app.restore(TestApp(root).save())
        let restored = try #require(next.presented as? Share)
        #expect(restored.draft == .init(recipients: ["a@example.com"], subject: "Look", body: "Text"))
        #expect(restored.note == "own")
    }

    @Test("seed 59 · a sheet without a draft comes back without a draft if its subclass is not transient", .tags(.seed))
    func restoresSheetWithoutDraft() throws {
        final class Lasting: ActivityViewController {
            override var isTransient: Bool { false }
        }
        let root = Screen("Root")
        root.present(Lasting().named("Share"))
        let next = Screen("Root")
        let app = TestApp(next)
        app.environment.add(Lasting.self)
        try app.restore(TestApp(root).save())
        #expect(next.presented is Lasting)
        #expect((next.presented as? Lasting)?.draft == nil)
    }

    @Test func readsDraftOfEarlierFormat() throws {
        let next = Screen("Root")
        let sheet = RestorableObject(
            path: "Root/Share", kind: .viewController, className: "ActivityViewController",
            restorationClass: "ActivityViewController",
            state: ["recipients": .array([.string("a")]), "subject": .string("s"), "body": .string("b")])
        let root = RestorableObject(
            path: "Root", kind: .viewController, className: "Screen",
            state: ["kUIViewControllerPresentedKey": .object(path: "Root/Share")])
        try TestApp(next).restore(StateArchive(objects: [root, sheet]))
        #expect(
            (next.presented as? ActivityViewController)?.draft == .init(recipients: ["a"], subject: "s", body: "b"))
    }
}
