import KeyedArchive
import RestorationInterface
import StateRestoration
import Testing

/// The snapshot is shown only where a person sees the same again (row 55).
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

    /// What a person sees at the launch after a life with other content.
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

    @Test("seed 55 · a snapshot of one column is not shown where both are seen, nor the reverse", .tags(.seed))
    func comparesVisibleColumns() throws {
        for (before, after) in [(true, false), (false, true)] {
            #expect(try appearance({ split(collapsed: before) }, { split(collapsed: after) }) == fade)
            #expect(try appearance({ split(collapsed: before) }, { split(collapsed: before) }) == snapshot)
        }
    }

    @Test("seed 57 · a column that is not seen needs no identifier for the snapshot", .tags(.seed))
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
    func comparesViews() throws {
        func screen(_ view: String?) -> Screen {
            let (screen, table) = (Screen("List"), TableView())
            table.restorationIdentifier = view
            screen.views = [table]
            return screen
        }
        #expect(try appearance({ screen("Table") }, { screen("Table") }) == snapshot)
        #expect(try appearance({ screen("Table") }, { screen(nil) }) == fade)
    }

    @Test(
        "seed 55 · a snapshot of a container of the app's own whose child does not come back is not shown", .tags(.seed)
    )
    func comparesChildren() throws {
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
        "seed 55 · a snapshot of rows is not shown when another row is seen in the place of one of them", .tags(.seed),
        arguments: [
            (["a", "b", "c"], true), (["a", "c"], false), (["a", "b"], false), (["a", "x", "b", "c"], false),
            (["a", "b", "c", "d"], false), (["x", "a", "b", "c"], true), (["a", "c", "b"], false),
        ] as [([String], Bool)])
    func comparesVisibleRows(_ names: [String], isSame: Bool) throws {
        // The first visible row is scrolled to the top: rows above it do not show.
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
    func comparesRepeatedRows() throws {
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
