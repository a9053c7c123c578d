import Foundation
import UIKit

/// A screen with a table, whose rows have identifiers.
final class TableScreen: CounterScreen, UITableViewDataSource, UIDataSourceModelAssociation {
    private let rows = (1...100).map { "Row \($0)" }
    private var table: UITableView? { subview(.table) as? UITableView }

    override func madeView() -> UIView {
        let view = super.madeView()
        view.addSubview(ScreenViews.button(.read))
        view.addSubview(ScreenViews.label(.state))
        view.addSubview(ScreenViews.table())
        return view
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        table?.register(UITableViewCell.self, forCellReuseIdentifier: "Row")
        table?.dataSource = self
        act(on: .read) { ($0 as? TableScreen)?.showState() }
    }

    /// Selects a row, and scrolls until another one is the first.
    override func open() {
        table?.scrollToRow(at: IndexPath(row: 39, section: 0), at: .top, animated: false)
        table?.selectRow(at: IndexPath(row: 41, section: 0), animated: false, scrollPosition: .none)
    }

    private func showState() {
        guard let table else { return }
        let first = table.indexPathsForVisibleRows?.min().map { rows[$0.row] } ?? "no row"
        let selected = table.indexPathForSelectedRow.map { rows[$0.row] } ?? "no row"
        (subview(.state) as? UILabel)?.text = "first \(first), selected \(selected)"
    }

    func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { rows.count }
    func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        let cell = tableView.dequeueReusableCell(withIdentifier: "Row", for: indexPath)
        cell.textLabel?.text = rows[indexPath.row]
        return cell
    }

    func modelIdentifierForElement(at idx: IndexPath, in view: UIView) -> String? { rows[idx.row] }
    func indexPathForElement(withModelIdentifier identifier: String, in view: UIView) -> IndexPath? {
        guard let table = view as? UITableView else { return nil }
        Answers.add("rows", "\(table.numberOfRows(inSection: 0))")
        Answers.add("visibleRows", "\(table.indexPathsForVisibleRows?.count ?? 0)")
        return rows.firstIndex(of: identifier).map { IndexPath(row: $0, section: 0) }
    }
}
