public import PlacekeeperArchive

/// A view that shows a list. The selection and the visible elements of the list are restored (seed rows 39 to 44).
@MainActor
public protocol ListContaining: RestorableView {
    /// The data source that provides the elements' identifiers. Nil for a list that never changes: such a list saves
    /// index paths (seed row 43).
    var listDataSource: (any DataSourceModelAssociation)? { get }
    /// The index paths of the selected elements, in the list's order. If the list has no `listDataSource`, the list
    /// must check the restored index paths, because they may be beyond the end of the list.
    var listSelection: [ElementIndexPath] { get set }
    /// The index path of the element at the top, and the height of the hidden part of this element, in points. Nil if
    /// no element is shown. If the list has no `listDataSource`, the list must check the restored index path, because
    /// it may be beyond the end of the list.
    var listAnchor: ListAnchor? { get set }
    /// All visible elements, from the top. By default, this array contains only the element at the top.
    var listVisible: [ListAnchor] { get }
    /// The saved selection and scroll position, while the saved element at the top, or a saved selected element, is not
    /// found. `applyPendingList()` looks for these elements again.
    var pendingList: PendingList? { get set }
    /// Whether the list shows the row at the same fraction of its rows if no saved row and no neighbor is found. True for
    /// the content of one item, such as the paragraphs of a book, where the middle is still the middle. The default is
    /// false: in a list of items, another item would be a wrong place.
    var listFallsBackToFraction: Bool { get }
}

/// A visible element of a list, such as the element at the top.
public struct ListAnchor: Sendable, Hashable {
    /// The element's index path.
    public var indexPath: ElementIndexPath
    /// The height of the part of the element that is hidden above the top of the list, in points. The list needs this
    /// height to restore the visual position of the element (seed row 42). The height is negative if the element begins
    /// below the top of the list.
    public var offset: Double

    /// Creates an anchor.
    public init(indexPath: ElementIndexPath, offset: Double = 0) {
        self.indexPath = indexPath
        self.offset = offset
    }
}

extension ListContaining {
    /// False: a list of items shows no other item.
    public var listFallsBackToFraction: Bool { false }

    /// An array with the element at the top. Empty if no element is shown.
    public var listVisible: [ListAnchor] { [listAnchor].compactMap { $0 } }

    /// Saves the selection and the visible elements. The references to pending elements are saved again, so these
    /// elements are not lost if the app ends before the elements have arrived.
    public func encodeList(with coder: StateEncoder) {
        let pending = pendingList?.selection ?? []
        let selection =
            placesToSave(pending).compactMap { value(for: $0, .selected, coder) }
            + awaited(pending).map { .reference(coder.index(of: $0)) }
        if !selection.isEmpty { coder.encode(.array(selection), forKey: ListKey.selection) }
        if let pending = pendingList, let top = awaitedAnchor {
            coder.encode(.reference(coder.index(of: top)), forKey: ListKey.firstVisible)
            coder.encode(pending.offset, forKey: ListKey.firstVisibleOffset)
            if let fraction = pending.fraction { coder.encode(fraction, forKey: ListKey.firstVisibleFraction) }
            encode(
                pending.others.compactMap { other in
                    other.reference.savedAgain.map { PendingList.Visible($0, offset: other.offset) }
                }, coder)
        } else if let anchor = listAnchor, let top = value(for: anchor.indexPath, .firstVisible, coder) {
            coder.encode(top, forKey: ListKey.firstVisible)
            coder.encode(anchor.offset, forKey: ListKey.firstVisibleOffset)
            if listFallsBackToFraction, let listDataSource,
                let fraction = fraction(at: anchor.indexPath, in: listDataSource)
            {
                coder.encode(fraction, forKey: ListKey.firstVisibleFraction)
            }
            encode(othersToSave, coder)
        }
    }

    /// The visible elements below the element at the top. The neighbors of these elements are not saved.
    private var othersToSave: [PendingList.Visible] {
        guard let listDataSource else { return [] }
        return listVisible.dropFirst().compactMap { place in
            guard let name = listDataSource.modelIdentifierForElement(at: place.indexPath, in: self) else { return nil }
            let aliases = listDataSource.modelAliases(forElementWithModelIdentifier: name)
            let element = ModelReference.Element(name, aliases: aliases)
            return PendingList.Visible(
                ModelReference(dataSource: listDataSource.dataSourceName, element: element), offset: place.offset)
        }
    }

    private func encode(_ others: [PendingList.Visible], _ coder: StateEncoder) {
        guard !others.isEmpty else { return }
        coder.encode(.array(others.map { .reference(coder.index(of: $0.reference)) }), forKey: ListKey.visible)
        coder.encode(others.map(\.offset), forKey: ListKey.visibleOffsets)
    }

