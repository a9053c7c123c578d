// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
public import Foundation

// uikit/uicollectionview. It counts its items as the table view counts its rows.
@MainActor open class UICollectionView: UIScrollView {
    // uikit/uicollectionview/scrollposition
    public struct ScrollPosition: OptionSet, Sendable {
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public let rawValue: UInt
        public static let top = ScrollPosition(rawValue: 1)
        public static let centeredVertically = ScrollPosition(rawValue: 2)
        public static let bottom = ScrollPosition(rawValue: 4)
        public static let left = ScrollPosition(rawValue: 8)
        public static let centeredHorizontally = ScrollPosition(rawValue: 16)
        public static let right = ScrollPosition(rawValue: 32)
    }

    public init(frame: CGRect, collectionViewLayout layout: UICollectionViewLayout) {
        collectionViewLayout = layout
        super.init(frame: frame)
        layout.collectionView = self
    }
    public required init?(coder: NSCoder) {
        collectionViewLayout = UICollectionViewFlowLayout()
        super.init(coder: coder)
        collectionViewLayout.collectionView = self
    }

    open var collectionViewLayout: UICollectionViewLayout {
        didSet {
            oldValue.collectionView = nil
            collectionViewLayout.collectionView = self
            forgetLayout()
        }
    }
    open func setCollectionViewLayout(_ layout: UICollectionViewLayout, animated: Bool) {
        collectionViewLayout = layout
    }
    open weak var dataSource: (any UICollectionViewDataSource)? { didSet { forgetItems() } }
    private weak var collectionDelegate: (any UICollectionViewDelegate)?
    open var delegate: (any UICollectionViewDelegate)? {
        get { collectionDelegate }
        set {
            collectionDelegate = newValue
            scrollDelegate = newValue
            forgetLayout()
        }
    }
    open override var bounds: CGRect {
        didSet { if bounds.size != oldValue.size { forgetLayout() } }
    }
    open var backgroundView: UIView?

    // MARK: Items

    private var counts: [Int]?
    open var numberOfSections: Int { counted().count }
    open func numberOfItems(inSection section: Int) -> Int {
        precondition(counted().indices.contains(section), "There is no section \(section) in the collection view.")
        return counted()[section]
    }
    open func reloadData() {
        deselectAll()
        recount()
    }
    open func reloadItems(at indexPaths: [IndexPath]) { recount() }
    open func reloadSections(_ sections: IndexSet) { recount() }
    open func insertItems(at indexPaths: [IndexPath]) {
        for new in indexPaths.sorted() {
            selection = Set(
                selection.map {
                    $0.section == new.section && $0.item >= new.item
                        ? IndexPath(item: $0.item + 1, section: $0.section) : $0
                })
        }
        recount()
    }
    open func deleteItems(at indexPaths: [IndexPath]) {
        selection = Set(
            selection.subtracting(indexPaths).map { path in
                let before = indexPaths.count { $0.section == path.section && $0.item < path.item }
                return IndexPath(item: path.item - before, section: path.section)
            })
        recount()
    }
    open func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {
        let wasSelected = selection.contains(indexPath)
        deleteItems(at: [indexPath])
        insertItems(at: [newIndexPath])
        if wasSelected { selection.insert(newIndexPath) }
    }
    open func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {
        updates?()
        recount()
        completion?(true)
    }

    private func counted() -> [Int] {
        if let counts { return counts }
        guard let dataSource else { return [] }
        let counts = (0..<dataSource.numberOfSections(in: self)).map {
            dataSource.collectionView(self, numberOfItemsInSection: $0)
        }
        self.counts = counts
        return counts
    }
    private func forgetItems() {
        counts = nil
        for cell in cells.values { cell.removeFromSuperview() }
        cells = [:]
        forgetLayout()
    }
    private func recount() {
        forgetItems()
        _ = counted()
    }

    // MARK: Layout

