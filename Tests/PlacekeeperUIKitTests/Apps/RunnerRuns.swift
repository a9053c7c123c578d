import UIKit

/// A run. Its identifier is the same on all devices of a person.
struct Run: Equatable {
    var identifier: String
    var title: String
    var notes: String
}

/// The runs of a person, by month.
@MainActor
final class RunStore {
    var months: [(name: String, runs: [Run])] = []

    func run(_ identifier: String) -> Run? {
        months.lazy.flatMap(\.runs).first { $0.identifier == identifier }
    }

    func indexPath(of identifier: String) -> IndexPath? {
        for (section, month) in months.enumerated() {
            guard let row = month.runs.firstIndex(where: { $0.identifier == identifier }) else { continue }
            return IndexPath(row: row, section: section)
        }
        return nil
    }
}

/// The list of all runs, with a section for each month.
final class RunListViewController: UITableViewController {
    private static let notesKey = "runsWithShownNotes"
    private let runs: RunStore
    private(set) var runsWithShownNotes: Set<String> = []

    init(runs: RunStore) {
        self.runs = runs
        super.init(style: .plain)
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        tableView.restorationIdentifier = "RunTable"
        clearsSelectionOnViewWillAppear = false
    }

    func toggleNotes(of identifier: String) {
        if runsWithShownNotes.remove(identifier) == nil { runsWithShownNotes.insert(identifier) }
        tableView.reloadData()
    }

    override func encodeRestorableState(with coder: NSCoder) {
        super.encodeRestorableState(with: coder)
        coder.encode(runsWithShownNotes.sorted() as NSArray, forKey: Self.notesKey)
    }

    override func decodeRestorableState(with coder: NSCoder) {
        super.decodeRestorableState(with: coder)
        let notes = coder.decodeObject(of: [NSArray.self, NSString.self], forKey: Self.notesKey) as? [String]
        runsWithShownNotes = Set(notes ?? [])
        tableView.reloadData()
    }

    override func numberOfSections(in tableView: UITableView) -> Int { runs.months.count }

    override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
        runs.months[section].runs.count
    }

    override func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String? {
        runs.months[section].name
    }

    override func tableView(_ tableView: UITableView, heightForRowAt indexPath: IndexPath) -> CGFloat {
        let run = runs.months[indexPath.section].runs[indexPath.row]
        return runsWithShownNotes.contains(run.identifier) ? 88 : 44
    }

    override func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        let run = runs.months[indexPath.section].runs[indexPath.row]
        let cell = UITableViewCell(style: .subtitle, reuseIdentifier: nil)
        cell.textLabel?.text = run.title
        cell.detailTextLabel?.text = runsWithShownNotes.contains(run.identifier) ? run.notes : nil
        return cell
    }

    override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
        let run = runs.months[indexPath.section].runs[indexPath.row]
        navigationController?.pushViewController(RunViewController(run, of: runs), animated: true)
    }
}

extension RunListViewController: UIDataSourceModelAssociation {
    func modelIdentifierForElement(at idx: IndexPath, in view: UIView) -> String? {
        runs.months[idx.section].runs[idx.row].identifier
    }

    func indexPathForElement(withModelIdentifier identifier: String, in view: UIView) -> IndexPath? {
        runs.indexPath(of: identifier)
    }
}

/// The screen of a run. It exists only after a person has opened the run, so it has a restoration class.
final class RunViewController: UIViewController, UIViewControllerRestoration {
    private static let runKey = "run"
    private let run: Run
    private let runs: RunStore
    private let notesLabel = UILabel()

    init(_ run: Run, of runs: RunStore) {
        self.run = run
        self.runs = runs
        super.init(nibName: nil, bundle: nil)
        title = run.title
        restorationIdentifier = "Run"
        restorationClass = RunViewController.self
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        notesLabel.text = run.notes
        view.addSubview(notesLabel)
    }

    override func encodeRestorableState(with coder: NSCoder) {
        super.encodeRestorableState(with: coder)
        coder.encode(run.identifier, forKey: Self.runKey)
    }

    static func viewController(
        withRestorationIdentifierPath identifierComponents: [String], coder: NSCoder
    ) -> UIViewController? {
        let app = UIApplication.shared.delegate as? RunnerAppDelegate
        guard let app, let identifier = coder.decodeObject(of: NSString.self, forKey: runKey) as String?,
            let run = app.runs.run(identifier)
        else { return nil }
        return RunViewController(run, of: app.runs)
    }
}
