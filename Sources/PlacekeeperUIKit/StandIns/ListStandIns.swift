#if canImport(UIKit) && !os(watchOS)
    import Foundation
    import PlacekeeperRuntime
    import PlacekeeperKit
    import UIKit

    /// Represents a table view or a collection view: its selection and its visible elements, by their model identifiers
    /// (seed rows 39 to 44).
    class ListStandIn: ViewStandIn, ListContaining {
        final var pendingList: PendingList?
        /// The restored top row, until the window is visible: layout may move the content meanwhile.
        private var restoredAnchor: ListAnchor?
        /// The restored selection.
        private var restoredRows: [(place: ElementIndexPath, identifier: String?)] = []
        /// Where the list was when it last looked for elements.
        private var seen: (offset: CGPoint, selection: [ElementIndexPath])?
        private var list: ReloadingList?
        /// The data source of `list`. Weak, because it is often the view controller that owns the view.
        private weak var sourceOfList: AnyObject?
        final var scroll: UIScrollView? { represented as? UIScrollView }

        /// The data source with model identifiers.
        final var listDataSource: (any DataSourceModelAssociation)? {
            guard let source = source as? any UIDataSourceModelAssociation else { return nil }
            if sourceOfList !== source {
                sourceOfList = source
                list = makeList(source).map { ReloadingList($0, in: self) }
            }
            return list
        }

        /// The kinds of aliases that different elements never share, of the elements that were read.
        fileprivate final var uniqueKinds: Set<String> = []

        /// The name of the list in archives and on the service.
        final func name(_ source: any UIDataSourceModelAssociation) -> String {
            (source as? any AliasedModelAssociation)?.listName ?? restorationIdentifier ?? ""
        }

        final func aliases(_ source: any UIDataSourceModelAssociation) -> @MainActor (String) -> [String] {
            { [weak self, weak source = source as? any AliasedModelAssociation] identifier in
                let aliases = source?.aliases(forElementWithModelIdentifier: identifier) ?? []
                for alias in aliases where alias.isUnique { self?.uniqueKinds.insert(alias.kind) }
                return aliases.map(\.text)
            }
        }

        // What the two kinds of views do differently.
        var source: AnyObject? { nil }
        func makeList(_ source: any UIDataSourceModelAssociation) -> AssociatedList? { nil }
        var counts: [Int] { [] }
        var visible: [IndexPath] { [] }
        var selected: [IndexPath] { [] }
        func frame(at path: IndexPath) -> CGRect? { nil }
        func select(_ path: IndexPath, _ isSelected: Bool) {}
        var listViewport: ListViewport? {
            get { nil }
            set {}
        }

        final var listSelection: [ElementIndexPath] {
            get { selected.compactMap { ElementIndexPath($0) }.sorted() }
            set {
                let counts = counts
                let paths = Set(newValue.filter { contains($0, counts) }.map { IndexPath($0) })
                let present = Set(selected)
                for path in present.subtracting(paths) { select(path, false) }
                for path in paths.subtracting(present).sorted() { select(path, true) }
            }
        }

        final var listAnchor: ListAnchor? {
            get { listVisible.first }
            set {
                guard let newValue, contains(newValue.indexPath) else { return }
                restoredAnchor = newValue
                // The heights of rows are estimates until the rows are laid out.
                for _ in 1...2 { scroll(to: newValue) }
            }
        }

        private func scroll(to anchor: ListAnchor) {
            guard let scroll else { return }
            scroll.layoutIfNeeded()
            guard let frame = frame(at: IndexPath(anchor.indexPath)) else { return }
            // The rows or the view may have been larger when the offset was saved. An offset that would hide the row is
            // ignored.
            let offset = CGFloat(anchor.offset)
            if isSideways {
                let isVisible = offset < frame.width && -offset < scroll.bounds.width
                let left = frame.minX + (isVisible ? offset : 0) - scroll.adjustedContentInset.left
                scroll.scroll(to: CGPoint(x: left, y: scroll.contentOffset.y))
            } else {
                let isVisible = offset < frame.height && -offset < scroll.bounds.height
                let top = frame.minY + (isVisible ? offset : 0) - scroll.adjustedContentInset.top
                scroll.scroll(to: CGPoint(x: scroll.contentOffset.x, y: top))
            }
        }

        /// Whether the list scrolls sideways only.
        private var isSideways: Bool {
            guard let scroll else { return false }
            return scroll.contentSize.height <= scroll.bounds.height && scroll.contentSize.width > scroll.bounds.width
        }

        /// Looks for pending elements, unless the user has scrolled or selected something since.
        final func itemsDidArrive(hasInput: Bool) {
            guard let scroll, pendingList != nil else { return }
            if hasInput, let seen, seen != (scroll.contentOffset, listSelection) { pendingList = nil }
            applyPendingList()
            note()
        }

        private func note() {
            seen = scroll.map { ($0.contentOffset, listSelection) }
            restoredRows = listSelection.map { ($0, listDataSource?.modelIdentifierForElement(at: $0, in: self)) }
        }

        /// Selects the restored rows again if none is selected, wherever they are now: a table view controller reloads its view
        /// when it appears, and an app when data arrives. Call this method only while the user has done nothing.
        final func keepSelection() {
            guard listSelection.isEmpty, !restoredRows.isEmpty else { return }
            listSelection = restoredRows.compactMap { place, identifier in
                guard let identifier, let listDataSource else { return place }
                return listDataSource.indexPathForElement(withModelIdentifier: identifier, in: self)
            }
        }

        final var listVisible: [ListAnchor] {
            guard let scroll else { return [] }
            let isSideways = isSideways
            let start =
                isSideways
                ? scroll.contentOffset.x + scroll.adjustedContentInset.left
                : scroll.contentOffset.y + scroll.adjustedContentInset.top
            return visible.sorted().compactMap { path in
                guard let frame = frame(at: path), let place = ElementIndexPath(path),
                    (isSideways ? frame.maxX : frame.maxY) > start
                else { return nil }
                return ListAnchor(indexPath: place, offset: Double(start - (isSideways ? frame.minX : frame.minY)))
            }
        }

        final func contains(_ place: ElementIndexPath, _ counts: [Int]? = nil) -> Bool {
            let counts = counts ?? self.counts
            return counts.indices.contains(place.section) && (0..<counts[place.section]).contains(place.item)
        }

        override func encodeRestorableState(with coder: StateEncoder) {
            encodeList(with: coder)
            super.encodeRestorableState(with: coder)
        }
        override func decodeRestorableState(with coder: StateDecoder) throws {
            decodeList(with: coder)
            try super.decodeRestorableState(with: coder)
        }
        override func applicationFinishedRestoringState() {
            super.applicationFinishedRestoringState()
            applyPendingList()
            note()
            Made.current?.whenActive { [weak self] in
                self?.keepSelection()
                if let self, let anchor = restoredAnchor, contains(anchor.indexPath) { listAnchor = anchor }
                self?.restoredAnchor = nil
                self?.note()
            }
        }
    }

    /// A data source that may reload its view while it is asked for an index path (seed row 70). UIKit clears the
    /// selection then, so the rows that are still the same are selected again.
    private final class ReloadingList: DataSourceModelAssociation {
        private let list: AssociatedList
        private weak var view: ListStandIn?

        init(_ list: AssociatedList, in view: ListStandIn) { (self.list, self.view) = (list, view) }

        var dataSourceName: String { list.dataSourceName }
        var uniqueAliases: [String] { (view?.uniqueKinds ?? []).sorted() }
        func modelIdentifierForElement(at indexPath: ElementIndexPath?, in view: (any ElementView)?) -> String? {
            list.modelIdentifierForElement(at: indexPath, in: view)
        }
        func elementCounts(in view: (any ElementView)?) -> [Int] { list.elementCounts(in: view) }
        func listElements(in view: (any ElementView)?) -> [ListElement] { list.listElements(in: view) }
        func modelAliases(forElementWithModelIdentifier identifier: String) -> [String] {
            list.modelAliases(forElementWithModelIdentifier: identifier)
        }
        func modelIdentifiers(forElementsWithAlias alias: String) -> [String]? {
            (view?.source as? any AliasedModelAssociation)?.modelIdentifiers(forElementsWith: ItemAlias(text: alias))
        }

        func indexPathForElement(
            withModelIdentifier identifier: String?, in view: (any ElementView)?
        ) -> ElementIndexPath? {
            guard let shown = self.view else { return nil }
            let selected = shown.listSelection.map { ($0, modelIdentifierForElement(at: $0, in: view)) }
            let found = list.indexPathForElement(withModelIdentifier: identifier, in: view)
            if shown.listSelection.isEmpty, !selected.isEmpty {
                shown.listSelection = selected.filter { modelIdentifierForElement(at: $0.0, in: view) == $0.1 }.map(\.0)
            }
            return found
        }
    }

    /// Represents a table view.
    final class TableStandIn: ListStandIn {
        private var table: UITableView? { represented as? UITableView }

        override var source: AnyObject? { table?.dataSource }
        override func makeList(_ source: any UIDataSourceModelAssociation) -> AssociatedList? {
            table.map { AssociatedList(name(source), source, in: $0, aliases: aliases(source)) }
        }
        override var counts: [Int] {
            table?.elementCounts ?? []
        }
        override var visible: [IndexPath] { table?.indexPathsForVisibleRows ?? [] }
        override var selected: [IndexPath] { table?.indexPathsForSelectedRows ?? [] }
        override func frame(at path: IndexPath) -> CGRect? { table?.rectForRow(at: path) }
        override func select(_ path: IndexPath, _ isSelected: Bool) {
            if isSelected {
                table?.selectRow(at: path, animated: false, scrollPosition: .none)
            } else {
                table?.deselectRow(at: path, animated: false)
            }
        }
    }

    /// Represents a collection view, which may also scroll sideways.
    final class CollectionStandIn: ListStandIn {
        private var collection: UICollectionView? { represented as? UICollectionView }

        override var source: AnyObject? { collection?.dataSource }
        override func makeList(_ source: any UIDataSourceModelAssociation) -> AssociatedList? {
            collection.map { AssociatedList(name(source), source, in: $0, aliases: aliases(source)) }
        }
        override var counts: [Int] {
            collection?.elementCounts ?? []
        }
        override var visible: [IndexPath] { collection?.indexPathsForVisibleItems ?? [] }
        override var selected: [IndexPath] { collection?.indexPathsForSelectedItems ?? [] }
        override func frame(at path: IndexPath) -> CGRect? { collection?.layoutAttributesForItem(at: path)?.frame }
        override func select(_ path: IndexPath, _ isSelected: Bool) {
            if isSelected {
                collection?.selectItem(at: path, animated: false, scrollPosition: [])
            } else {
                collection?.deselectItem(at: path, animated: false)
            }
        }

        override var listViewport: ListViewport? {
            get {
                guard let scroll else { return nil }
                let inset = scroll.contentInset
                let insets = SIMD4(Double(inset.top), Double(inset.left), Double(inset.bottom), Double(inset.right))
                let viewport = ListViewport(
                    x: Double(scroll.contentOffset.x), zoomScale: Double(scroll.zoomScale), insets: insets)
                return viewport == ListViewport() ? nil : viewport
            }
            set {
                guard let scroll, let newValue else { return }
                if Double(scroll.zoomScale) != newValue.zoomScale { scroll.zoomScale = CGFloat(newValue.zoomScale) }
                scroll.contentInset = UIEdgeInsets((0..<4).map { newValue.insets[$0] })
                scroll.layoutIfNeeded()
                scroll.scroll(to: CGPoint(x: CGFloat(newValue.x), y: scroll.contentOffset.y))
            }
        }
    }
#endif