    var layoutIsPrepared = false
    private func forgetLayout() {
        layoutIsPrepared = false
        setNeedsLayout()
    }
    func prepareLayout() {
        guard !layoutIsPrepared else { return }
        layoutIsPrepared = true
        collectionViewLayout.prepare()
        contentSize = collectionViewLayout.collectionViewContentSize
    }
    open override func layoutSubviews() {
        super.layoutSubviews()
        prepareLayout()
        showCells()
    }
    open func layoutAttributesForItem(at indexPath: IndexPath) -> UICollectionViewLayoutAttributes? {
        prepareLayout()
        return collectionViewLayout.layoutAttributesForItem(at: indexPath)
    }
    /// In no order, as in UIKit.
    open var indexPathsForVisibleItems: [IndexPath] {
        prepareLayout()
        let inside = collectionViewLayout.layoutAttributesForElements(in: bounds) ?? []
        let paths = inside.map(\.indexPath).sorted()
        // Turned by half, so that a test sees code that relies on an order.
        return Array(paths.dropFirst(paths.count / 2) + paths.prefix(paths.count / 2))
    }
    open func indexPathForItem(at point: CGPoint) -> IndexPath? {
        prepareLayout()
        let near = CGRect(x: point.x, y: point.y, width: 0.5, height: 0.5)
        return collectionViewLayout.layoutAttributesForElements(in: near)?.first?.indexPath
    }
    private func check(_ path: IndexPath, _ action: String) {
        guard path.count == 2, counted().indices.contains(path.section), (0..<counted()[path.section]) ~= path.item
        else { preconditionFailure("\(action): there is no item at \(path). UIKit raises an exception.") }
    }
    open func scrollToItem(at indexPath: IndexPath, at scrollPosition: ScrollPosition, animated: Bool) {
        check(indexPath, "scrollToItem")
        guard let frame = layoutAttributesForItem(at: indexPath)?.frame else { return }
        let inset = adjustedContentInset
        var offset = contentOffset
        if scrollPosition.contains(.top) { offset.y = frame.minY - inset.top }
        if scrollPosition.contains(.centeredVertically) { offset.y = frame.midY - bounds.height / 2 }
        if scrollPosition.contains(.bottom) { offset.y = frame.maxY + inset.bottom - bounds.height }
        if scrollPosition.contains(.left) { offset.x = frame.minX - inset.left }
        if scrollPosition.contains(.centeredHorizontally) { offset.x = frame.midX - bounds.width / 2 }
        if scrollPosition.contains(.right) { offset.x = frame.maxX + inset.right - bounds.width }
        if scrollPosition.isEmpty { return scrollRectToVisible(frame, animated: animated) }
        offset.x = max(-inset.left, min(largestOffset.x, offset.x))
        offset.y = max(-inset.top, min(largestOffset.y, offset.y))
        setContentOffset(offset, animated: animated)
    }

    // MARK: Selection

    open var allowsSelection = true
    open var allowsMultipleSelection = false
    private var selection: Set<IndexPath> = []
    open var indexPathsForSelectedItems: [IndexPath]? { Array(selection) }
    open func selectItem(at indexPath: IndexPath?, animated: Bool, scrollPosition: ScrollPosition) {
        guard let indexPath else { return deselectAll() }
        check(indexPath, "selectItem")
        guard allowsSelection else { return }
        if !allowsMultipleSelection { deselectAll() }
        selection.insert(indexPath)
        cells[indexPath]?.isSelected = true
        if !scrollPosition.isEmpty { scrollToItem(at: indexPath, at: scrollPosition, animated: animated) }
    }
    open func deselectItem(at indexPath: IndexPath, animated: Bool) {
        selection.remove(indexPath)
        cells[indexPath]?.isSelected = false
    }
    private func deselectAll() { for path in selection { deselectItem(at: path, animated: false) } }

    // MARK: Cells

    private var cells: [IndexPath: UICollectionViewCell] = [:]
    private var types: [String: UICollectionViewCell.Type] = [:]
    open func register(_ cellClass: AnyClass?, forCellWithReuseIdentifier identifier: String) {
        types[identifier] = cellClass as? UICollectionViewCell.Type
    }
    open func dequeueReusableCell(
        withReuseIdentifier identifier: String, for indexPath: IndexPath
    ) -> UICollectionViewCell {
        // In UIKit the storyboard registers the cells of its collection views.
        let made = UIKitDouble.makeCell(types[identifier] ?? UICollectionViewCell.self, identifier)
        guard let cell = made as? UICollectionViewCell else { preconditionFailure("\(made) is not a cell.") }
        cell.reuseIdentifier = identifier
        return cell
    }
    open var visibleCells: [UICollectionViewCell] { indexPathsForVisibleItems.compactMap { cellForItem(at: $0) } }
    open func cellForItem(at indexPath: IndexPath) -> UICollectionViewCell? {
        guard indexPathsForVisibleItems.contains(indexPath) else { return nil }
        showCells()
        return cells[indexPath]
    }
    open func indexPath(for cell: UICollectionViewCell) -> IndexPath? { cells.first { $0.value === cell }?.key }

    private func showCells() {
        guard let dataSource else { return }
        let visible = Set(indexPathsForVisibleItems)
        for (path, cell) in cells where !visible.contains(path) {
            cells[path] = nil
            cell.removeFromSuperview()
        }
        for path in visible.sorted() where cells[path] == nil {
            let cell = dataSource.collectionView(self, cellForItemAt: path)
            cell.frame = layoutAttributesForItem(at: path)?.frame ?? .zero
            cell.isSelected = selection.contains(path)
            cells[path] = cell
            addSubview(cell)
        }
    }

    func tap(_ path: IndexPath) {
        check(path, "tap")
        guard collectionDelegate?.collectionView(self, shouldSelectItemAt: path) != false else { return }
        if allowsMultipleSelection, selection.contains(path) {
            deselectItem(at: path, animated: false)
            collectionDelegate?.collectionView(self, didDeselectItemAt: path)
            return
        }
        let old = allowsMultipleSelection ? [] : selection.subtracting([path]).sorted()
        selectItem(at: path, animated: false, scrollPosition: [])
        for other in old { collectionDelegate?.collectionView(self, didDeselectItemAt: other) }
        collectionDelegate?.collectionView(self, didSelectItemAt: path)
    }
}

extension UICollectionView { public var double: UICollectionViewDouble { UICollectionViewDouble(items: self) } }

/// What the user does with a collection view.
@MainActor public struct UICollectionViewDouble {
    let items: UICollectionView

    /// Taps an item: selects it, and tells the delegate.
    public func tap(_ path: IndexPath) { items.tap(path) }
}
