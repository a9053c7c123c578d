import Foundation
import UIKit

/// A screen with views that a test makes.
final class ViewPage: Page {
    private let make: @MainActor () -> [UIView]

    init(_ identifier: String = "Views", _ make: @escaping @MainActor () -> [UIView]) {
        self.make = make
        super.init(identifier)
        restorationClass = nil
    }
    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        for made in make() {
            if made.frame.isEmpty { made.frame = view.bounds }
            view.addSubview(made)
        }
    }

    /// The first view of a class.
    func view<Found: UIView>(as type: Found.Type) -> Found? {
        var waiting: [UIView] = [view]
        while let next = waiting.popLast() {
            if let found = next as? Found, found !== view { return found }
            waiting += next.subviews.reversed()
        }
        return nil
    }
}

/// Rows and items without identifiers.
class Rows: NSObject, UITableViewDataSource, UICollectionViewDataSource {
    var sections: [[String]]

    init(_ sections: [String]...) { self.sections = sections }

    func numberOfSections(in tableView: UITableView) -> Int { sections.count }
    func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { sections[section].count }
    func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        UITableViewCell(style: .default, reuseIdentifier: nil)
    }

    func numberOfSections(in collectionView: UICollectionView) -> Int { sections.count }
    func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int {
        sections[section].count
    }
    func collectionView(
        _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
    ) -> UICollectionViewCell { UICollectionViewCell(frame: .zero) }
}

/// Rows and items that have identifiers.
class NamedRows: Rows, UIDataSourceModelAssociation {
    func modelIdentifierForElement(at idx: IndexPath, in view: UIView) -> String? { sections[idx.section][idx.item] }
    func indexPathForElement(withModelIdentifier identifier: String, in view: UIView) -> IndexPath? {
        for (section, names) in sections.enumerated() {
            if let item = names.firstIndex(of: identifier) { return IndexPath(item: item, section: section) }
        }
        return nil
    }
}

extension ViewPage {
    /// Creates a screen with a table.
    static func table(_ rows: Rows?, multiple: Bool = false) -> ViewPage {
        ViewPage {
            let table = UITableView()
            table.restorationIdentifier = "Table"
            table.allowsMultipleSelection = multiple
            table.dataSource = rows
            return [table]
        }
    }

    var table: UITableView? { view(as: UITableView.self) }

    /// The names of the selected rows.
    func selectedNames(_ rows: Rows) -> [String] {
        (table?.indexPathsForSelectedRows ?? []).map { rows.sections[$0.section][$0.row] }
    }

    /// The name of the row at the top, and how much of it is hidden.
    func top(_ rows: Rows) -> String? {
        guard let table, let path = table.indexPathsForVisibleRows?.first else { return nil }
        let hidden = Double(table.contentOffset.y - table.rectForRow(at: path).minY)
        return "\(rows.sections[path.section][path.row]) -\(hidden)"
    }

    /// Taps the row with a name.
    func tap(_ name: String, of rows: Rows) {
        for (section, names) in rows.sections.enumerated() {
            guard let row = names.firstIndex(of: name) else { continue }
            table?.double.tap(IndexPath(row: row, section: section))
        }
    }
}
