import PlacekeeperArchive
import PlacekeeperStandIns
import PlacekeeperRuntime
import Testing

@MainActor
struct ContainmentCircleTests {
    /// The tab bar contains the stack, but the stack's restoration parent is another screen. So the restoration parents
    /// do not show that the tab bar would contain itself.
    @Test func doesNotPutTabBarIntoItsOwnStack() throws {
        let (tabs, stack, scope) = (
            TabBarController().named("Tabs"), NavigationController().named("Stack"), Screen("Scope")
        )
        stack.viewControllers = [Screen("List")]
        tabs.viewControllers = [stack]
        stack.restorationParent = scope
        let record = RestorableObject(
            path: "Tabs/Stack", kind: .viewController, className: "NavigationController",
            state: ["kUIViewControllerChildrenKey": .array([.object(path: "Tabs")])])
        let bar = RestorableObject(path: "Tabs", kind: .viewController, className: "TabBarController", state: [:])
        try TestApp(tabs, scope).restore(StateArchive(objects: [bar, record]))
        #expect(!stack.viewControllers.contains { $0 === tabs })

        // The stack does not get a screen that presents the tab bar, either.
        let presenter = Screen("Presenter")
        presenter.present(tabs)
        var second = record
        (second.path, second.state) = (
            "Presenter/Tabs/Stack", ["kUIViewControllerChildrenKey": .array([.object(path: "Presenter")])]
        )
        let top = RestorableObject(path: "Presenter", kind: .viewController, className: "Screen", state: [:])
        try TestApp(presenter, scope).restore(StateArchive(objects: [top, second]))
        #expect(!stack.viewControllers.contains { $0 === presenter })
    }

    private func presenting(_ path: String) -> StateArchive {
        func record(_ path: String, _ state: [String: StateValue] = [:]) -> RestorableObject {
            RestorableObject(path: path, kind: .viewController, className: "Screen", state: state)
        }
        return StateArchive(objects: [
            record("Inner", ["kUIViewControllerPresentedKey": .object(path: path)]), record(path),
        ])
    }

    /// The inner screen has the outer screen as its restoration parent. The outer screen does not list the inner screen
    /// as a child.
    @Test func doesNotPresentItsRestorationParent() throws {
        let (outer, inner) = (Screen("Outer"), Screen("Inner"))
        inner.restorationParent = outer
        try TestApp(inner, outer).restore(presenting("Outer"))
        #expect(inner.presented == nil)
    }

    /// An app may have two containers that each list the other as a child.
    @Test(.timeLimit(.minutes(20))) func presentsContainerWhoseChildrenFormACycle() throws {
        final class Ring: ViewController {
            var next: Ring?
            override var restorableChildren: [any RestorableViewController] { next.map { [$0] } ?? [] }
        }
        let (inner, one, other) = (Screen("Inner"), Ring().named("One"), Ring().named("Other"))
        (one.next, other.next) = (other, one)
        try TestApp(inner, one).restore(presenting("One"))
        #expect(inner.presented === one)
        one.next = nil
    }
}
