import PlacekeeperArchive
import PlacekeeperStandIns
import PlacekeeperRuntime
import Testing

@MainActor
struct ViewLoadingTests {
    /// A screen that sets its identifier and the identifier of its list in `viewDidLoad`.
    private final class Lazy: Screen {
        let name: String
        let list = TableView()
        private(set) var loads = 0

        init(_ name: String, text: String = "") {
            self.name = name
            super.init(nil, text: text)
        }

        override func viewDidLoad() {
            super.viewDidLoad()
            loads += 1
            restorationIdentifier = name
            list.restorationIdentifier = name
            views = [list]
        }
    }

    @Test("seed 71 · each view controller has the identifiers of viewDidLoad before it is saved", .tags(.seed))
    func loadsViewsBeforeSaving() throws {
        let navigation = NavigationController(root: Lazy("List")).named("Root")
        navigation.push(Lazy("Page"))
        navigation.top?.present(Lazy("Sheet"))
        let archive = try TestApp(navigation).save()
        #expect(
            archive?.objects.map(\.path) == [
                "Root", "Root/List", "Root/List/List", "Root/Page", "Root/Page/Page", "Root/Page/Sheet",
                "Root/Page/Sheet/Sheet",
            ])
    }

    @Test("seed 71 · a restored view controller has the identifiers of viewDidLoad again", .tags(.seed))
    func loadsViewsBeforeRestoring() throws {
        let archive = try TestApp(Lazy("A", text: "a"), Lazy("B", text: "b")).save()
        let (existing, made) = (Lazy("A"), Lazy("B"))
        let next = TestApp(existing)
        next.make = { path, _ in path == ["B"] ? made : nil }
        let restoration = try next.restore(archive)
        #expect(restoration.restored == ["A", "A/A", "B", "B/B"])
        #expect(existing.text == "a")
        #expect(made.text == "b")
        #expect(!next.journal.events.contains { if case .misnamed = $0 { true } else { false } })
        #expect(existing.loads == 1)
        #expect(made.loads == 1)
    }

    @Test func distinguishesSiblingsNamedWhileLoading() throws {
        let navigation = NavigationController(root: Lazy("Page")).named("Root")
        navigation.push(Lazy("Page"))
        let archive = try TestApp(navigation).save()
        #expect(archive?.objects.map(\.path).contains("Root/:[1]:/Page") == true)
    }

    @Test("seed 71 · a referenced screen has the identifier of viewDidLoad before it is saved", .tags(.seed))
    func loadsViewsOfReferencedScreens() throws {
        let (root, hidden) = (Screen("Root"), Lazy("Hidden"))
        let app = TestApp(root)
        app.willEncode = { $0.encode(hidden, forKey: "hidden") }
        #expect(try app.save()?.objects.map(\.path).contains("Hidden") == true)
    }

    @Test func findsReferencedScreenWhoseSiblingIsNamedWhileLoading() throws {
        func stack() -> NavigationController {
            let stack = NavigationController(root: Lazy("Page"))
            stack.push(Lazy("Page"))
            return stack
        }
        let saved = stack()
        let app = TestApp(saved)
        app.willEncode = { $0.encode(saved.top, forKey: "page") }
        (saved.top as? Lazy)?.text = "above"
        let archive = try app.save()

        let restored = stack()
        #expect(try TestApp(restored).restore(archive).missing == [])
        #expect(restored.viewControllers.map { ($0 as? Lazy)?.text } == ["", "above"])
    }
}
