import PlacekeeperStandIns
import PlacekeeperRuntime

/// A sample app with methods that use the app as a person would.
@MainActor
package protocol PlayedApp: SampleApp {
    /// The word for an item of the app, with which the title of each item begins.
    static var itemName: String { get }
    /// Changes the state of the app's screens, except the screens of an item.
    func browse(_ items: Catalog)
    /// Opens an item and changes the state of its screen.
    func open(_ id: String)
}

package enum Sample: String, CaseIterable, Sendable {
    case photoBrowser = "Photo browser"
    case runningApp = "Running app"
    case nameEditor = "Name editor"
    case profiles = "Profiles"
    case textAndNumbers = "Text and numbers"

    @MainActor
    package var app: any PlayedApp.Type {
        switch self {
        case .photoBrowser: PhotoBrowser.self
        case .runningApp: RunningApp.self
        case .nameEditor: NameEditor.self
        case .profiles: Profiles.self
        case .textAndNumbers: TextAndNumbers.self
        }
    }
}

extension PhotoBrowser: PlayedApp {
    package static var itemName: String { "Photo" }

    package func browse(_ items: Catalog) {
        comparison.left.apply(amount: 0.25)
        comparison.right.apply(amount: 0.75)
        grid.list.scroll(to: 10 * grid.list.rowHeight + 12)
    }

    package func open(_ id: String) {
        let screen = open(photo: id)
        (screen.zoom, screen.hidesBars) = (2.5, true)
        screen.apply("Sepia", amount: 0.875)
        inspect(screen.apply("Blur", amount: 0.125, isEnabled: false), of: screen)
    }
}

extension RunningApp: PlayedApp {
    package static var itemName: String { "Run" }

    package func browse(_ items: Catalog) {
        openHelp("health")
        openProgress()
        progress.list.scroll(to: 10 * progress.list.rowHeight + 12)
        for row in [3, 11] { progress.toggleNotes(of: items.items[row].id) }
    }

    package func open(_ id: String) { open(run: id) }
}

extension NameEditor: PlayedApp {
    package static var itemName: String { "Person" }

    package func browse(_ items: Catalog) {
        list.list.scroll(to: 10 * list.list.rowHeight + 12)
        (shell.screens.first { $0 is SettingsScreen } as? SettingsScreen)?.list.select(.init(section: 1, item: 1))
    }

    package func open(_ id: String) {
        let editor = open(user: id)
        editor.lastName.text = "Lovelace"
        editor.lastName.isFirstResponder = true
    }
}

extension Profiles: PlayedApp {
    package static var itemName: String { "Profile" }

    package func browse(_ items: Catalog) { list.list.scroll(to: 10 * list.list.rowHeight + 12) }

    package func open(_ id: String) {
        let page = open(profile: id)
        (page.imageID, page.name) = (3, "Ada")
    }
}

extension TextAndNumbers: PlayedApp {
    package static var itemName: String { "Number" }

    package func browse(_ items: Catalog) {
        text.view.selectedRange = 4..<11
        list.list.scroll(to: 10 * list.list.rowHeight + 12)
        showNumbers()
    }

    package func open(_ id: String) { open(number: id) }
}
