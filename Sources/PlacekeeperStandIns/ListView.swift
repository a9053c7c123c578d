import PlacekeeperArchive
public import PlacekeeperRuntime

/// A list with rows of equal height, such as a table view or a collection view.
@MainActor
open class ListView: View, ListContaining {
    /// The data source of the list. It provides model identifiers if it is a `DataSourceModelAssociation`.
    public final weak var dataSource: (any ListDataSource)? {
        didSet { if dataSource !== oldValue { applyPendingList() } }
    }
    /// The height of a row, in points.
    public final var rowHeight = 44.0
    /// The visible height of the list, in points.
    public final var visibleHeight = 480.0
    /// The scroll position, in points.
    public private(set) final var contentOffset = 0.0 {
        didSet { topName = asking { listAnchor.flatMap { name(at: $0.indexPath) } } }
    }
    /// The horizontal scroll position, in points, for a list that scrolls in two dimensions.
    public final var horizontalOffset = 0.0 {
        didSet { hasViewport = true }
    }
    /// The scale of the content.
    public final var zoomScale = 1.0 {
        didSet { hasViewport = true }
    }
    /// The space around the content.
    public final var contentInset = ScrollView.Insets() {
        didSet { hasViewport = true }
    }
    /// Whether the list was ever scrolled sideways, zoomed or inset.
    private var hasViewport = false
    /// The index paths of the selected elements, in the list's order.
    public final var listSelection: [ElementIndexPath] = [] {
        didSet { selectedNames = asking { listSelection.map(name) } }
    }
    /// The saved selection and scroll position, as long as the saved top element or a saved selected element hasn't
    /// been found.
    public final var pendingList: PendingList?
    /// Whether the list scrolls to the same fraction of its rows if no saved row is found.
    public final var listFallsBackToFraction = false

    /// The identifiers of the top element and of the selected elements. `reloadData()` finds the elements through them,
    /// because their rows may have moved.
    private var topName: String?
    private var selectedNames: [String?] = []
    /// Whether the list is calling its data source, which may call `reloadData()` in response.
    private var isAsking = false
    /// Whether `reloadData()` was called while the list was calling its data source.
    private var hasToReload = false

    private func asking<Answer>(_ ask: () -> Answer) -> Answer {
        let wasAsking = isAsking
        isAsking = true
        defer { isAsking = wasAsking }
        return ask()
    }

    /// The data source, if it provides model identifiers.
    public final var listDataSource: (any DataSourceModelAssociation)? { dataSource as? any DataSourceModelAssociation }

    /// Scrolls the list on behalf of the user. Drops pending elements, so the user's scroll position is kept.
    public final func scroll(to offset: Double) {
        pendingList = nil
        contentOffset = max(0, offset)
    }

    /// Selects rows on behalf of the user. Drops pending elements, so the user's selection is kept.
    public final func select(_ indexPaths: ElementIndexPath...) {
        pendingList = nil
        listSelection = indexPaths.sorted()
    }

    /// Updates the list after its data changed. Selected elements that still exist remain selected at their new index
    /// paths. In a scrolled list, the top element remains at the top. The list looks for pending elements again.
    ///
    /// A data source may call this method while the list is asking it for an index path (seed row 70). The list then
    /// finishes its search, and searches for all elements once more. Calls during the second search have no effect.
    public final func reloadData() {
        hasToReload = isAsking
        guard !isAsking else { return }
        applyPendingList()
        // The first search may load rows, so both searches start with the same elements.
        let (selected, top) = (Array(zip(listSelection, selectedNames)), topName)
        asking { keepPlaces(of: selected, top: top) }
        if hasToReload { asking { keepPlaces(of: selected, top: top) } }
    }

    private func keepPlaces(of selected: [(ElementIndexPath, String?)], top: String?) {
        // If the list contains an element twice, both selected rows may be found at its first index path. `Set` removes
        // the duplicate.
        listSelection = Set(selected.compactMap(placeNow)).sorted()
        if contentOffset > 0, let top,
            let place = listDataSource?.indexPathForElement(withModelIdentifier: top, in: self)
        {
            listAnchor = ListAnchor(
                indexPath: place, offset: contentOffset.truncatingRemainder(dividingBy: rowHeight))
        }
    }

    /// The top row, and the height of its hidden part.
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
            // The rows or the list may have been higher when the offset was saved. Ignore an offset that would hide the
            // row.
            let isVisible = newValue.offset > -visibleHeight && newValue.offset < rowHeight
            contentOffset = max(0, Double(above) * rowHeight + (isVisible ? newValue.offset : 0))
        }
    }

    /// The visible rows, from top to bottom.
    public final var listVisible: [ListAnchor] {
        guard var next = listAnchor else { return [] }
        var places = Neighbors(of: next.indexPath, counts: counts, .after)
        var visible = [next]
        while next.offset - rowHeight > -visibleHeight, let place = places.next() {
            next = ListAnchor(indexPath: place, offset: next.offset - rowHeight)
            visible.append(next)
        }
        return visible
    }

    /// The horizontal scroll position, the zoom scale and the insets, for the runtime.
    public final var listViewport: ListViewport? {
        get {
            guard hasViewport else { return nil }
            let inset = contentInset
            return ListViewport(
                x: horizontalOffset, zoomScale: zoomScale,
                insets: SIMD4(inset.top, inset.left, inset.bottom, inset.right))
        }
        set {
            let viewport = newValue ?? ListViewport()
            (horizontalOffset, zoomScale) = (viewport.x, viewport.zoomScale)
            contentInset = ScrollView.Insets(
                top: viewport.insets[0], left: viewport.insets[1], bottom: viewport.insets[2],
                right: viewport.insets[3])
        }
    }

    private var counts: [Int] { dataSource?.elementCounts() ?? [] }

    private func contains(_ place: ElementIndexPath) -> Bool {
        counts.indices.contains(place.section) && (0..<counts[place.section]).contains(place.item)
    }

    private func name(at place: ElementIndexPath) -> String? {
        listDataSource?.modelIdentifierForElement(at: place, in: self)
    }

    /// Returns the current index path of an element. Prefers `place` if the element is still there, because the list
    /// may contain it twice.
    private func placeNow(_ place: ElementIndexPath, _ name: String?) -> ElementIndexPath? {
        guard let listDataSource, let name else { return contains(place) ? place : nil }
        if self.name(at: place).map(ByteText.init) == ByteText(name) { return place }
        return listDataSource.indexPathForElement(withModelIdentifier: name, in: self)
    }

    open override func encodeRestorableState(with coder: StateEncoder) { encodeList(with: coder) }
    open override func decodeRestorableState(with coder: StateDecoder) throws {
        decodeList(with: coder)
        // Even a list that never changes at run time may change with the app's version, so remove index paths beyond
        // its end.
        listSelection = listSelection.filter(contains)
    }
}

/// Provides the number of elements in a list.
@MainActor
public protocol ListDataSource: AnyObject {
    /// Returns the number of elements in each section.
    func elementCounts() -> [Int]
}

extension DataSourceModelAssociation where Self: ListDataSource {
    /// Returns the number of elements in each section of the list.
    public func elementCounts(in view: (any ElementView)?) -> [Int] { elementCounts() }
}

/// A list of rows, of which one or several can be selected.
@MainActor
open class TableView: ListView {}

/// A list of cells. All selected cells are restored (seed row 44).
@MainActor
open class CollectionView: ListView {}
