import PlacekeeperArchive
import PlacekeeperStandIns
import PlacekeeperRuntime
import Testing

/// Tests the order of calls, and that the result does not depend on an order that is unspecified.
@MainActor
struct RestoringOrderTests {
    private typealias Made = LookUpTests.Made

    @Test(
        "seed 30 · the state of a class and of its superclass comes back, whether super is called first or last",
        .tags(.seed),
        arguments: [true, false], [true, false])
    func worksWithSuperFirstOrLast(savesSuperFirst: Bool, restoresSuperFirst: Bool) throws {
        /// Calls `super` before or after the coding of the class itself.
        struct Order {
            var isFirst: Bool
            func run(_ own: () throws -> Void, super inherited: () throws -> Void) rethrows {
                if isFirst { try inherited() }
                try own()
                if !isFirst { try inherited() }
            }
        }
        final class Page: TextView {
            var order = Order(isFirst: true)
            var style = "plain"
            override func encodeRestorableState(with coder: StateEncoder) {
                order.run({ coder.encode(style, forKey: "style") }, super: { super.encodeRestorableState(with: coder) })
            }
            override func decodeRestorableState(with coder: StateDecoder) throws {
                try order.run({ style = coder.decodeString(forKey: "style") ?? style }) {
                    try super.decodeRestorableState(with: coder)
                }
            }
        }
        final class Navigation: NavigationController {
            let page = Page()
            var order = Order(isFirst: true)
            var note = "none"
            override func encodeRestorableState(with coder: StateEncoder) {
                order.run({ coder.encode(note, forKey: "note") }, super: { super.encodeRestorableState(with: coder) })
            }
            override func decodeRestorableState(with coder: StateDecoder) throws {
                try order.run({ note = coder.decodeString(forKey: "note") ?? note }) {
                    try super.decodeRestorableState(with: coder)
                }
            }
        }
        func navigation(superFirst: Bool) -> Navigation {
            let navigation = Navigation(root: Screen("List")).named("Root")
            (navigation.order, navigation.page.order) = (Order(isFirst: superFirst), Order(isFirst: superFirst))
            navigation.page.restorationIdentifier = "Page"
            navigation.page.text = "A text of the app's."
            navigation.views = [navigation.page]
            return navigation
        }
        let saved = navigation(superFirst: savesSuperFirst)
        saved.note = "own"
        saved.push(Made("Detail", text: "pushed"))
        saved.page.style = "bold"
        saved.page.contentOffset.y = 120
        saved.page.select(2..<6)
        let archive = try TestApp(saved).save()
        let restored = navigation(superFirst: restoresSuperFirst)
        let app = TestApp(restored)
        app.environment.add(Made.self)
        try app.restore(archive)
        #expect(restored.note == "own")
        #expect((restored.top as? Made)?.text == "pushed")
        #expect(restored.page.style == "bold")
        #expect(restored.page.contentOffset.y == 120)
        #expect(restored.page.selectedRange == 2..<6)
        #expect(try app.save() == archive)
    }

    @Test("seed 37 · the finished callbacks come after all decoding, in any order of decoding", .tags(.seed))
    func callsFinishedAfterAllObjectsAreDecoded() throws {
        /// A screen that depends on the decoded state of other screens.
        final class Summary: Screen {
            var others: [Screen] = []
            private(set) var line = ""
            override func applicationFinishedRestoringState() {
                super.applicationFinishedRestoringState()
                line = others.map(\.text).joined(separator: " ")
            }
        }
        final class Filter: StateRestoring {
            var level = 0
            weak var journal: Journal?
            func encodeRestorableState(with coder: StateEncoder) { coder.encode(level, forKey: "level") }
            func decodeRestorableState(with coder: StateDecoder) {
                journal?.calls.append("decode Filter")
                level = coder.decodeInteger(forKey: "level")
            }
            func applicationFinishedRestoringState() { journal?.calls.append("finished Filter at \(level)") }
        }
        func app(text: (String) -> String, level: Int) -> (TestApp, Summary, Filter) {
            let (app, filter) = (TestApp(), Filter())
            let summary = Summary("Summary", journal: app.journal)
            summary.others = ["A", "B"].map { Screen($0, text: text($0), journal: app.journal) }
            (filter.level, filter.journal) = (level, app.journal)
            app.roots = [summary.others[0], summary, summary.others[1]]
            app.environment.registerObject(filter, restorationIdentifier: "Filter")
            return (app, summary, filter)
        }
        let (saving, _, savedFilter) = app(text: { "text of \($0)" }, level: 7)
        let archive = try #require(try saving.save())
        #expect(savedFilter.level == 7)
        // Objects are decoded in the order of the archive, so the test changes this order.
        for order in [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2], [2, 0, 3, 1]] {
            var shuffled = archive
            shuffled.objects = order.map { archive.objects[$0] }
            let (next, summary, filter) = app(text: { "launch text of \($0)" }, level: 1)
            try next.restore(shuffled)
            let calls = next.journal.calls.drop { !$0.hasPrefix("decode") }
            #expect(Set(calls.prefix(4)) == ["decode A", "decode B", "decode Summary", "decode Filter"])
            #expect(calls.dropFirst(4).first == "didDecode")
            #expect(
                Set(calls.dropFirst(5).dropLast()) == [
                    "finished A", "finished B", "finished Summary", "finished Filter at 7",
                ])
            #expect(calls.count == 10)
            #expect(calls.last == "finished")
            #expect(summary.line == "text of A text of B")
            withExtendedLifetime(filter) {}
        }
        withExtendedLifetime(savedFilter) {}
    }

    @Test(
        "seed 67 · a login screen without an identifier is not saved; the app decides again at launch", .tags(.seed),
        arguments: [true, false], [true, false])
    func doesNotSaveLoginScreen(wasSignedIn: Bool, isSignedIn: Bool) throws {
        /// Presents a login screen at launch if nobody is signed in.
        final class SigningApp: ApplicationLifeCycleDelegate {
            let home = Screen("Home", text: "as made at launch")
            let isSignedIn: Bool
            var login: Screen? { home.presented as? Screen }
            var roots: [any RestorableViewController] { [home] }
            init(isSignedIn: Bool) { self.isSignedIn = isSignedIn }
            func loadInterface() {
                if !isSignedIn { home.present(Screen(nil, text: "nobody")) }
            }
            func shouldSaveApplicationState(_ coder: StateEncoder) -> Bool { true }
            func shouldRestoreApplicationState(_ coder: StateDecoder) -> Bool { true }
        }
        let storage = InMemoryArchiveStorage()
        func launch(_ app: SigningApp) -> RestorableApplication {
            let life = RestorableApplication(
                app, environment: RestorationEnvironment(), storage: storage,
                configuration: .init(device: RestorationContext(idiom: .phone)) { 0 })
            life.launch()
            return life
        }
        let app = SigningApp(isSignedIn: wasSignedIn)
        let life = launch(app)
        app.home.text = "draft"
        app.login?.text = "grace"
        let archive = try #require(try life.saveState())
        #expect(archive.objects.map(\.path) == ["Home"])
        #expect(archive.objects[0].state == ["text": .string("draft")])

        let next = SigningApp(isSignedIn: isSignedIn)
        _ = launch(next)
        #expect(next.home.text == "draft")
        #expect(next.login?.text == (isSignedIn ? nil : "nobody"))
    }
}
