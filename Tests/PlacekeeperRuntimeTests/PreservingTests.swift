import PlacekeeperArchive
import PlacekeeperStandIns
import PlacekeeperRuntime
import Testing

@MainActor
struct PreservingTests {
    @Test("seed 1 · without a delegate nothing is saved or restored", .tags(.seed))
    func savesNothingWithoutADelegate() throws {
        let app = TestApp(Screen("Root", text: "saved"))
        let archive = try app.save()
        app.environment.delegate = nil
        #expect(try app.save() == nil)

        let next = TestApp(Screen("Root", text: "default"))
        next.environment.delegate = nil
        #expect(try next.restore(archive).isDeclined)
        #expect((next.roots[0] as? Screen)?.text == "default")
    }

    @Test("seed 6 · only objects with a restoration identifier are saved, and the default is nil", .tags(.seed))
    func savesOnlyObjectsWithIdentifier() throws {
        #expect(ViewController().restorationIdentifier == nil)
        #expect(View().restorationIdentifier == nil)
        final class Plain: StateRestoring {}
        #expect(Plain().restorationIdentifier == nil)
        let app = TestApp(Screen("Root"), Screen(nil))
        #expect(try app.save()?.objects.map(\.path) == ["Root"])
    }

    @Test("seed 7 · an object without an identifier is skipped with its views and all descendants", .tags(.seed))
    func skipsDescendantsOfUnnamedObject() throws {
        let hidden = Screen("Hidden")
        let navigation = NavigationController(root: hidden)
        let view = View()
        view.restorationIdentifier = "Bar"
        navigation.views = [view]
        let app = TestApp(TabBarController().named("Tabs"))
        (app.roots[0] as? TabBarController)?.viewControllers = [navigation, Screen("Other")]
        #expect(try app.save()?.objects.map(\.path) == ["Tabs", "Tabs/Other"])
    }

    @Test("seed 8 · a reference saves an object below a nil parent, but not its place in the order", .tags(.seed))
    func savesReferencedObjectBelowNil() throws {
        func interface() -> (TestApp, NavigationController) {
            let navigation = NavigationController(root: Screen("First"))
            navigation.push(Screen("Second", text: "second"))
            let tabs = TabBarController().named("Tabs")
            tabs.viewControllers = [navigation]
            return (TestApp(tabs), navigation)
        }
        let (app, navigation) = interface()
        app.willEncode = { $0.encode(navigation.viewControllers[1], forKey: "second") }
        let archive = try app.save()
        #expect(archive?.objects.map(\.path) == ["Tabs", "Tabs/Second"])

        let (next, other) = interface()
        other.viewControllers.reverse()
        (other.viewControllers[0] as? Screen)?.text = ""
        try next.restore(archive)
        #expect((other.viewControllers[0] as? Screen)?.text == "second")
        #expect(other.viewControllers.map(\.restorationIdentifier) == ["Second", "First"])
    }

    @Test("seed 11 · a restoration path joins the identifiers from the root", .tags(.seed))
    func joinsIdentifiers() throws {
        let tabs = TabBarController().named("TabBarControllerID")
        tabs.viewControllers = [NavigationController(root: Screen("MyViewController")).named("NavControllerID")]
        #expect(
            try TestApp(tabs).save()?.objects.last?.path == "TabBarControllerID/NavControllerID/MyViewController")
        // The path of a presented view controller begins with the presenter's.
        let (editor, sheet) = (Screen("Editor"), Screen("Sheet"))
        tabs.present(editor)
        editor.present(sheet)
        #expect(try TestApp(tabs).save()?.objects.last?.path == "TabBarControllerID/Editor/Sheet")
        // The same holds if only references lead to it.
        let hidden = TestApp(NavigationController(root: editor))
        hidden.willEncode = { $0.encode(sheet, forKey: "sheet") }
        #expect(try hidden.save()?.objects.map(\.path) == ["Editor/Sheet"])
    }

    @Test("seed 12 · two siblings with the same identifier are an error that names the path", .tags(.seed))
    func refusesSiblingsWithTheSameIdentifier() throws {
        let root = Screen("Root")
        root.views = [View(), View()]
        for case let view as View in root.views { view.restorationIdentifier = "Twin" }
        let app = TestApp(root)
        #expect(throws: PreservationError.duplicatePath("Root/Twin")) { try app.save() }

        let tabs = TabBarController().named("Tabs")
        tabs.viewControllers = ["A", "B"].map { NavigationController(root: Screen("Same")).named($0) }
        #expect(try TestApp(tabs).save()?.objects.map(\.path).suffix(2) == ["Tabs/B", "Tabs/B/Same"])
    }

    @Test("seed 13 · a navigation container distinguishes children with the same identifier", .tags(.seed))
    func disambiguatesChildren() throws {
        func stack(_ texts: [String]) -> NavigationController {
            let navigation = NavigationController().named("Root")
            navigation.viewControllers = texts.map { Screen("Detail", text: $0) }
            return navigation
        }
        let archive = try TestApp(stack(["a", "b", "c"])).save()
        #expect(
            archive?.objects.map(\.path) == [
                "Root", "Root/:[0]:/Detail", "Root/:[1]:/Detail", "Root/:[2]:/Detail",
            ])
        let mixed = stack(["a", "b"])
        mixed.push(Screen("Other"))
        #expect(try TestApp(mixed).save()?.objects.last?.path == "Root/Other")
        let next = stack(["", "", ""])
        try TestApp(next).restore(archive)
        #expect(next.viewControllers.compactMap { ($0 as? Screen)?.text } == ["a", "b", "c"])

        // A factory gets the identifiers without the indices.
        let empty = TestApp(stack([]))
        try empty.restore(archive)
        #expect(
            empty.journal.calls.filter { $0.hasPrefix("delegate") }
                == ["delegate Root"] + (1...3).map { _ in "delegate Root/Detail" })

        // An app's own navigation container needs no different identifiers, either.
        final class Pages: NavigationContaining {
            let restorationIdentifier: String? = "Pages"
            var restorableStack: [any RestorableViewController]
            init(_ texts: [String]) { restorableStack = texts.map { Screen("Page", text: $0) } }
        }
        let pages = Pages(["", ""])
        try TestApp(pages).restore(TestApp(Pages(["one", "two"])).save())
        #expect(pages.restorableStack.compactMap { ($0 as? Screen)?.text } == ["one", "two"])
    }
}
