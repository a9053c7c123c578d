import KeyedArchive
import StateRestoration
import Testing

@MainActor
struct ContainmentCircleTests {
    /// The stack stands in a tab bar, but its path comes after another object's.
    @Test func putsNoTabBarIntoAStackThatStandsInIt() throws {
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

        // Nor what presents what it stands in.
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
}
