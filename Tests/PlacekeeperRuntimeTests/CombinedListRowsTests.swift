import PlacekeeperArchive
import PlacekeeperRuntime
import PlacekeeperStandIns
import Testing

/// Sequences of lists and snapshots in which several rows of docs/seeds.md meet.
@MainActor
struct CombinedListRowsTests {
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
        final class Holder: StateCopying {
            var model: Model?
            func encodeState(with coder: StateEncoder) { coder.encode(model, forKey: "model") }
            func decodeState(with coder: StateDecoder) throws { model = coder.decodeObject(forKey: "model") }
        }
        final class Model: StateRestoring {
            var next: Model?
            var holder: Holder?
            var restorationIdentifier: String? { nil }
            func encodeRestorableState(with coder: StateEncoder) {
                coder.encode(next, forKey: "next")
                coder.encode(holder, forKey: "holder")
            }
            func decodeRestorableState(with coder: StateDecoder) throws {}
        }
        for (comesBack, isCopied, expected) in [
            (true, false, LaunchAppearance.Image.snapshot), (false, false, .standard), (true, true, .snapshot),
            (false, true, .standard),
        ] {
            let storage = InMemoryArchiveStorage()
            func launch(registers: Bool) -> (app: LivingApp, models: [Model]) {
                let app = LivingApp(storage)
                let models = [Model(), Model()]
                if isCopied {
                    models[0].holder = Holder()
                    models[0].holder?.model = models[1]
                } else {
                    models[0].next = models[1]
                }
                app.environment.addCopies(of: Holder.self)
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
        saved.list.contentInset = .init(top: 20, left: 1, bottom: 2, right: 3)
        let next = LateList()
        next.list.dataSource = elements
        try TestApp(next).restore(TestApp(saved).save())
        #expect(next.list.contentOffset == 440)
        #expect(next.list.horizontalOffset == 120)
        #expect(next.list.zoomScale == 2)
        #expect(next.list.contentInset == .init(top: 20, left: 1, bottom: 2, right: 3))

        // Each of the three comes back alone, too.
        func restored(_ use: (ListView) -> Void) throws -> ListView {
            let (saved, next) = (LateList(), LateList())
            use(saved.list)
            try TestApp(next).restore(TestApp(saved).save())
            return next.list
        }
        #expect(try restored { $0.horizontalOffset = 7 }.horizontalOffset == 7)
        #expect(try restored { $0.zoomScale = 3 }.zoomScale == 3)
        #expect(try restored { $0.contentInset.left = 4 }.contentInset == .init(left: 4))
    }

    @Test(
        "seed 89 · other numbers in an archive are no viewport", .tags(.seed),
        arguments: [[], [1, 2], [1, 0, 0, 0, 0, 0], [.nan, 1, 0, 0, 0, 0], [1, 1, 0, .infinity, 0, 0]] as [[Double]])
    func ignoresOtherNumbers(numbers: [Double]) throws {
        let saved = LateList()
        saved.list.horizontalOffset = 7
        var archive = try #require(try TestApp(saved).save())
        let index = try #require(archive.objects.firstIndex { $0.path == "List/Rows" })
        archive.objects[index].state["kListViewportKey"] = .array(numbers.map { .real($0) })
        let next = LateList()
        try TestApp(next).restore(archive)
        #expect(next.list.horizontalOffset == 0)
        #expect(next.list.zoomScale == 1)
    }
}
