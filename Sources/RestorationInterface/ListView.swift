public import StateRestoration

/// A list of rows of one height, such as a table view or a collection view.
@MainActor
open class ListView: View, ListContaining {
    /// What the list shows. It tells the elements' identifiers if it is a `DataSourceModelAssociation`.
    public final weak var dataSource: (any ListDataSource)?
    /// The height of a row, in points.
    public final var rowHeight = 44.0
    /// The height of the part of the list that a person sees, in points.
    public final var visibleHeight = 480.0
    /// How far the list is scrolled, in points.
    public private(set) final var contentOffset = 0.0 {
        didSet { topName = asking { listAnchor.flatMap { name(at: $0.indexPath) } } }
    }
    /// What is selected, in the list's order.
    public final var listSelection: [ElementIndexPath] = [] {
        didSet { selectedNames = asking { listSelection.map(name) } }
    }
    /// What was not found yet.
    public final var pendingList: PendingList?

    /// What was put at the top, and what was selected: rows move as data arrives.
    private var topName: String?
    private var selectedNames: [String?] = []
    /// Whether the list asks its data source, which may tell the list to reload for that.
    private var isAsking = false
    /// Whether the list was told to reload while it asked.
    private var hasToReload = false

    private func asking<Answer>(_ ask: () -> Answer) -> Answer {
        let wasAsking = isAsking
        isAsking = true
        defer { isAsking = wasAsking }
        return ask()
    }

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

    /// Tells the list that its data changed. Selected elements that are left stay selected, wherever they stand now. The
    /// element at the top of a scrolled list stays there. Pending elements are looked for again.
    ///
    /// A data source may call this while the list asks it where an element stands (seed row 70): once the list has asked
    /// for all elements, it asks for all of them again, and a further call has no effect meanwhile.
    public final func reloadData() {
        hasToReload = isAsking
        guard !isAsking else { return }
        asking(keepPlaces)
        if hasToReload { asking(keepPlaces) }
    }

    private func keepPlaces() {
        // Of an element that is in the list twice, both may be found at its first place.
        listSelection = Set(zip(listSelection, selectedNames).compactMap(placeNow)).sorted()
        if contentOffset > 0, let topName,
            let place = listDataSource?.indexPathForElement(withModelIdentifier: topName, in: self)
        {
            listAnchor = ListAnchor(
                indexPath: place, offset: contentOffset.truncatingRemainder(dividingBy: rowHeight))
        }
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
            // Rows may have been higher where this was saved, or the list: more than that would be another row, or
            // none.
            let isVisible = newValue.offset > -visibleHeight && newValue.offset < rowHeight
            contentOffset = max(0, Double(above) * rowHeight + (isVisible ? newValue.offset : 0))
        }
    }

    /// The rows that a person sees, from the top on.
    public final var listVisible: [ListAnchor] {
        guard var next = listAnchor else { return [] }
        var places = Neighbours(of: next.indexPath, counts: counts, .after)
        var visible = [next]
        while next.offset - rowHeight > -visibleHeight, let place = places.next() {
            next = ListAnchor(indexPath: place, offset: next.offset - rowHeight)
            visible.append(next)
        }
        return visible
    }

    private var counts: [Int] { dataSource?.elementCounts() ?? [] }

    private func contains(_ place: ElementIndexPath) -> Bool {
        counts.indices.contains(place.section) && (0..<counts[place.section]).contains(place.item)
    }

    private func name(at place: ElementIndexPath) -> String? {
        listDataSource?.modelIdentifierForElement(at: place, in: self)
    }

    /// Where an element stands that stood at a place. It may be in the list twice.
    private func placeNow(_ place: ElementIndexPath, _ name: String?) -> ElementIndexPath? {
        guard let listDataSource, let name else { return contains(place) ? place : nil }
        if self.name(at: place) == name { return place }
        return listDataSource.indexPathForElement(withModelIdentifier: name, in: self)
    }

    open override func encodeRestorableState(with coder: StateEncoder) { encodeList(with: coder) }
    open override func decodeRestorableState(with coder: StateDecoder) throws {
        decodeList(with: coder)
        // A list that never changes may do so with the app's version.
        listSelection = listSelection.filter(contains)
    }
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
