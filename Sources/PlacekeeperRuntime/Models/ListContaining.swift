public import PlacekeeperArchive

/// A view that shows a list. The runtime restores its selection and its visible elements (seed rows 39 to 44).
@MainActor
public protocol ListContaining: RestorableView {
    /// The data source that provides the elements' identifiers. `nil` for a list that never changes, which saves index
    /// paths instead (seed row 43).
    var listDataSource: (any DataSourceModelAssociation)? { get }
    /// The index paths of the selected elements, in list order. A list without `listDataSource` must check restored
    /// index paths, because they may be beyond its end.
    var listSelection: [ElementIndexPath] { get set }
    /// The top element's index path, and how much of that element is hidden, in points. `nil` if no element is shown. A
    /// list without `listDataSource` must check a restored index path, because it may be beyond the end of the list.
    var listAnchor: ListAnchor? { get set }
    /// All visible elements, from the top. By default, only the top element.
    var listVisible: [ListAnchor] { get }
    /// How the list is scrolled sideways, zoomed and inset. `nil`, the default, for a list that is none of these.
    var listViewport: ListViewport? { get set }
    /// The saved selection and scroll position, as long as the saved top element or a saved selected element is not
    /// found, or the list has no data source yet. `applyPendingList()` searches for the elements again.
    var pendingList: PendingList? { get set }
    /// Whether the list scrolls to the same fraction of its length if neither a saved row nor a neighbor is found.
    ///
    /// Return true for the content of one item, such as the paragraphs of a book, where the middle is still the middle.
    /// False by default: in a list of items, another item would be the wrong place.
    var listFallsBackToFraction: Bool { get }
}

/// A visible element of a list, such as the top one.
public struct ListAnchor: Sendable, Equatable {
    /// The element's index path.
    public var indexPath: ElementIndexPath
    /// How much of the element is hidden above the top of the list, in points. Needed to restore the exact scroll
    /// position (seed row 42). Negative if the element begins below the top.
    public var offset: Double

    /// Creates an anchor.
    public init(indexPath: ElementIndexPath, offset: Double = 0) {
        self.indexPath = indexPath
        self.offset = offset
    }
}

/// How a list is scrolled sideways, zoomed and inset (seed row 89). The list's anchor is its position from the top.
public struct ListViewport: Sendable, Equatable {
    /// The distance from the left edge of the content, in points.
    public var x: Double
    /// The scale of the content. At scale 1, the content has its original size.
    public var zoomScale: Double
    /// The space around the content, in points: top, left, bottom and right.
    public var insets: SIMD4<Double>

    /// Creates a viewport.
    public init(x: Double = 0, zoomScale: Double = 1, insets: SIMD4<Double> = .zero) {
        self.x = x
        self.zoomScale = zoomScale
        self.insets = insets
    }
}

extension ListContaining {
    /// Nil: the list is neither scrolled sideways nor zoomed nor inset.
    public var listViewport: ListViewport? {
        get { nil }
        set {}
    }

    /// False: a list of items never shows another item instead.
    public var listFallsBackToFraction: Bool { false }

    /// The top element. Empty if no element is shown.
    public var listVisible: [ListAnchor] { [listAnchor].compactMap { $0 } }

    /// Saves the selection and the visible elements. References to pending elements are saved again, so they are not
    /// lost if the app ends before the elements arrive.
    public func encodeList(with coder: StateEncoder) {
        if let viewport = listViewport {
            let insets = (0..<4).map { viewport.insets[$0] }
            coder.encode([viewport.x, viewport.zoomScale] + insets, forKey: ListKey.viewport)
        }
        let index = listDataSource.map { ListIndex($0, in: self) }
        let pending = pendingList?.selection ?? []
        let selection =
            placesToSave(pending, index).compactMap { value(for: $0, .selected, index, coder) }
            + awaited(pending, index).map { .reference(coder.index(of: $0)) }
        if !selection.isEmpty { coder.encode(.array(selection), forKey: ListKey.selection) }
        if let pending = pendingList, let top = awaitedAnchor(index) {
            coder.encode(.reference(coder.index(of: top)), forKey: ListKey.firstVisible)
            coder.encode(pending.offset, forKey: ListKey.firstVisibleOffset)
            if let fraction = pending.fraction { coder.encode(fraction, forKey: ListKey.firstVisibleFraction) }
            encode(
                pending.others.compactMap { other in
                    other.reference.savedAgain.map { PendingList.Visible($0, offset: other.offset) }
                }, coder)
        } else if let anchor = listAnchor, let top = value(for: anchor.indexPath, .firstVisible, index, coder) {
            coder.encode(top, forKey: ListKey.firstVisible)
            coder.encode(anchor.offset, forKey: ListKey.firstVisibleOffset)
            if listFallsBackToFraction, let listDataSource,
                let fraction = fraction(at: anchor.indexPath, in: listDataSource)
            {
                coder.encode(fraction, forKey: ListKey.firstVisibleFraction)
            }
            encode(othersToSave(index), coder)
        }
    }

    /// The visible elements below the top one, without their neighbors.
    private func othersToSave(_ index: ListIndex?) -> [PendingList.Visible] {
        guard let listDataSource, let index else { return [] }
        return listVisible.dropFirst().compactMap { place in
            guard let name = listDataSource.modelIdentifierForElement(at: place.indexPath, in: self) else { return nil }
            return PendingList.Visible(
                ModelReference(dataSource: listDataSource.dataSourceName, element: index.savedElement(name)),
                offset: place.offset)
        }
    }

    private func encode(_ others: [PendingList.Visible], _ coder: StateEncoder) {
        guard !others.isEmpty else { return }
        coder.encode(.array(others.map { .reference(coder.index(of: $0.reference)) }), forKey: ListKey.visible)
        coder.encode(others.map(\.offset), forKey: ListKey.visibleOffsets)
    }