    /// A reference to the first visible element, for a step of the place. If the saved element at the top has not
    /// arrived yet, the result is the saved reference to this element. Nil for an empty list, and for a list without
    /// model identifiers.
    public var firstVisibleReference: ModelReference? {
        if let awaitedAnchor { return awaitedAnchor }
        guard let listDataSource, let listAnchor else { return nil }
        return ModelReference(elementAt: listAnchor.indexPath, of: listDataSource, in: self, role: .firstVisible)
    }

    /// The saved reference to the element at the top, if the element has not arrived.
    private var awaitedAnchor: ModelReference? { awaited([pendingList?.anchor].compactMap { $0 }).first }

    /// Returns the selected index paths, without the index paths of neighbors that replace pending elements.
    private func placesToSave(_ pending: [ModelReference]) -> [ElementIndexPath] {
        guard let listDataSource, !pending.isEmpty else { return listSelection }
        let found = pending.compactMap { $0.resolve(in: listDataSource, view: self) }
        let themselves = Set(found.filter { $0.step != .neighbor }.map(\.indexPath))
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

    /// Returns the given references whose elements have not arrived, in the form in which they are saved again (see
    /// `savedAgain`).
    private func awaited(_ references: [ModelReference]) -> [ModelReference] {
        guard let listDataSource else { return [] }
        return references.compactMap { reference in
            let found = reference.resolve(in: listDataSource, view: self)
            guard found == nil || found?.step == .neighbor else { return nil }
            return reference.savedAgain
        }
    }

    /// Restores the saved selection and scroll position, as far as the elements are loaded. An element that is not
    /// loaded is pending until its data arrives.
    ///
    /// For a list without `listDataSource`, the archive holds index paths. The numbers in these index paths are not
    /// negative, but an index path may be far beyond the end of the current list. A custom list must check the values
    /// to which `listSelection` and `listAnchor` are set.
    public func decodeList(with coder: StateDecoder) {
        guard listDataSource != nil else { return decodeStaticList(with: coder) }
        // An archive that another program wrote may refer to an element many times. `Set` removes the duplicates,
        // because one search for an element is enough.
        let selection = Set(coder.referenceIndices(forKey: ListKey.selection)).sorted()
        let saved = PendingList(
            selection: selection.map { coder.context.archive.references[$0] },
            anchor: coder.decodeReferences(forKey: ListKey.firstVisible).first,
            offset: offset(in: coder), others: others(in: coder), fraction: fraction(in: coder))
        show(saved)
        if let fraction = saved.fraction, pendingList?.isAtFraction == true {
            coder.context.report(.approximated(path: coder.path, fraction: fraction))
        }
        coder.context.restoredLists.append((coder.path, { [weak self] in self?.showsRows(of: saved) ?? false }))
    }

    /// Returns the saved visible elements below the element at the top, without duplicates.
    private func others(in coder: StateDecoder) -> [PendingList.Visible] {
        let offsets = coder.decode([Double].self, forKey: ListKey.visibleOffsets) ?? []
        var seen: Set<Int> = []
        return zip(coder.referenceIndices(forKey: ListKey.visible), offsets).compactMap { index, offset in
            guard offset.isFinite, seen.insert(index).inserted else { return nil }
            return PendingList.Visible(coder.context.archive.references[index], offset: offset)
        }
    }

    /// Returns the saved offset of the element at the top. Returns 0 if the saved value is negative or not finite: an
    /// archive that another program wrote may hold such values.
    private func offset(in coder: StateDecoder) -> Double {
        let offset = coder.decodeDouble(forKey: ListKey.firstVisibleOffset)
        return offset.isFinite ? max(0, offset) : 0
    }

    /// Returns the saved fraction of the list. Nil if the saved value is not from 0 to 1: an archive that another program
    /// wrote may hold such values.
    private func fraction(in coder: StateDecoder) -> Double? {
        guard listFallsBackToFraction else { return nil }
        return coder.decode(Double.self, forKey: ListKey.firstVisibleFraction)
            .flatMap { (0...1).contains($0) ? $0 : nil }
    }

    private func decodeStaticList(with coder: StateDecoder) {
        func place(_ value: StateValue?) -> ElementIndexPath? {
            guard case .array(let numbers)? = value, numbers.count == 2, case .integer(let section) = numbers[0],
                case .integer(let item) = numbers[1], let section = Int(exactly: section),
                let item = Int(exactly: item), section >= 0, item >= 0
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
    static let firstVisibleFraction = "kListFirstVisibleFractionKey"
    static let firstVisibleOffset = "kListFirstVisibleOffsetKey"
    static let visible = "kListVisibleElementsKey"
    static let visibleOffsets = "kListVisibleOffsetsKey"
}
