// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
public import Foundation

// uikit/uitableview. It counts its rows at the first question about them and at `reloadData()`, and not in between.
@MainActor open class UITableView: UIScrollView {
    public enum Style: Int, Sendable {
        case plain = 0
        case grouped = 1
        case insetGrouped = 2
    }
    public enum ScrollPosition: Int, Sendable {
        case none = 0
        case top = 1
        case middle = 2
        case bottom = 3
    }
    public enum RowAnimation: Int, Sendable {
        case fade = 0
        case none = 5
        case automatic = 100
    }
    public static let automaticDimension: CGFloat = -1

    public init(frame: CGRect, style: Style) {
        self.style = style
        super.init(frame: frame)
    }
    public override convenience init(frame: CGRect) { self.init(frame: frame, style: .plain) }
    public required init?(coder: NSCoder) {
        style = .plain
        super.init(coder: coder)
    }
    public convenience init() { self.init(frame: .zero, style: .plain) }

    public let style: Style
    open weak var dataSource: (any UITableViewDataSource)? { didSet { forgetRows() } }
    private weak var tableDelegate: (any UITableViewDelegate)?
    open var delegate: (any UITableViewDelegate)? {
        get { tableDelegate }
        set {
            tableDelegate = newValue
            scrollDelegate = newValue
            forgetRows()
        }
    }

    // MARK: Rows

    open var rowHeight: CGFloat = 44 { didSet { forgetRows() } }
    open var estimatedRowHeight: CGFloat = 44
    open var sectionHeaderHeight: CGFloat = 28
    open var tableHeaderView: UIView? { didSet { replaceExtra(oldValue, tableHeaderView) } }
    open var tableFooterView: UIView? { didSet { replaceExtra(oldValue, tableFooterView) } }
    open var backgroundView: UIView?
    open var isEditing = false
    open func setEditing(_ editing: Bool, animated: Bool) { isEditing = editing }
    private var layout: Layout?

    struct Layout {
        var headers: [CGRect] = []
        var rows: [[CGRect]] = []
        var size = CGSize.zero
    }

