import Foundation
import PlacekeeperStandIns
import PlacekeeperRuntime

// S4's listings, statement by statement without the log messages, with the minimum version and the idiom that the
// listings require. Objective-C is written as Swift, and UIKit's names are translated: `UITableViewController` is
// defined here, and `NSIndexPath` is `ElementIndexPath`.

@MainActor
final class RunningAppDelegate: NSCoderRestorationDelegate, ApplicationLifeCycleDelegate {
    static let bundleMinVersion = 3
    static let currentInterfaceIdiom = 0
    private(set) var isKeyAndVisible = false
    private(set) var tabBarController = TabBarController()
    let runData = RunData()

    var roots: [any RestorableViewController] { [tabBarController] }
    func loadInterface() {}

    func willFinishLaunching() {
        // Setup tabs
        let avc = AboutViewController(runData)
        let anc = NavigationController(root: avc)
        anc.restorationIdentifier = "AboutNC"

        let svc = SettingsViewController()
        let snc = NavigationController(root: svc)
        snc.restorationIdentifier = "SettingsNC"

        let mvc = MusicViewController()
        let mnc = NavigationController(root: mvc)
        mnc.restorationIdentifier = "MusicNC"

        let ovc = OverviewViewController()
        let onc = NavigationController(root: ovc)
        onc.restorationIdentifier = "OverviewNC"

        let pvc = ProgressViewController()
        let pnc = NavigationController(root: pvc)
        pnc.restorationIdentifier = "ProgressNC"

        self.tabBarController = TabBarController()
        self.tabBarController.restorationIdentifier = "MainTBC"
        self.tabBarController.viewControllers = [onc, pnc, mnc, anc, snc]
    }

    func didFinishLaunching(_ result: LaunchResult) {
        isKeyAndVisible = true
    }

    func shouldRestoreApplicationState(_ coder: NSCoder) -> Bool {

        // Retrieve the Bundle Version Key so we can check if the restoration data is from an older
        // version of the App that would not make sense to restore. This might be the case after we
        // have made significant changes to the view hierarchy.

        let restorationBundleVersion = coder.decodeObject(forKey: ReservedKey.bundleVersion) as? NSString
        if (restorationBundleVersion?.integerValue ?? 0) < Self.bundleMinVersion {
            return false
        }

        // Retrieve the User Interface Idiom (iPhone or iPad) for the device that created the restoration Data.
        // This allows us to ignore the restoration data when the user interface idiom that created the data
        // does not match the current device user interface idiom.

        let restorationInterfaceIdiom =
            (coder.decodeObject(forKey: ReservedKey.userInterfaceIdiom) as? NSNumber)?.intValue
        if restorationInterfaceIdiom != Self.currentInterfaceIdiom {
            return false
        }

        return true
    }

    func shouldSaveApplicationState(_ coder: NSCoder) -> Bool {

        return true
    }
}

/// The strings that the app shows.
@MainActor
final class RunData {
    var dataRows = (0..<3).map { section in (0..<20).map { "row \(section).\($0)" } }
}

/// The replacement of `UITableViewController`. This view controller is the data source of its table view.
class TableViewController: CodingViewController, ListDataSource {
    private(set) var tableView = TableView()
    override func viewDidLoad() {
        super.viewDidLoad()
        tableView.dataSource = self
        views = [tableView]
    }
    func elementCounts() -> [Int] { [] }
}

final class ProgressViewController: TableViewController {
    let sectionsWithShownNotes = NSMutableSet()

    override init() {
        super.init()
        self.restorationIdentifier = "ProgressVC"
    }

    override func viewDidLoad() {
        super.viewDidLoad()

        self.tableView.restorationIdentifier = self.restorationIdentifier

    }

    override func encodeRestorableState(with coder: NSCoder) {

        coder.encode(self.sectionsWithShownNotes, forKey: "RTRunDetailsSRKeyNotes")

        super.encodeRestorableState(with: coder)
    }

