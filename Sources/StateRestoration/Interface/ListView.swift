/// A list of rows of one height, such as a table view or a collection view.
@MainActor
open class ListView: View, ListContaining {
    /// What the list shows. It tells the elements' identifiers if it is a `DataSourceModelAssociation`.
    public final weak var dataSource: (any ListDataSource)?
    /// The height of a row, in points.
    public final var rowHeight = 44.0
    /// How far the list is scrolled, in points.
    public private(set) final var contentOffset = 0.0
    /// What is selected, in the list's order.
    public final var listSelection: [ElementIndexPath] = []
    /// What was not found yet.
    public final var pendingList: PendingList?

    /// The data source, if it knows identifiers.
    public final var listDataSource: (any DataSourceModelAssociation)? { dataSource as? any DataSourceModelAssociation }

    /// A person scrolls: whatever was pending is not shown any more.
    public final func scroll(to offset: Double) {
        pendingList = nil
        contentOffset = max(0, offset)
    }

    /// A person selects: whatever was pending is not selected any more.
    public final func select(_ indexPaths: ElementIndexPath...) {
        pendingList = nil
        listSelection = indexPaths.sorted()
    }

    /// The data changed: looks again for what was pending.
    public final func reloadData() {
        listSelection.removeAll { !contains($0) }
        applyPendingList()
    }

    /// The row at the top, and how much of it is hidden.
    public final var listAnchor: ListAnchor? {
        get {
            var row = Int(contentOffset / rowHeight)
            let hidden = contentOffset - Double(row) * rowHeight
            for (section, count) in counts.enumerated() {
                if row < count { return ListAnchor(indexPath: .init(section: section, item: row), offset: hidden) }
                row -= count
            }
            return nil
        }
        set {
            guard let newValue, contains(newValue.indexPath) else { return }
            let above = counts[..<newValue.indexPath.section].reduce(0, +) + newValue.indexPath.item
            // Rows may have been higher where this was saved: more than a row would be another row.
            let hidden = (0..<rowHeight).contains(newValue.offset) ? newValue.offset : 0
            contentOffset = Double(above) * rowHeight + hidden
        }
    }

    private var counts: [Int] { dataSource?.elementCounts() ?? [] }

    private func contains(_ place: ElementIndexPath) -> Bool {
        counts.indices.contains(place.section) && (0..<counts[place.section]).contains(place.item)
    }

    open override func encodeRestorableState(with coder: StateEncoder) { encodeList(with: coder) }
    open override func decodeRestorableState(with coder: StateDecoder) throws { decodeList(with: coder) }
}

/// Tells a list how long it is.
@MainActor
public protocol ListDataSource: AnyObject {
    /// How many elements each section has.
    func elementCounts() -> [Int]
}

extension DataSourceModelAssociation where Self: ListDataSource {
    /// Those of the list.
    public func elementCounts(in view: (any RestorableView)?) -> [Int] { elementCounts() }
}

/// Shows rows, one or several of which are selected.
@MainActor
open class TableView: ListView {}

/// Shows cells, of which all that are selected come back (seed row 44).
@MainActor
open class CollectionView: ListView {}
