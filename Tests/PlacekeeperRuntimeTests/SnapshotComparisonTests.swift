import PlacekeeperArchive
import PlacekeeperStandIns
import PlacekeeperRuntime
import Testing

/// Tests that the snapshot is shown only if the person sees the same interface again (row 55 of docs/seeds.md).
@MainActor
struct SnapshotComparisonTests {
    private let snapshot = LaunchAppearance(image: .snapshot, transition: .none)
    private let fade = LaunchAppearance(image: .standard, transition: .fade)

    private func launch(_ storage: InMemoryArchiveStorage, _ content: @escaping () -> ViewController) -> LivingApp {
        let app = LivingApp(storage)
        app.root = { NavigationController(root: content()).named("Root") }
        app.application.launch()
        return app
    }

    /// Saves an app with one content, launches it with another content, and returns the appearance of this launch.
    private func appearance(
        _ before: @escaping () -> ViewController, _ after: @escaping () -> ViewController
    ) throws -> LaunchAppearance {
        let storage = InMemoryArchiveStorage()
        try launch(storage, before).application.saveState()
        return launch(storage, after).application.appearance
    }

    private func split(
        collapsed: Bool, showsSecondary: Bool = true, primary: String? = "List", secondary: String? = "Detail"
    ) -> SplitViewController {
        let split = SplitViewController().named("Split")
        (split.primary, split.secondary) = (Screen(primary), Screen(secondary))
        (split.isCollapsed, split.showsSecondary) = (collapsed, showsSecondary)
        return split
    }

    @Test("seed 55 · a snapshot of one column is not shown if both columns are visible, nor the reverse", .tags(.seed))
    func showsNoSnapshotOfOtherVisibleColumns() throws {
        for (before, after) in [(true, false), (false, true)] {
            #expect(try appearance({ split(collapsed: before) }, { split(collapsed: after) }) == fade)
            #expect(try appearance({ split(collapsed: before) }, { split(collapsed: before) }) == snapshot)
        }
    }

    @Test("seed 57 · a hidden column needs no identifier for the snapshot", .tags(.seed))
    func ignoresHiddenColumns() throws {
        for showsSecondary in [true, false] {
            func unnamed() -> SplitViewController {
                split(
                    collapsed: true, showsSecondary: showsSecondary, primary: showsSecondary ? nil : "List",
                    secondary: showsSecondary ? "Detail" : nil)
            }
            #expect(try appearance(unnamed, unnamed) == snapshot)
        }
    }

    @Test("seed 55 · a snapshot of a view that is gone is not shown", .tags(.seed))
    func showsNoSnapshotOfMissingView() throws {
        func screen(_ view: String?) -> Screen {
            let (screen, table) = (Screen("List"), TableView())
            table.restorationIdentifier = view
            screen.views = [table]
            return screen
        }
        #expect(try appearance({ screen("Table") }, { screen("Table") }) == snapshot)
        #expect(try appearance({ screen("Table") }, { screen(nil) }) == fade)
    }

    @Test("seed 55 · a snapshot of a custom container is not shown if its child does not come back", .tags(.seed))
    func showsNoSnapshotOfContainerWithMissingChild() throws {
        final class Container: Screen {
            var inner: [ViewController] = []
            override var restorableChildren: [any RestorableViewController] { inner }
        }
        func container(_ text: String?) -> Container {
            let container = Container("Container")
            if let text { container.inner = [LookUpTests.Made("Child", text: text)] }
            return container
        }
        #expect(try appearance({ container("here") }, { container(nil) }) == snapshot)
        #expect(try appearance({ container("gone") }, { container(nil) }) == fade)
    }

    @Test(
        "seed 55 · a snapshot of rows is not shown if another row is visible in the place of one of them", .tags(.seed),
        arguments: [
            (["a", "b", "c"], true), (["a", "c"], false), (["a", "b"], false), (["a", "x", "b", "c"], false),
            (["a", "b", "c", "d"], false), (["x", "a", "b", "c"], true), (["a", "c", "b"], false),
        ] as [([String], Bool)])
    func showsNoSnapshotOfOtherVisibleRows(_ names: [String], isSame: Bool) throws {
        // The list is scrolled, so the rows above the first visible row are hidden and do not appear in the snapshot.
        let (before, after) = (Elements([["top", "a", "b", "c"]]), Elements([["top"] + names]))
        func screen(_ elements: Elements) -> Screen {
            let (screen, table) = (Screen("List"), TableView())
            table.restorationIdentifier = "Table"
            table.dataSource = elements
            screen.views = [table]
            if elements === before { table.scroll(to: 44 + 13) }
            return screen
        }
        #expect(try appearance({ screen(before) }, { screen(after) }) == (isSame ? snapshot : fade))
    }

    @Test("seed 55 · a snapshot of a list that has an item twice is shown", .tags(.seed))
    func showsSnapshotOfRepeatedRows() throws {
        let elements = Elements([["a", "b", "a"]])
        func screen() -> Screen {
            let (screen, table) = (Screen("List"), TableView())
            table.restorationIdentifier = "Table"
            table.dataSource = elements
            screen.views = [table]
            return screen
        }
        #expect(try appearance(screen, screen) == snapshot)
    }
}
