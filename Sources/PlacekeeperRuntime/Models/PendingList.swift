public import PlacekeeperArchive

/// A list's saved selection and scroll position, as long as the saved top element or a saved selected element is not
/// found.
public struct PendingList: Sendable, Equatable {
    /// References to the selected elements.
    public var selection: [ModelReference]
    /// A reference to the top element.
    public var anchor: ModelReference?
    /// How much of the top element is hidden above the top of the list, in points.
    public var offset: Double
    /// The visible elements below the top one, in order. As long as the top element is not found, the first of these
    /// that is found returns to its position on screen (seed row 72).
    public var others: [Visible]
    /// How far down the list the top element was, from 0 to 1. The list scrolls to this fraction of its current rows
    /// until a saved element or a neighbor is found.
    ///
    /// `nil` if the list does not fall back to it (`ListContaining.listFallsBackToFraction`), or if the list's length
    /// was unknown.
    public var fraction: Double?
    /// Whether the list is scrolled to `fraction`.
    public internal(set) var isAtFraction = false

    /// A visible element.
    public struct Visible: Sendable, Equatable {
        /// A reference to the element.
        public var reference: ModelReference
        /// How much of the element was hidden above the top of the list, in points. Negative if the element began below
        /// the top.
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
    /// Restores a selection and a scroll position, as far as the elements are loaded. The others are pending until
    /// their data arrives. Until then, nothing is selected in place of a pending selected element, except a neighbor
    /// that `ModelReference.resolve(in:view:)` returns.
    public func show(_ list: PendingList) {
        if !list.selection.isEmpty { listSelection = [] }
        pendingList = list
        applyPendingList()
    }

    /// Searches for the pending elements again. Call this when the list's data has changed. When a person scrolls or
    /// selects a row, set `pendingList` to nil, or a later search undoes it.
    public func applyPendingList() {
        guard let dataSource = listDataSource, let pending = pendingList else { return }
        for _ in 1...2 {
            // A data source may load elements during a search and call this method again (seed row 70). The inner call
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

    /// Selects the selected elements that are found, and scrolls to the top element. If that is not found, scrolls to
    /// another saved visible element, then to a neighbor, and last to the saved fraction of the list.
    /// - Returns: Whether the top element and all selected elements were found, and whether the list is at the saved
    ///   fraction.
    private func apply(
        _ pending: PendingList, in dataSource: any DataSourceModelAssociation
    ) -> (isComplete: Bool, isAtFraction: Bool) {
        var isAtFraction = false
        let index = ListIndex(dataSource, in: self)
        let selection = pending.selection.map { $0.resolve(in: dataSource, by: index) }
        let found = Set(selection.compactMap { $0?.indexPath })
        if !found.isEmpty { listSelection = found.sorted() }
        let top = pending.anchor?.resolve(in: dataSource, by: index)
        let isAnchored = pending.anchor == nil || (top != nil && top?.step != .neighbor)
        if let top, isAnchored {
            listAnchor = ListAnchor(indexPath: top.indexPath, offset: pending.offset)
        } else if let other = pending.firstOther(in: dataSource, by: index) {
            listAnchor = other
        } else if let top {
            // Show a neighbor from its top, because the saved offset belongs to the element itself.
            listAnchor = ListAnchor(indexPath: top.indexPath)
        } else if let place = pending.fraction.flatMap({ indexPath(at: $0, in: dataSource) }) {
            listAnchor = ListAnchor(indexPath: place)
            isAtFraction = true
        }
        return (isAnchored && !selection.contains { $0 == nil || $0?.step == .neighbor }, isAtFraction)
    }

    /// Returns how far down the list an element is, from 0 to 1. `nil` if the data source's counts do not include it.
    func fraction(at indexPath: ElementIndexPath, in dataSource: any DataSourceModelAssociation) -> Double? {
        let counts = dataSource.elementCounts(in: self)
        guard counts.indices.contains(indexPath.section), (0..<counts[indexPath.section]).contains(indexPath.item)
        else { return nil }
        let before = counts[..<indexPath.section].reduce(0, +) + indexPath.item
        return Double(before) / Double(counts.reduce(0, +))
    }

    /// Returns the index path of the row at a fraction of the list. `nil` if the list is empty.
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
    /// list has no `listDataSource`, or if no top element was saved.
    func showsRows(of list: PendingList) -> Bool {
        guard let dataSource = listDataSource, let anchor = list.anchor else { return true }
        let saved = [PendingList.Visible(anchor, offset: list.offset)] + list.others
        let visible = listVisible.compactMap { row in
            dataSource.modelIdentifierForElement(at: row.indexPath, in: self).map { (name: $0, offset: row.offset) }
        }
        guard visible.count == saved.count else { return false }
        let index = ListIndex(dataSource, in: self)
        return zip(visible, saved).allSatisfy { row, saved in
            // A difference of less than half a point is not visible.
            guard abs(row.offset - saved.offset) < 0.5,
                let found = saved.reference.resolve(in: dataSource, by: index), found.step != .neighbor
            else { return false }
            return ByteText(row.name) == ByteText(found.identifier)
        }
    }

    /// Asks the data source to load the pending elements, and searches for them again.
    public func revealPendingList() async {
        guard let dataSource = listDataSource, let pending = pendingList else { return }
        for reference in pending.selection + [pending.anchor].compactMap({ $0 }) {
            _ = await reference.reveal(in: dataSource, view: self)
            // A person may have scrolled meanwhile, and keeps that scroll position.
            guard pendingList == pending else { return }
        }
        applyPendingList()
    }
}

extension PendingList {
    /// Returns the index path and saved offset of the first element of `others` that is found.
    @MainActor
    fileprivate func firstOther(in dataSource: any DataSourceModelAssociation, by index: ListIndex) -> ListAnchor? {
        for other in others {
            if let found = other.reference.resolve(in: dataSource, by: index), found.step != .neighbor {
                return ListAnchor(indexPath: found.indexPath, offset: other.offset)
            }
        }
        return nil
    }
}
