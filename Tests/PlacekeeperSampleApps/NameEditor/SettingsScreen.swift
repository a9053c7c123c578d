package import PlacekeeperStandIns
import PlacekeeperRuntime

/// A screen with a list of switches in a fixed order. The data source has no model identifiers, so the list saves index
/// paths.
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
