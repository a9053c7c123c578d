import PlacekeeperArchive
import PlacekeeperStandIns
import PlacekeeperRuntime
import Testing

/// Tests that a snapshot is shown only if the restored interface matches the whole snapshot.
@MainActor
struct SnapshotScopeTests {
    private typealias Made = LookUpTests.Made
    private let snapshot = LaunchAppearance(image: .snapshot, transition: .none)
    private let fade = LaunchAppearance(image: .standard, transition: .fade)

    @Test("seed 55 · a snapshot is not shown when a view of the screen cannot restore its state", .tags(.seed))
    func showsNoSnapshotIfAViewFailsToDecode() throws {
        final class Meter: View {
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
                    let (screen, meter) = (Screen("List"), Meter())
                    (meter.restorationIdentifier, meter.fails) = ("Meter", fails)
                    screen.views = [meter]
                    return NavigationController(root: screen).named("Root")
                }
                app.application.launch()
                return app
            }
            try launch(fails: false).application.saveState()
            #expect(launch(fails: fails).application.appearance == expected)
        }
    }

    /// A screen whose restoration class makes a view controller of another class when the saved text is "other".
    private final class Replaced: Screen, ViewControllerRestoration {
        static func viewController(
            withRestorationIdentifierPath path: [String], coder: StateDecoder
        ) -> (any RestorableViewController)? {
            let replaced = Replaced(path.last)
            replaced.restorationClass = Replaced.self
            return coder.decodeString(forKey: "text") == "other" ? ViewController().named(path.last) : replaced
        }
    }

    @Test("seed 55 · a snapshot is not shown when the restored screen has another class", .tags(.seed))
    func showsNoSnapshotIfTheClassDiffers() throws {
        for (text, expected) in [("same", snapshot), ("other", fade)] {
            let storage = InMemoryArchiveStorage()
            func app() -> LivingApp {
                let app = LivingApp(storage)
                app.environment.add(Replaced.self)
                return app
            }
            let first = app()
            first.application.launch()
            let screen = Replaced("Page", text: text)
            screen.restorationClass = Replaced.self
            first.navigation.push(screen)
            try first.application.saveState()
            let next = app()
            next.application.launch()
            #expect(next.stack == ["List", "Page"])
            #expect(next.application.appearance == expected)
        }
    }

    /// An app with two windows.
    private final class Windows: ApplicationLifeCycleDelegate {
        let environment = RestorationEnvironment(restorationClasses: [Made.self])
        private(set) var stacks: [NavigationController] = []
        var roots: [any RestorableViewController] { stacks }
        func loadInterface() {
            stacks = ["Left", "Right"].map { NavigationController(root: Screen("List")).named($0) }
        }
        func shouldSaveApplicationState(_ coder: StateEncoder) -> Bool { true }
        func shouldRestoreApplicationState(_ coder: StateDecoder) -> Bool { true }
    }

    @Test("seed 55 · a snapshot of several windows is shown only when every window matches", .tags(.seed))
    func showsSnapshotOnlyIfAllWindowsMatch() throws {
        for (texts, expected) in [(["", ""], snapshot), (["gone", ""], fade), (["", "gone"], fade)] {
            let storage = InMemoryArchiveStorage()
            func launch() -> (RestorableApplication, Windows) {
                let delegate = Windows()
                let device = RestorationContext(idiom: .phone, bundleVersion: "1", systemVersion: "17.4")
                let application = RestorableApplication(
                    delegate, environment: delegate.environment, storage: storage,
                    configuration: .init(device: device) { 800_000_000 })
                application.launch()
                return (application, delegate)
            }
            let (application, windows) = launch()
            for (stack, text) in zip(windows.stacks, texts) { stack.push(Made("Page", text: text)) }
            try application.saveState()
            #expect(launch().0.appearance == expected, "\(texts)")
        }
    }
}