    /// A reference to the first visible element, for a step of the place. If the saved top element has not arrived yet,
    /// its saved reference. `nil` for an empty list, or a list without model identifiers.
    public var firstVisibleReference: ModelReference? {
        let index = listDataSource.map { ListIndex($0, in: self) }
        if let awaited = awaitedAnchor(index) { return awaited }
        guard let listDataSource, let listAnchor, let index else { return nil }
        return ModelReference(elementAt: listAnchor.indexPath, of: listDataSource, by: index, role: .firstVisible)
    }

    /// The saved reference to the top element, if the element has not arrived.
    private func awaitedAnchor(_ index: ListIndex?) -> ModelReference? {
        awaited([pendingList?.anchor].compactMap { $0 }, index).first
    }

    /// Returns the selected index paths, except those of neighbors that stand in for pending elements.
    private func placesToSave(_ pending: [ModelReference], _ index: ListIndex?) -> [ElementIndexPath] {
        guard let listDataSource, let index, !pending.isEmpty else { return listSelection }
        let found = pending.compactMap { $0.resolve(in: listDataSource, by: index) }
        let themselves = Set(found.filter { $0.step != .neighbor }.map(\.indexPath))
        let others = Set(listSelection).subtracting(found.map(\.indexPath))
        return themselves.union(others).sorted()
    }

    private func value(
        for place: ElementIndexPath, _ role: ModelReference.Role, _ index: ListIndex?, _ coder: StateEncoder
    ) -> StateValue? {
        guard let listDataSource, let index else {
            return .array([.integer(Int64(place.section)), .integer(Int64(place.item))])
        }
        return ModelReference(elementAt: place, of: listDataSource, by: index, role: role)
            .map { .reference(coder.index(of: $0)) }
    }

    /// Returns those of the given references whose elements have not arrived, in the form in which they are saved again
    /// (see `savedAgain`). Without a data source, none has arrived.
    private func awaited(_ references: [ModelReference], _ index: ListIndex?) -> [ModelReference] {
        guard let listDataSource, let index else { return references.compactMap(\.savedAgain) }
        return references.compactMap { reference in
            let found = reference.resolve(in: listDataSource, by: index)
            guard found == nil || found?.step == .neighbor else { return nil }
            return reference.savedAgain
        }
    }

    /// Restores the saved selection and scroll position, as far as the elements are loaded. The others are pending
    /// until their data arrives.
    ///
    /// A list that gets its data source later, for example in `applicationFinishedRestoringState()`, keeps elements with
    /// model identifiers pending until then (seed row 87). It must call `applyPendingList()` when it gets the data source.
    ///
    /// For a list that never has a `listDataSource`, the archive contains index paths. Their numbers are not negative,
    /// but may be far beyond the end of the list, so a custom list must check the values that it gets in
    /// `listSelection` and `listAnchor`.
    public func decodeList(with coder: StateDecoder) {
        decodeViewport(with: coder)
        let hasReferences = [ListKey.selection, ListKey.firstVisible].contains {
            !coder.referenceIndices(forKey: $0).isEmpty
        }
        guard listDataSource != nil || hasReferences else { return decodeStaticList(with: coder) }
        // An archive from another program may refer to the same element many times. `Set` removes the duplicates.
        let selection = Set(coder.referenceIndices(forKey: ListKey.selection)).sorted()
        let saved = PendingList(
            selection: selection.map { coder.context.archive.references[$0] },
            anchor: coder.decodeReferences(forKey: ListKey.firstVisible).first,
            offset: offset(in: coder), others: others(in: coder), fraction: fraction(in: coder))
        show(saved)
        if listDataSource == nil { coder.context.report(.awaitsDataSource(path: coder.path)) }
        if let fraction = saved.fraction, pendingList?.isAtFraction == true {
            coder.context.report(.approximated(path: coder.path, fraction: fraction))
        }
        coder.context.restoredLists.append((coder.path, { [weak self] in self?.showsRows(of: saved) ?? false }))
    }

    /// An archive from another program may contain other numbers than those of a viewport, which are ignored.
    private func decodeViewport(with coder: StateDecoder) {
        guard let numbers = coder.decode([Double].self, forKey: ListKey.viewport), numbers.count == 6,
            numbers.allSatisfy(ScrollPosition.isPosition), ScrollPosition.isScale(numbers[1])
        else { return }
        listViewport = ListViewport(
            x: numbers[0], zoomScale: numbers[1], insets: SIMD4(numbers[2], numbers[3], numbers[4], numbers[5]))
    }

    /// Returns the saved visible elements below the top one, without duplicates.
    private func others(in coder: StateDecoder) -> [PendingList.Visible] {
        let offsets = coder.decode([Double].self, forKey: ListKey.visibleOffsets) ?? []
        var seen: Set<Int> = []
        return zip(coder.referenceIndices(forKey: ListKey.visible), offsets).compactMap { index, offset in
            guard ScrollPosition.isPosition(offset), seen.insert(index).inserted else { return nil }
            return PendingList.Visible(coder.context.archive.references[index], offset: offset)
        }
    }

    /// Returns the saved offset of the top element. It is negative if the element begins below the top, for example below
    /// a header. An archive from another program may contain a number that is no position, which counts as 0.
    private func offset(in coder: StateDecoder) -> Double {
        let offset = coder.decodeDouble(forKey: ListKey.firstVisibleOffset)
        return ScrollPosition.isPosition(offset) ? offset : 0
    }

    /// Returns the saved fraction of the list. `nil` if it is outside 0 to 1, which an archive from another program may
    /// contain.
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
