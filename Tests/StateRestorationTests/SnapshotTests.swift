import KeyedArchive
import StateRestoration
import Testing

@MainActor
struct SnapshotTests {
    private typealias Made = LookUpTests.Made

    /// What a person sees at the launch after a life.
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

    @Test("seed 55 · a launch shows the snapshot that matches, or the launch image; nothing else", .tags(.seed))
    func showsOneOfTwo() throws {
        #expect(
            try appearance { $0.navigation.push(Made("Page")) } == LaunchAppearance(image: .snapshot, transition: .none)
        )
        let fresh = LivingApp(InMemoryArchiveStorage())
        fresh.application.launch()
        #expect(fresh.application.appearance == LaunchAppearance(image: .standard, transition: .none))
        // The archive was for one launch, and so is its picture.
        try fresh.application.saveState()
        fresh.application.launch()
        #expect(fresh.application.appearance.image == .snapshot)
        fresh.application.launch()
        #expect(fresh.application.appearance.image == .standard)
    }

    @Test("seed 56 · ignoring the snapshot is asked for while saving, and counts for one launch", .tags(.seed))
    func ignoresOnce() throws {
        final class Changing: Screen {
            var ignores: () -> Void = {}
            override func encodeRestorableState(with coder: StateEncoder) { ignores() }
        }
        let asked = try appearance { app in
            let screen = Changing("Page")
            screen.restorationClass = LookUpTests.Made.self
            screen.ignores = { app.environment.ignoreSnapshotOnNextApplicationLaunch() }
            app.navigation.push(screen)
        }
        #expect(asked == LaunchAppearance(image: .standard, transition: .fade))
        // Asked at any other time it counts for nothing.
        let early = try appearance { $0.environment.ignoreSnapshotOnNextApplicationLaunch() }
        #expect(early.image == .snapshot)

        let storage = InMemoryArchiveStorage()
        let app = LivingApp(storage)
        app.application.launch()
        let screen = Changing("Page")
        screen.ignores = { app.environment.ignoreSnapshotOnNextApplicationLaunch() }
        app.navigation.push(screen)
        try app.application.saveState()
        screen.ignores = {}
        try app.application.saveState()
        let next = LivingApp(storage)
        next.application.launch()
        #expect(next.application.appearance.image == .snapshot)
    }

    @Test("seed 57 · no snapshot of what has no identifier or does not come back, and a fade instead", .tags(.seed))
    func skipsWhatDoesNotComeBack() throws {
        let fade = LaunchAppearance(image: .standard, transition: .fade)
        #expect(try appearance { $0.navigation.push(Screen(nil)) } == fade)
        #expect(try appearance { $0.navigation.present(ActivityViewController().named("Share")) } == fade)
    }

    @Test("seed 58 · an activity sheet is not saved", .tags(.seed))
    func leavesActivitySheets() throws {
        let root = Screen("Root")
        root.present(ActivityViewController().named("Share"))
        #expect(try TestApp(root).save()?.objects.map(\.path) == ["Root"])
    }

    @Test("seed 59 · a mail that is being written in a sheet with an identifier comes back", .tags(.seed))
    func savesMailDrafts() throws {
        let root = Screen("Root")
        let sheet = ActivityViewController().named("Share")
        sheet.draft = .init(recipients: ["a@example.com"], subject: "Look", body: "An elaborate message")
        root.present(sheet)
        let archive = try TestApp(root).save()
        let next = Screen("Root")
        try TestApp(next).restore(archive)
        let restored = next.presented as? ActivityViewController
        #expect(restored?.draft == sheet.draft)
        #expect(restored !== sheet)

        sheet.restorationIdentifier = nil
        #expect(try TestApp(root).save()?.objects.map(\.path) == ["Root"])
    }
}
