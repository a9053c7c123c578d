package import RestorationInterface
import StateRestoration

/// Switches in a fixed order. Their list has no model identifiers, so it saves index paths.
@MainActor
package final class SettingsScreen: ViewController {
    package let list = TableView()
    private let switches = Switches()

    package override init() {
        super.init()
        title = "Settings"
        restorationIdentifier = "Settings"
        list.restorationIdentifier = "Settings"
        list.dataSource = switches
        views = [list]
    }

    private final class Switches: ListDataSource {
        func elementCounts() -> [Int] { [3, 2] }
    }
}
