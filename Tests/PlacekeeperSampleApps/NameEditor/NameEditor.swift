import PlacekeeperStandIns
package import PlacekeeperRuntime

/// An editor of people's names. Unsaved input is restored. The app's delegate recreates the open screens, so these
/// screens need no restoration class.
@MainActor
package final class NameEditor: SampleApp {
    package let environment = RestorationEnvironment()
    package let shell: Shell
    package let list: ListScreen
    private let people: Catalog
    private let stack: NavigationController

    package init(_ items: Catalog, layout: DeviceLayout) {
        people = items
        list = ListScreen("People", of: people)
        stack = NavigationController("PeopleTab", list)
        shell = Shell([stack, NavigationController("SettingsTab", SettingsScreen())], layout: layout)
    }

    /// Opens the editor of a person's name.
    @discardableResult
    package func open(user id: String) -> EditorScreen {
        list.select(id)
        let editor = EditorScreen()
        editor.show(ShownElement(id, of: people), of: people)
        shell.open(editor)
        return editor
    }

    package func viewController(
        withRestorationIdentifierPath path: [String], coder: StateDecoder
    ) -> (any RestorableViewController)? {
        guard path.last == "Editor", let user = people.shownItem(from: coder, forKey: EditorScreen.Key.user)
        else { return nil }
        let editor = EditorScreen()
        editor.show(user, of: people)
        return editor
    }

    package func go(to step: PlaceStep) async -> Bool {
        switch step.screen {
        case "People":
            shell.select(stack)
            list.show(step)
        case "Editor":
            guard let user = people.shownItem(in: step) else { return false }
            list.show(user)
            let editor = EditorScreen()
            editor.show(user, of: people)
            editor.decodeEdit(from: step.parameters)
            shell.open(editor)
        default: return false
        }
        return true
    }
}