    override func decodeRestorableState(with coder: NSCoder) {

        if let notes = coder.decodeObject(forKey: "RTRunDetailsSRKeyNotes") as? NSSet, notes.count > 0 {
            self.sectionsWithShownNotes.addObjects(from: notes.allObjects)
            self.tableView.reloadData()
        }

        super.decodeRestorableState(with: coder)
    }
}

final class SettingsViewController: TableViewController {
    override init() {
        super.init()
        self.restorationIdentifier = "SettingsVC"
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        self.tableView.restorationIdentifier = self.restorationIdentifier
    }
}

final class MusicViewController: CodingViewController {}

final class OverviewViewController: CodingViewController {}

final class AboutViewController: TableViewController {
    static let kFlipTipsSection = 1
    static let kFlipTipsSectionHealthRow = 2
    private let data: RunData
    var dataRows: [[String]] { data.dataRows }
    var helpController: HelpViewController?
    private(set) var timesAsked = 0

    init(_ data: RunData) {
        self.data = data
        super.init()
        self.restorationIdentifier = "AboutVC"
    }

    override func viewDidLoad() {
        super.viewDidLoad()

        self.tableView.restorationIdentifier = self.restorationIdentifier

    }

    override func elementCounts() -> [Int] { dataRows.map(\.count) }

    func tableView(_ tableView: TableView, didSelectRowAt indexPath: ElementIndexPath) {
        tableView.listSelection.removeAll { $0 == indexPath }
        switch indexPath.section {

        case Self.kFlipTipsSection:
            if self.helpController == nil {
                let hvc = HelpViewController()
                hvc.hidesBottomBarWhenPushed = true
                self.helpController = hvc
            }

            switch indexPath.item {
            case Self.kFlipTipsSectionHealthRow:
                self.helpController?.pageFileName = "health"
                break
            default:
                break
            }
            if let helpController { (self.parent as? NavigationController)?.push(helpController) }
            break
        default:
            break
        }
    }
}

extension AboutViewController: DataSourceModelAssociation {
    var dataSourceName: String { "about" }

    func modelIdentifierForElement(at idx: ElementIndexPath?, in view: (any ElementView)?) -> String? {

        guard let idx, view != nil else { return nil }

        return self.dataRows[idx.section][idx.item]
    }

    func indexPathForElement(
        withModelIdentifier identifier: String?, in view: (any ElementView)?
    ) -> ElementIndexPath? {
        timesAsked += 1

        guard let identifier, view != nil else { return nil }

        var indexPath: ElementIndexPath?
        for (idx, obj) in self.dataRows.enumerated() {
            guard let row = obj.firstIndex(of: identifier) else { continue }

            indexPath = ElementIndexPath(section: idx, item: row)
            break
        }

        // iOS 6 bug workaround:
        // Force a reload when table view is embedded in nav controller or scroll position is not restored.
        self.tableView.reloadData()

        return indexPath
    }
}

final class HelpViewController: CodingViewController, NSCoderViewControllerRestoration {
    var pageFileName: String?
    var hidesBottomBarWhenPushed = false
    let webView = View()

    override init() {

        super.init()
        self.restorationIdentifier = "HelpVC"
        self.restorationClass = HelpViewController.self
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        views = [webView]
        webView.restorationIdentifier = self.restorationIdentifier
    }

    override func encodeRestorableState(with coder: NSCoder) {

        coder.encode(self.pageFileName, forKey: "RTRunHelpSRKeyPageFileName")

        super.encodeRestorableState(with: coder)
    }

    static func viewController(
        withRestorationIdentifierPath identifierComponents: [String], coder: NSCoder
    ) -> (any RestorableViewController)? {

        let vc = HelpViewController()
        vc.pageFileName = coder.decodeObject(forKey: "RTRunHelpSRKeyPageFileName") as? String
        vc.hidesBottomBarWhenPushed = true

        return vc
    }
}
