import UIKit

/// The topics of help, which are part of the app.
final class HelpTopicsViewController: UITableViewController {
    let pages = ["health", "shoes", "stretching", "weather"]

    override func viewDidLoad() {
        super.viewDidLoad()
        tableView.restorationIdentifier = "HelpTable"
    }

    override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { pages.count }

    override func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        let cell = UITableViewCell(style: .default, reuseIdentifier: nil)
        cell.textLabel?.text = pages[indexPath.row].capitalized
        return cell
    }

    override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
        tableView.deselectRow(at: indexPath, animated: true)
        let page = HelpPageViewController(pages[indexPath.row])
        navigationController?.pushViewController(page, animated: true)
    }
}

/// A page of help. Its initializer needs the file name, so the page saves it.
final class HelpPageViewController: UIViewController, UIViewControllerRestoration {
    private static let pageFileNameKey = "pageFileName"
    private let pageFileName: String
    private let page = UITextView()

    init(_ pageFileName: String) {
        self.pageFileName = pageFileName
        super.init(nibName: nil, bundle: nil)
        title = pageFileName.capitalized
        hidesBottomBarWhenPushed = true
        restorationIdentifier = "HelpPage"
        restorationClass = HelpPageViewController.self
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        page.text = "The page \(pageFileName).html"
        page.isEditable = false
        view.addSubview(page)
    }

    override func encodeRestorableState(with coder: NSCoder) {
        super.encodeRestorableState(with: coder)
        coder.encode(pageFileName, forKey: Self.pageFileNameKey)
    }

    static func viewController(
        withRestorationIdentifierPath identifierComponents: [String], coder: NSCoder
    ) -> UIViewController? {
        guard let name = coder.decodeObject(of: NSString.self, forKey: pageFileNameKey) as String? else { return nil }
        return HelpPageViewController(name)
    }
}

/// Settings in a fixed order. The data source has no model identifiers, so index paths are saved.
final class RunnerSettingsViewController: UITableViewController {
    private let names = [["Kilometers", "Miles"], ["Voice", "Vibration", "Silence"]]

    override func viewDidLoad() {
        super.viewDidLoad()
        tableView.restorationIdentifier = "SettingsTable"
        clearsSelectionOnViewWillAppear = false
    }

    override func numberOfSections(in tableView: UITableView) -> Int { names.count }

    override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
        names[section].count
    }

    override func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        let cell = UITableViewCell(style: .default, reuseIdentifier: nil)
        cell.textLabel?.text = names[indexPath.section][indexPath.row]
        return cell
    }
}
