public import PlacekeeperArchive

/// The saved selection and scroll position of a list, while the saved element at the top, or a saved selected element,
/// is not found.
public struct PendingList: Sendable, Hashable {
    /// References to the selected elements.
    public var selection: [ModelReference]
    /// A reference to the element at the top.
    public var anchor: ModelReference?
    /// The height of the part of the element at the top that is hidden above the top of the list, in points.
    public var offset: Double
    /// The visible elements below the element at the top, from the top. While the element at the top is not found, the
    /// first of these elements that is found returns to its visual position (seed row 72).
    public var others: [Visible]
    /// How far down the list the element at the top was, from 0 to 1. While none of the saved elements and none of their
    /// neighbors is found, the list shows the row at this fraction of its present rows. Nil if the list does not fall back to
    /// it (`ListContaining.listFallsBackToFraction`), or if its length was not known.
    public var fraction: Double?
    /// Whether the list shows the row at `fraction`.
    public internal(set) var isAtFraction = false

    /// A visible element.
    public struct Visible: Sendable, Hashable {
        /// A reference to the element.
        public var reference: ModelReference
        /// The height of the part of the element that was hidden above the top of the list, in points. The height is
        /// negative if the element began below the top of the list.
        public var offset: Double

        /// Creates a visible element.
        public init(_ reference: ModelReference, offset: Double) {
            self.reference = reference
            self.offset = offset
        }
    }

    /// Creates a pending list.
    public init(
        selection: [ModelReference] = [], anchor: ModelReference? = nil, offset: Double = 0, others: [Visible] = [],
        fraction: Double? = nil
    ) {
        self.selection = selection
        self.anchor = anchor
        self.offset = offset
        self.others = others
        self.fraction = fraction
    }
}

extension ListContaining {
    /// Restores a selection and a scroll position, as far as their elements are loaded. An element that is not loaded
    /// is pending until its data arrives. While a selected element is pending, no row is selected instead, except a
    /// neighbor that `ModelReference.resolve(in:view:)` returns.
    public func show(_ list: PendingList) {
        if !list.selection.isEmpty { listSelection = [] }
        pendingList = list
        applyPendingList()
    }

    /// Looks for the pending elements again. Call this method when the list's data has changed. When a person scrolls
    /// or selects a row, the app must set `pendingList` to nil, so that the person's change stays.
    public func applyPendingList() {
        guard let dataSource = listDataSource, let pending = pendingList else { return }
        for _ in 1...2 {
            // A data source may load elements during a search, and call this method again (seed row 70). The inner call
            // finds an empty pending list and sets `pendingList` to nil. The outer call then searches once more,
            // because elements may have arrived or moved.
            pendingList = PendingList()
            let (isComplete, isAtFraction) = apply(pending, in: dataSource)
            let hasLookedMeanwhile = pendingList == nil
            pendingList = isComplete ? nil : pending
            pendingList?.isAtFraction = isAtFraction
            if !hasLookedMeanwhile { return }
        }
    }

    /// Selects the saved selected elements that are found, and scrolls to the element that was at the top. If this
    /// element is not found, scrolls to another saved visible element or to a neighbor, and otherwise to the saved
    /// fraction of the list.
    /// - Returns: Whether the element that was at the top and all selected elements were found, and whether the list is at
    ///   the saved fraction.
    private func apply(
        _ pending: PendingList, in dataSource: any DataSourceModelAssociation
    ) -> (isComplete: Bool, isAtFraction: Bool) {
        var isAtFraction = false
        let selection = pending.selection.map { $0.resolve(in: dataSource, view: self) }
        let found = Set(selection.compactMap { $0?.indexPath })
        if !found.isEmpty { listSelection = found.sorted() }
        let top = pending.anchor?.resolve(in: dataSource, view: self)
        let isAnchored = pending.anchor == nil || (top != nil && top?.step != .neighbor)
        if let top, isAnchored {
            listAnchor = ListAnchor(indexPath: top.indexPath, offset: pending.offset)
        } else if let other = pending.firstOther(in: dataSource, view: self) {
            listAnchor = other
        } else if let top {
            // A neighbor is shown from its top, because the saved offset belongs to the element itself.
            listAnchor = ListAnchor(indexPath: top.indexPath)
        } else if let place = pending.fraction.flatMap({ indexPath(at: $0, in: dataSource) }) {
            listAnchor = ListAnchor(indexPath: place)
            isAtFraction = true
        }
        return (isAnchored && !selection.contains { $0 == nil || $0?.step == .neighbor }, isAtFraction)
    }

    /// Returns how far down the list an element is, from 0 to 1. Nil if the data source does not give the counts.
    func fraction(at indexPath: ElementIndexPath, in dataSource: any DataSourceModelAssociation) -> Double? {
        let counts = dataSource.elementCounts(in: self)
        guard counts.indices.contains(indexPath.section), (0..<counts[indexPath.section]).contains(indexPath.item)
        else { return nil }
        let before = counts[..<indexPath.section].reduce(0, +) + indexPath.item
        return Double(before) / Double(counts.reduce(0, +))
    }

    /// Returns the index path of the row at a fraction of the list. Nil for an empty list.
    private func indexPath(
        at fraction: Double, in dataSource: any DataSourceModelAssociation
    ) -> ElementIndexPath? {
        let counts = dataSource.elementCounts(in: self)
        let count = counts.reduce(0, +)
        guard count > 0, (0...1).contains(fraction) else { return nil }
        var item = min(count - 1, Int((fraction * Double(count)).rounded()))
        for (section, count) in counts.enumerated() {
            if item < count { return ElementIndexPath(section: section, item: item) }
            item -= count
        }
        return nil
    }

    /// Returns whether the visible rows and their positions are the same as when the list was saved. Also true if the
    /// list has no `listDataSource`, or if no element at the top was saved.
    func showsRows(of list: PendingList) -> Bool {
        guard let dataSource = listDataSource, let anchor = list.anchor else { return true }
        let saved = [PendingList.Visible(anchor, offset: list.offset)] + list.others
        let visible = listVisible.compactMap { row in
            dataSource.modelIdentifierForElement(at: row.indexPath, in: self).map { (name: $0, offset: row.offset) }
        }
        guard visible.count == saved.count else { return false }
        return zip(visible, saved).allSatisfy { row, saved in
            // A difference of less than half a point is not visible.
            guard abs(row.offset - saved.offset) < 0.5,
                let found = saved.reference.resolve(in: dataSource, view: self), found.step != .neighbor
            else { return false }
            return row.name == found.identifier
        }
    }

    /// Asks the data source to load the pending elements, and looks for them again.
    public func revealPendingList() async {
        guard let dataSource = listDataSource, let pending = pendingList else { return }
        for reference in pending.selection + [pending.anchor].compactMap({ $0 }) {
            _ = await reference.reveal(in: dataSource, view: self)
            // A person may have scrolled while the element was being loaded. In this case, the person's scroll position
            // is kept.
            guard pendingList == pending else { return }
        }
        applyPendingList()
    }
}

extension PendingList {
    /// Returns the index path and the saved offset of the first element of `others` that is found.
    @MainActor
    fileprivate func firstOther(in dataSource: any DataSourceModelAssociation, view: any RestorableView) -> ListAnchor?
    {
        for other in others {
            if let found = other.reference.resolve(in: dataSource, view: view), found.step != .neighbor {
                return ListAnchor(indexPath: found.indexPath, offset: other.offset)
            }
        }
        return nil
    }
}
