public import KeyedArchive

/// A view that shows a list: adopt it, and what is selected and what is at the top come back (seed rows 39 to 44).
@MainActor
public protocol ListContaining: RestorableView {
    /// What knows the elements' identifiers. Nil for a list that never changes, whose places are saved as they are
    /// (row 43).
    var listDataSource: (any DataSourceModelAssociation)? { get }
    /// What is selected, in the list's order.
    var listSelection: [ElementIndexPath] { get set }
    /// The element at the top, and how much of it is hidden, in points; nil when nothing is shown.
    var listAnchor: ListAnchor? { get set }
    /// What is not found yet, and is looked for again when data arrives.
    var pendingList: PendingList? { get set }
}

/// The element at the top of a list.
public struct ListAnchor: Sendable, Hashable {
    /// Where it stands.
    public var indexPath: ElementIndexPath
    /// How much of it is hidden above, in points: with this it comes back at the same visual position (row 42).
    public var offset: Double

    /// Names the element at the top of a list.
    public init(indexPath: ElementIndexPath, offset: Double = 0) {
        self.indexPath = indexPath
        self.offset = offset
    }
}

extension ListContaining {
    /// Saves the selection and the element at the top.
    public func encodeList(with coder: StateEncoder) {
        func value(_ place: ElementIndexPath, _ role: ModelReference.Role) -> StateValue? {
            guard let listDataSource else {
                return .array([.integer(Int64(place.section)), .integer(Int64(place.item))])
            }
            return ModelReference(elementAt: place, of: listDataSource, in: self, role: role)
                .map { .reference(coder.index(of: $0)) }
        }
        let selection = listSelection.compactMap { value($0, .selected) }
        if !selection.isEmpty { coder.encode(.array(selection), forKey: ListKey.selection) }
        if let anchor = listAnchor, let top = value(anchor.indexPath, .firstVisible) {
            coder.encode(top, forKey: ListKey.firstVisible)
            coder.encode(anchor.offset, forKey: ListKey.firstVisibleOffset)
        }
    }

    /// Selects and scrolls to what was saved, as far as it is there. The rest is pending until its data arrives.
    public func decodeList(with coder: StateDecoder) {
        guard listDataSource != nil else { return decodeStaticList(with: coder) }
        let pending = PendingList(
            selection: coder.decodeReferences(forKey: ListKey.selection),
            anchor: coder.decodeReferences(forKey: ListKey.firstVisible).first,
            offset: coder.decodeDouble(forKey: ListKey.firstVisibleOffset))
        pendingList = pending
        applyPendingList()
    }

    private func decodeStaticList(with coder: StateDecoder) {
        func place(_ value: StateValue?) -> ElementIndexPath? {
            guard case .array(let numbers)? = value, numbers.count == 2, case .integer(let section) = numbers[0],
                case .integer(let item) = numbers[1], let section = Int(exactly: section), let item = Int(exactly: item)
            else { return nil }
            return ElementIndexPath(section: section, item: item)
        }
        if case .array(let selection)? = coder.value(forKey: ListKey.selection) {
            listSelection = selection.compactMap(place)
        }
        if let top = place(coder.value(forKey: ListKey.firstVisible)) {
            listAnchor = ListAnchor(indexPath: top, offset: coder.decodeDouble(forKey: ListKey.firstVisibleOffset))
        }
    }

    /// Looks again for what was not found: to be called when the list's data changed. Once a person scrolls or selects,
    /// the app sets `pendingList` to nil, and what they did stays.
    public func applyPendingList() {
        guard let dataSource = listDataSource, let pending = pendingList else { return }
        let selection = pending.selection.map { $0.resolve(in: dataSource, view: self) }
        let found = selection.compactMap { $0?.indexPath }
        if !found.isEmpty { listSelection = found }
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
            guard let identifier = reference.element.identifier else { continue }
            _ = await dataSource.reveal(elementWithModelIdentifier: identifier)
            // Meanwhile a person may have scrolled.
            guard pendingList == pending else { return }
        }
        applyPendingList()
    }
}

/// What a list was to show and could not find.
public struct PendingList: Sendable, Hashable {
    /// What was selected.
    public var selection: [ModelReference]
    /// What was at the top.
    public var anchor: ModelReference?
    /// How much of it was hidden, in points.
    public var offset: Double
}

enum ListKey {
    static let selection = "kListSelectedElementsKey"
    static let firstVisible = "kListFirstVisibleElementKey"
    static let firstVisibleOffset = "kListFirstVisibleOffsetKey"
}
