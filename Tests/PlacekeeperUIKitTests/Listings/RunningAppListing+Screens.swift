import UIKit

// S4: the view controllers of "State restoration in iOS 6 without storyboards", line by line, in Swift.
//
// Differs from the listings:
// - `if (!idx || !view) return nil;` and `if (!identifier || !view) return nil;` are left out, because the parameters
//   can't be nil in Swift.
// - The help page's view gets its identifier in `viewDidLoad`, which the article offers beside the .xib file. The page
//   has a label in place of a web view.
// - The enumeration with a block is a loop.
// - The cases of the two switches that the article leaves out (`...`).
// - The declarations that the listings leave out: `dataRows`, the data source methods of the tables, the initializers
//   `init?(coder:)`, and the view controllers of which the article shows no code.

// swift-format-ignore: AlwaysUseLowerCamelCase
let RTRunHelpSRKeyPageFileName = "RTRunHelpSRKeyPageFileName"
// swift-format-ignore: AlwaysUseLowerCamelCase
let RTRunDetailsSRKeyNotes = "RTRunDetailsSRKeyNotes"

let kFlipTipsSection = 1
let kFlipTipsSectionHealthRow = 2

class RTOverviewLayout: UICollectionViewFlowLayout {}

class OverviewViewController: UICollectionViewController {}

class MusicViewController: UIViewController {}

class SettingsViewController: UITableViewController {
    override init(style: UITableView.Style) {
        super.init(style: style)
        self.restorationIdentifier = "SettingsVC"
    }

    required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        self.tableView.restorationIdentifier = self.restorationIdentifier
    }
}

class ProgressViewController: UITableViewController {
    let sectionsWithShownNotes = NSMutableSet()

    override init(style: UITableView.Style) {
        super.init(style: style)
        self.restorationIdentifier = "ProgressVC"

    }

    required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    override func viewDidLoad() {
        super.viewDidLoad()

        self.tableView.restorationIdentifier = self.restorationIdentifier

    }

    override func encodeRestorableState(with coder: NSCoder) {

        coder.encode(self.sectionsWithShownNotes, forKey: RTRunDetailsSRKeyNotes)

        super.encodeRestorableState(with: coder)
    }

    override func decodeRestorableState(with coder: NSCoder) {

        let notes = coder.decodeObject(forKey: RTRunDetailsSRKeyNotes) as? NSSet
        if let notes, notes.count > 0 {
            self.sectionsWithShownNotes.addObjects(from: notes.allObjects)
            self.tableView.reloadData()
        }

        super.decodeRestorableState(with: coder)
    }

    override func numberOfSections(in tableView: UITableView) -> Int { 6 }

    /// A section has a second row, with the summary of its run, while its notes are shown.
    override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
        sectionsWithShownNotes.contains(section) ? 2 : 1
    }

    override func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        let cell = UITableViewCell(style: .default, reuseIdentifier: nil)
        cell.textLabel?.text = indexPath.row == 0 ? "run \(indexPath.section)" : "notes of run \(indexPath.section)"
        return cell
    }
}

class AboutViewController: UITableViewController {
    var dataRows: [[String]] = []
    var helpController: HelpViewController?
    /// How often UIKit asked for an index path.
    private(set) var timesAsked = 0

    override init(style: UITableView.Style) {
        super.init(style: style)
        self.restorationIdentifier = "AboutVC"
    }

    required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    override func viewDidLoad() {
        super.viewDidLoad()

        self.tableView.restorationIdentifier = self.restorationIdentifier

    }

    override func numberOfSections(in tableView: UITableView) -> Int { dataRows.count }

    override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
        dataRows[section].count
    }

    override func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        let cell = UITableViewCell(style: .default, reuseIdentifier: nil)
        cell.textLabel?.text = dataRows[indexPath.section][indexPath.row]
        return cell
    }

    override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
        tableView.deselectRow(at: indexPath, animated: true)
        switch indexPath.section {

        case kFlipTipsSection:
            if self.helpController == nil {
                let hvc = HelpViewController(nibName: nil, bundle: nil)
                hvc.hidesBottomBarWhenPushed = true
                self.helpController = hvc
            }

            switch indexPath.row {
            case kFlipTipsSectionHealthRow:
                self.helpController?.pageFileName = "health"
                break
            default:
                break
            }
            self.navigationController?.pushViewController(self.helpController!, animated: true)
            break
        default:
            break
        }
    }
}

extension AboutViewController: UIDataSourceModelAssociation {
    func modelIdentifierForElement(at idx: IndexPath, in view: UIView) -> String? {

        return self.dataRows[idx.section][idx.row]
    }

    func indexPathForElement(withModelIdentifier identifier: String, in view: UIView) -> IndexPath? {
        timesAsked += 1

        var indexPath: IndexPath?
        for (idx, obj) in self.dataRows.enumerated() {
            guard let row = obj.firstIndex(of: identifier) else { continue }

            indexPath = IndexPath(row: row, section: idx)
            break
        }

        // iOS 6 bug workaround:
        // Force a reload when table view is embedded in nav controller or scroll position is not restored.
        self.tableView.reloadData()

        return indexPath
    }
}

class HelpViewController: UIViewController, UIViewControllerRestoration {
    var pageFileName: String? {
        didSet { pageLabel.text = pageFileName }
    }
    private let pageLabel = UILabel()

    override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {

        super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
        self.restorationIdentifier = "HelpVC"
        self.restorationClass = HelpViewController.self
    }

    required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        self.view.restorationIdentifier = self.restorationIdentifier
        self.view.addSubview(pageLabel)
    }

    override func encodeRestorableState(with coder: NSCoder) {

        coder.encode(self.pageFileName, forKey: RTRunHelpSRKeyPageFileName)

        super.encodeRestorableState(with: coder)
    }

    static func viewController(
        withRestorationIdentifierPath identifierComponents: [String],
        coder: NSCoder
    ) -> UIViewController? {

        let vc = HelpViewController(nibName: nil, bundle: nil)
        vc.pageFileName = coder.decodeObject(forKey: RTRunHelpSRKeyPageFileName) as? String
        vc.hidesBottomBarWhenPushed = true

        return vc
    }
}
