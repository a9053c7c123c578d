public import KeyedArchive

/// What a list was to show, as far as it was not found yet.
public struct PendingList: Sendable, Hashable {
    /// What was selected.
    public var selection: [ModelReference]
    /// What was at the top.
    public var anchor: ModelReference?
    /// How much of it was hidden, in points.
    public var offset: Double

    /// Says what a list is to show.
    public init(selection: [ModelReference] = [], anchor: ModelReference? = nil, offset: Double = 0) {
        self.selection = selection
        self.anchor = anchor
        self.offset = offset
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
        let selection = pending.selection.map { $0.resolve(in: dataSource, view: self) }
        let found = Set(selection.compactMap { $0?.indexPath })
        if !found.isEmpty { listSelection = found.sorted() }
        let top = pending.anchor?.resolve(in: dataSource, view: self)
        if let top {
            // What stands in for another is shown from its top.
            let offset = top.step == .neighbour ? 0 : pending.offset
            listAnchor = ListAnchor(indexPath: top.indexPath, offset: offset)
        }
        let isComplete = !selection.contains { $0 == nil || $0?.step == .neighbour }
        let isAnchored = pending.anchor == nil || (top != nil && top?.step != .neighbour)
        if isComplete && isAnchored { pendingList = nil }
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