    open var numberOfSections: Int { counted().rows.count }
    open func numberOfRows(inSection section: Int) -> Int {
        let rows = counted().rows
        precondition(rows.indices.contains(section), "There is no section \(section) in the table view.")
        return rows[section].count
    }
    open func reloadData() {
        deselectAll()
        forgetRows()
        _ = counted()
    }
    open func reloadRows(at indexPaths: [IndexPath], with animation: RowAnimation) { recount() }
    open func reloadSections(_ sections: IndexSet, with animation: RowAnimation) { recount() }
    open func insertRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
        selection = Set(selection.map { moved($0, past: indexPaths.sorted()) })
        recount()
    }
    open func deleteRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
        selection = Set(
            selection.subtracting(indexPaths).map { path in
                let before = indexPaths.count { $0.section == path.section && $0.row < path.row }
                return IndexPath(row: path.row - before, section: path.section)
            })
        recount()
    }
    open func moveRow(at indexPath: IndexPath, to newIndexPath: IndexPath) {
        let wasSelected = selection.contains(indexPath)
        deleteRows(at: [indexPath], with: .none)
        insertRows(at: [newIndexPath], with: .none)
        if wasSelected { selection.insert(newIndexPath) }
    }
    open func insertSections(_ sections: IndexSet, with animation: RowAnimation) { recount() }
    open func deleteSections(_ sections: IndexSet, with animation: RowAnimation) {
        selection = selection.filter { !sections.contains($0.section) }
        recount()
    }
    open func beginUpdates() {}
    open func endUpdates() { recount() }
    open func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {
        updates?()
        recount()
        completion?(true)
    }

    private func moved(_ path: IndexPath, past inserted: [IndexPath]) -> IndexPath {
        inserted.reduce(path) { path, new in
            new.section == path.section && new.row <= path.row
                ? IndexPath(row: path.row + 1, section: path.section) : path
        }
    }
    private func recount() {
        forgetRows()
        _ = counted()
    }
    private func forgetRows() {
        layout = nil
        for cell in cells.values { cell.removeFromSuperview() }
        cells = [:]
        setNeedsLayout()
    }
    private func replaceExtra(_ old: UIView?, _ new: UIView?) {
        old?.removeFromSuperview()
        if let new { addSubview(new) }
        if layout != nil { recount() }
    }

    private func counted() -> Layout {
        if let layout { return layout }
        guard let dataSource else { return Layout() }
        var layout = Layout()
        var y = tableHeaderView?.frame.height ?? 0
        func next(_ height: CGFloat) -> CGRect {
            defer { y += height }
            return CGRect(x: 0, y: y, width: bounds.width, height: height)
        }
        for section in 0..<dataSource.numberOfSections(in: self) {
            let count = dataSource.tableView(self, numberOfRowsInSection: section)
            layout.headers.append(next(headerHeight(section)))
            layout.rows.append((0..<count).map { next(height(of: IndexPath(row: $0, section: section))) })
            _ = next(tableDelegate?.tableView(self, heightForFooterInSection: section) ?? 0)
        }
        y += tableFooterView?.frame.height ?? 0
        layout.size = CGSize(width: bounds.width, height: y)
        self.layout = layout
        contentSize = layout.size
        return layout
    }
    private func height(of path: IndexPath) -> CGFloat {
        let height = tableDelegate?.tableView(self, heightForRowAt: path) ?? rowHeight
        return height == UITableView.automaticDimension ? estimatedRowHeight : height
    }
    private func headerHeight(_ section: Int) -> CGFloat {
        let height = tableDelegate?.tableView(self, heightForHeaderInSection: section) ?? automaticHeaderHeight(section)
        return height == UITableView.automaticDimension ? automaticHeaderHeight(section) : height
    }
    func automaticHeaderHeight(_ section: Int) -> CGFloat {
        dataSource?.tableView(self, titleForHeaderInSection: section) == nil ? 0 : sectionHeaderHeight
    }

    open override func layoutSubviews() {
        super.layoutSubviews()
        _ = counted()
        showCells()
    }

    // MARK: Geometry

    open func rectForRow(at indexPath: IndexPath) -> CGRect {
        let rows = counted().rows
        guard rows.indices.contains(indexPath.section), rows[indexPath.section].indices.contains(indexPath.row) else {
            return .zero
        }
        return withWidth(rows[indexPath.section][indexPath.row])
    }
    open func rectForHeader(inSection section: Int) -> CGRect { withWidth(counted().headers[section]) }
    open func rect(forSection section: Int) -> CGRect {
        let layout = counted()
        return withWidth(layout.rows[section].reduce(layout.headers[section]) { $0.union($1) })
    }
    /// The table may have been counted before it got its width.
    private func withWidth(_ rect: CGRect) -> CGRect {
        CGRect(x: rect.minX, y: rect.minY, width: bounds.width, height: rect.height)
    }
    open func indexPathForRow(at point: CGPoint) -> IndexPath? {
        allPaths.first { rectForRow(at: $0).minY <= point.y && point.y < rectForRow(at: $0).maxY }
    }
    open func indexPathsForRows(in rect: CGRect) -> [IndexPath]? {
        allPaths.filter { rectForRow(at: $0).minY < rect.maxY && rectForRow(at: $0).maxY > rect.minY }
    }
    open var indexPathsForVisibleRows: [IndexPath]? { indexPathsForRows(in: bounds) }
    private var allPaths: [IndexPath] {
        counted().rows.enumerated().flatMap { section, rows in
            rows.indices.map { IndexPath(row: $0, section: section) }
        }
    }
    private func check(_ path: IndexPath, _ action: String) {
        let rows = counted().rows
        guard path.count == 2, rows.indices.contains(path.section), rows[path.section].indices.contains(path.row) else {
            preconditionFailure("\(action): there is no row at \(path). UIKit raises an exception.")
        }
    }
    open func scrollToRow(at indexPath: IndexPath, at scrollPosition: ScrollPosition, animated: Bool) {
        check(indexPath, "scrollToRow")
        let (rect, inset) = (rectForRow(at: indexPath), adjustedContentInset)
        let visible = bounds.inset(by: inset)
        var y = contentOffset.y
        switch scrollPosition {
        case .top: y = rect.minY - inset.top
        case .middle: y = rect.midY - inset.top - visible.height / 2
        case .bottom: y = rect.maxY + inset.bottom - bounds.height
        case .none:
            if rect.minY < visible.minY {
                y = rect.minY - inset.top
            } else if rect.maxY > visible.maxY {
                y = rect.maxY + inset.bottom - bounds.height
            }
        }
        y = max(-inset.top, min(largestOffset.y, y))
        setContentOffset(CGPoint(x: contentOffset.x, y: y), animated: animated)
    }

    // MARK: Selection

    open var allowsSelection = true
    open var allowsMultipleSelection = false
    open var allowsSelectionDuringEditing = false
    open var allowsMultipleSelectionDuringEditing = false
    private var selection: Set<IndexPath> = []

    open var indexPathForSelectedRow: IndexPath? { selection.min() }
    open var indexPathsForSelectedRows: [IndexPath]? { selection.isEmpty ? nil : selection.sorted() }
    open func selectRow(at indexPath: IndexPath?, animated: Bool, scrollPosition: ScrollPosition) {
        guard let indexPath else { return deselectAll() }
        check(indexPath, "selectRow")
        guard allowsSelection else { return }
        if !allowsMultipleSelection { deselectAll() }
        selection.insert(indexPath)
        cells[indexPath]?.setSelected(true, animated: animated)
        if scrollPosition != .none { scrollToRow(at: indexPath, at: scrollPosition, animated: animated) }
    }
    open func deselectRow(at indexPath: IndexPath, animated: Bool) {
        selection.remove(indexPath)
        cells[indexPath]?.setSelected(false, animated: animated)
    }
    private func deselectAll() { for path in selection { deselectRow(at: path, animated: false) } }

    // MARK: Cells

    private var cells: [IndexPath: UITableViewCell] = [:]
    private var makers: [String: @MainActor () -> UITableViewCell] = [:]

    open func register(_ cellClass: AnyClass?, forCellReuseIdentifier identifier: String) {
        guard let type = cellClass as? UITableViewCell.Type else { return makers[identifier] = nil }
        makers[identifier] = {
            UIKitDouble.makeCell(type, identifier) as? UITableViewCell
                ?? UITableViewCell(style: .default, reuseIdentifier: identifier)
        }
    }
    open func dequeueReusableCell(withIdentifier identifier: String) -> UITableViewCell? { makers[identifier]?() }
    open func dequeueReusableCell(withIdentifier identifier: String, for indexPath: IndexPath) -> UITableViewCell {
        guard let cell = makers[identifier]?() else {
            // In UIKit the storyboard registers the cells of its table views.
            return UITableViewCell(style: .subtitle, reuseIdentifier: identifier)
        }
        return cell
    }
    open var visibleCells: [UITableViewCell] { (indexPathsForVisibleRows ?? []).compactMap { cellForRow(at: $0) } }
    open func cellForRow(at indexPath: IndexPath) -> UITableViewCell? {
        guard indexPathsForVisibleRows?.contains(indexPath) == true else { return nil }
        showCells()
        return cells[indexPath]
    }
    open func indexPath(for cell: UITableViewCell) -> IndexPath? { cells.first { $0.value === cell }?.key }

    private func showCells() {
        guard let dataSource else { return }
        let visible = Set(indexPathsForVisibleRows ?? [])
        for (path, cell) in cells where !visible.contains(path) {
            cells[path] = nil
            cell.removeFromSuperview()
        }
        for path in visible.sorted() where cells[path] == nil {
            let cell = dataSource.tableView(self, cellForRowAt: path)
            cell.frame = rectForRow(at: path)
            cell.isSelected = selection.contains(path)
            tableDelegate?.tableView(self, willDisplay: cell, forRowAt: path)
            cells[path] = cell
            addSubview(cell)
        }
    }

    func tap(_ path: IndexPath) {
        check(path, "tap")
        guard let path = tableDelegate?.tableView(self, willSelectRowAt: path) ?? (tableDelegate == nil ? path : nil)
        else { return }
        if allowsMultipleSelection, selection.contains(path) {
            deselectRow(at: path, animated: false)
            tableDelegate?.tableView(self, didDeselectRowAt: path)
            return
        }
        let old = allowsMultipleSelection ? [] : selection.subtracting([path]).sorted()
        selectRow(at: path, animated: false, scrollPosition: .none)
        for other in old { tableDelegate?.tableView(self, didDeselectRowAt: other) }
        tableDelegate?.tableView(self, didSelectRowAt: path)
    }
}

extension UITableView { public var double: UITableViewDouble { UITableViewDouble(table: self) } }

/// What the user does with a table view.
@MainActor public struct UITableViewDouble {
    let table: UITableView

    /// Taps a row: selects it, and tells the delegate.
    public func tap(_ path: IndexPath) { table.tap(path) }
}
