public import KeyedArchive

/// What a list was to show, as far as it was not found yet.
public struct PendingList: Sendable, Hashable {
    /// What was selected.
    public var selection: [ModelReference]
    /// What was at the top.
    public var anchor: ModelReference?
    /// How much of it was hidden, in points.
    public var offset: Double
    /// The other elements that were visible, from the top: while the first one is not there, these keep their visual
    /// positions (seed row 72).
    public var others: [Visible]

    /// An element that was visible.
    public struct Visible: Sendable, Hashable {
        /// The element.
        public var reference: ModelReference
        /// How much of it was hidden above the top of the list, in points: below zero for an element below the top.
        public var offset: Double

        /// Makes a visible element.
        public init(_ reference: ModelReference, offset: Double) {
            self.reference = reference
            self.offset = offset
        }
    }

    /// Says what a list is to show.
    public init(
        selection: [ModelReference] = [], anchor: ModelReference? = nil, offset: Double = 0, others: [Visible] = []
    ) {
        self.selection = selection
        self.anchor = anchor
        self.offset = offset
        self.others = others
    }
}

extension ListContaining {
    /// Selects and scrolls to what was saved, as far as it is there. The rest is pending until its data arrives; meanwhile
    /// nothing is selected in its place, such as the first row.
    public func show(_ list: PendingList) {
        if !list.selection.isEmpty { listSelection = [] }
        pendingList = list
        applyPendingList()
    }

    /// Looks again for what was not found: to be called when the list's data changed. Once a person scrolls or selects,
    /// the app sets `pendingList` to nil, and what they did stays.
    public func applyPendingList() {
        guard let dataSource = listDataSource, let pending = pendingList else { return }
        for _ in 1...2 {
            // A data source may load elements while it is asked, and call this method again (row 70). The inner call finds an
            // empty list and sets it to nil. Then this call looks once more, since elements may have arrived or moved.
            pendingList = PendingList()
            let isComplete = apply(pending, in: dataSource)
            let hasLookedMeanwhile = pendingList == nil
            pendingList = isComplete ? nil : pending
            if !hasLookedMeanwhile { return }
        }
    }

    /// Selects the elements that are there, and scrolls to the first visible one.
    /// - Returns: whether that is all.
    private func apply(_ pending: PendingList, in dataSource: any DataSourceModelAssociation) -> Bool {
        let selection = pending.selection.map { $0.resolve(in: dataSource, view: self) }
        let found = Set(selection.compactMap { $0?.indexPath })
        if !found.isEmpty { listSelection = found.sorted() }
        let top = pending.anchor?.resolve(in: dataSource, view: self)
        let isAnchored = pending.anchor == nil || (top != nil && top?.step != .neighbour)
        if let top, isAnchored {
            listAnchor = ListAnchor(indexPath: top.indexPath, offset: pending.offset)
        } else if let other = pending.firstOther(in: dataSource, view: self) {
            listAnchor = other
        } else if let top {
            // What stands in for another is shown from its top.
            listAnchor = ListAnchor(indexPath: top.indexPath)
        }
        return isAnchored && !selection.contains { $0 == nil || $0?.step == .neighbour }
    }

    /// Whether the rows that a person sees are the ones that were visible when a list was saved, where they were.
    func showsRows(of list: PendingList) -> Bool {
        guard let dataSource = listDataSource, let anchor = list.anchor else { return true }
        let saved = [PendingList.Visible(anchor, offset: list.offset)] + list.others
        let visible = listVisible.compactMap { row in
            dataSource.modelIdentifierForElement(at: row.indexPath, in: self).map { (name: $0, offset: row.offset) }
        }
        guard visible.count == saved.count else { return false }
        return zip(visible, saved).allSatisfy { row, saved in
            // Less than half a point cannot be seen.
            guard abs(row.offset - saved.offset) < 0.5,
                let found = saved.reference.resolve(in: dataSource, view: self), found.step != .neighbour
            else { return false }
            return row.name == found.identifier
        }
    }

    /// Asks the data source to load what is pending, and looks again.
    public func revealPendingList() async {
        guard let dataSource = listDataSource, let pending = pendingList else { return }
        for reference in pending.selection + [pending.anchor].compactMap({ $0 }) {
            _ = await reference.reveal(in: dataSource, view: self)
            // Meanwhile a person may have scrolled.
            guard pendingList == pending else { return }
        }
        applyPendingList()
    }
}

extension PendingList {
    /// The first of the other visible elements that is there.
    @MainActor
    fileprivate func firstOther(in dataSource: any DataSourceModelAssociation, view: any RestorableView) -> ListAnchor?
    {
        for other in others {
            if let found = other.reference.resolve(in: dataSource, view: view), found.step != .neighbour {
                return ListAnchor(indexPath: found.indexPath, offset: other.offset)
            }
        }
        return nil
    }
}
