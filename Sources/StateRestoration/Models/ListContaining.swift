import KeyedArchive

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
    /// Saves the selection and the element at the top. What is pending is saved as it was, so that it is not lost when the
    /// app ends before its data has arrived.
    public func encodeList(with coder: StateEncoder) {
        let pending = pendingList?.selection ?? []
        let selection = placesToSave(pending).compactMap { value(for: $0, .selected, coder) } + awaited(pending, coder)
        if !selection.isEmpty { coder.encode(.array(selection), forKey: ListKey.selection) }
        if let top = awaited([pendingList?.anchor].compactMap { $0 }, coder).first {
            coder.encode(top, forKey: ListKey.firstVisible)
            coder.encode(pendingList?.offset ?? 0, forKey: ListKey.firstVisibleOffset)
        } else if let anchor = listAnchor, let top = value(for: anchor.indexPath, .firstVisible, coder) {
            coder.encode(top, forKey: ListKey.firstVisible)
            coder.encode(anchor.offset, forKey: ListKey.firstVisibleOffset)
        }
    }

    /// What is selected, without what only stands in for what is pending.
    private func placesToSave(_ pending: [ModelReference]) -> [ElementIndexPath] {
        guard let listDataSource, !pending.isEmpty else { return listSelection }
        let found = pending.compactMap { $0.resolve(in: listDataSource, view: self) }
        let themselves = Set(found.filter { $0.step != .neighbour }.map(\.indexPath))
        let others = Set(listSelection).subtracting(found.map(\.indexPath))
        return themselves.union(others).sorted()
    }

    private func value(
        for place: ElementIndexPath, _ role: ModelReference.Role, _ coder: StateEncoder
    ) -> StateValue? {
        guard let listDataSource else {
            return .array([.integer(Int64(place.section)), .integer(Int64(place.item))])
        }
        return ModelReference(elementAt: place, of: listDataSource, in: self, role: role)
            .map { .reference(coder.index(of: $0)) }
    }

    /// References whose elements are not there themselves.
    private func awaited(_ references: [ModelReference], _ coder: StateEncoder) -> [StateValue] {
        guard let listDataSource else { return [] }
        return references.compactMap { reference in
            let found = reference.resolve(in: listDataSource, view: self)
            guard found == nil || found?.step == .neighbour else { return nil }
            return reference.savedAgain.map { .reference(coder.index(of: $0)) }
        }
    }

    /// Selects and scrolls to what was saved, as far as it is there. The rest is pending until its data arrives.
    public func decodeList(with coder: StateDecoder) {
        guard listDataSource != nil else { return decodeStaticList(with: coder) }
        // An archive from elsewhere may name an element many times over; to look for it once is enough.
        let selection = Set(coder.referenceIndices(forKey: ListKey.selection)).sorted()
        show(
            PendingList(
                selection: selection.map { coder.context.archive.references[$0] },
                anchor: coder.decodeReferences(forKey: ListKey.firstVisible).first,
                offset: offset(in: coder)))
    }

    /// How much of the first visible element is hidden. Archives may come from anywhere, and hold what is no number.
    private func offset(in coder: StateDecoder) -> Double {
        let offset = coder.decodeDouble(forKey: ListKey.firstVisibleOffset)
        return offset.isFinite ? offset : 0
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
            listAnchor = ListAnchor(indexPath: top, offset: offset(in: coder))
        }
    }
}

enum ListKey {
    static let selection = "kListSelectedElementsKey"
    static let firstVisible = "kListFirstVisibleElementKey"
    static let firstVisibleOffset = "kListFirstVisibleOffsetKey"
}
