import KeyedArchive
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
}
