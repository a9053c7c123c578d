public import PlacekeeperArchive

/// The element that a reference resolved to, and how it was found.
public struct ElementResolution: Sendable, Equatable {
    /// The element's current index path.
    public var indexPath: ElementIndexPath
    /// The element's model identifier on this device. Compared by its UTF-8 bytes.
    public var identifier: String {
        get { name.text }
        set { name = ByteText(newValue) }
    }
    private var name: ByteText
    /// How the element was found.
    public var step: Step
    /// Whether the result is a neighbor that stands in only until the element arrives. True if the step is `neighbor`
    /// and the service reported the element as pending.
    public var isProvisional: Bool

    /// Creates a resolution.
    public init(indexPath: ElementIndexPath, identifier: String, step: Step, isProvisional: Bool = false) {
        (self.indexPath, name, self.step) = (indexPath, ByteText(identifier), step)
        self.isProvisional = isProvisional
    }

    /// How an element was found, from the strongest evidence to the weakest.
    public enum Step: Sendable, Hashable {
        /// By the element's identifier.
        case identifier
        /// By one of the element's aliases.
        case alias
        /// The element was removed or has not arrived yet, and the result is its nearest neighbor.
        case neighbor
        /// By the element's index path, in a list that never changes.
        case indexPath
    }
}

/// The element that a reference resolved to in a list without index paths, and how it was found.
public struct IdentifiedElement: Sendable, Hashable {
    /// The element's model identifier on this device. Compared by its UTF-8 bytes.
    public var identifier: String {
        get { name.text }
        set { name = ByteText(newValue) }
    }
    private var name: ByteText
    /// How the element was found.
    public var step: ElementResolution.Step
    /// Whether the result is a neighbor that stands in only until the element arrives (see
    /// `ElementResolution.isProvisional`).
    public var isProvisional: Bool

    /// Creates a found element.
    public init(identifier: String, step: ElementResolution.Step, isProvisional: Bool = false) {
        (name, self.step, self.isProvisional) = (ByteText(identifier), step, isProvisional)
    }
}

extension ModelReference {
    /// Finds the element, or a neighbor that stands in for it. `nil` if neither is found; do not select or show the
    /// first row instead (seed row 40).
    ///
    /// Follows the rules of `find(in:)`. In addition, an element of a list that never changes is found by its index
    /// path. If an alias is looked up, the list's elements are read; for many references,
    /// `decodeElements(of:in:forKey:)` reads them once.
    @MainActor
    public func resolve(
        in dataSource: any DataSourceModelAssociation, view: (any ElementView)? = nil
    ) -> ElementResolution? {
        resolve(in: dataSource, by: ListIndex(dataSource, in: view))
    }

    /// - Parameter index: the index of `dataSource`, which several references share.
    @MainActor
    package func resolve(in dataSource: any DataSourceModelAssociation, by index: ListIndex) -> ElementResolution? {
        func located(_ found: IdentifiedElement?) -> ElementResolution? {
            guard let found,
                let indexPath = dataSource.indexPathForElement(withModelIdentifier: found.identifier, in: index.view)
            else { return nil }
            return ElementResolution(
                indexPath: indexPath, identifier: found.identifier, step: found.step,
                isProvisional: found.isProvisional)
        }
        let search = search(by: index)
        if let found = located(settle(search.find(itself), search)) { return found }
        if let place = staticIndexPath,
            let name = dataSource.modelIdentifierForElement(at: place, in: index.view)
        {
            return ElementResolution(indexPath: place, identifier: name, step: .indexPath)
        }
        return located(neighbor(in: dataSource, search))
    }

    /// Finds the element, or a neighbor that stands in for it. `nil` if neither is found; search again when data has
    /// arrived.
    ///
    /// If an element with the role `firstVisible` is not found, its nearest saved neighbor that is found stands in. At
    /// equal distance, the neighbor after the element takes precedence. The last candidate is the neighbor that the
    /// service chose. If the service reported the element as pending, the neighbor is provisional; search again when
    /// data has arrived.
    ///
    /// For a selected element, a neighbor stands in only if the service chose one, or if the list's `selectsNeighbors`
    /// is true and the service's step is neither `pending` nor `unresolved`. For any other role, a neighbor never
    /// stands in.
    @MainActor
    public func find(in list: any ModelAssociation) -> IdentifiedElement? { find(by: ListIndex(list, in: nil)) }

    /// - Parameter index: an index of the list, which several references share.
    @MainActor
    package func find(by index: ListIndex) -> IdentifiedElement? {
        if let dataSource = index.list as? any DataSourceModelAssociation {
            return resolve(in: dataSource, by: index).map {
                IdentifiedElement(identifier: $0.identifier, step: $0.step, isProvisional: $0.isProvisional)
            }
        }
        let search = search(by: index)
        return settle(search.find(itself), search) ?? neighbor(in: index.list, search)
    }

    @MainActor
    private func search(by index: ListIndex) -> ElementSearch {
        ElementSearch(index: index, trustsIdentifiers: resolution != nil, ambiguousAliases: ambiguousAliases)
    }

    @MainActor
    private func settle(_ found: IdentifiedElement?, _ search: ElementSearch) -> IdentifiedElement? {
        ElementAlignment(reference: self, index: search.index, ambiguousAliases: search.ambiguousAliases).settle(found)
    }

    /// Finds a neighbor to stand in for the element. At equal distance, the neighbor after the element takes
    /// precedence.
    @MainActor
    private func neighbor(in list: any ModelAssociation, _ search: ElementSearch) -> IdentifiedElement? {
        guard takesNeighbors(in: list),
            var found = nearestNeighbor(search) ?? chosenNeighbor.flatMap({ search.find($0, .neighbor) })
        else { return nil }
        found.step = .neighbor
        found.isProvisional = resolution?.step == .pending
        return found
    }

    /// Finds the nearest of the neighbors that were saved with the element.
    @MainActor
    private func nearestNeighbor(_ search: ElementSearch) -> IdentifiedElement? {
        for distance in 0..<max(before.count, after.count) {
            for side in [after, before] where distance < side.count {
                if let found = search.find(side[distance]) { return found }
            }
        }
        return nil
    }

    /// The element itself. If the service chose a neighbor, `element.identifier` is the neighbor's, so it is left out.
    var itself: Element {
        var element = element
        if standIn != nil { element.identifier = nil }
        return element
    }

    /// Aliases that several elements of this reference (the element and its saved neighbors) have in common. They do
    /// not identify any of them.
    private var ambiguousAliases: Set<String> {
        let elements = [itself] + before + after
        var owners: [String: Int] = [:]
        owners.reserveCapacity(elements.count)
        var ambiguousAliases: Set<String> = []
        for (index, element) in elements.enumerated() {
            for alias in element.aliases {
                // A list may contain an element twice.
                if let owner = owners[alias], elements[owner] != element { ambiguousAliases.insert(alias) }
                owners[alias] = owners[alias] ?? index
            }
        }
        return ambiguousAliases
    }

    /// The neighbor's identifier, if the service chose a neighbor because the element is gone.
    private var standIn: String? { resolution?.step == .neighbor ? element.identifier : nil }

    /// The neighbor's identifier, if the service chose a neighbor for a first visible element that is pending.
    var provisionalNeighbor: String? {
        role == .firstVisible && resolution?.step == .pending ? resolution?.neighbor : nil
    }

    /// The identifier of the neighbor that the service chose, if any.
    var chosenNeighbor: String? { standIn ?? provisionalNeighbor }

    /// The saved index path of a reference without identifier and aliases, which belongs to a list that never changes.
    private var staticIndexPath: ElementIndexPath? {
        guard element.isNameless, let indexPath, indexPath.count == 2, indexPath.allSatisfy({ $0 >= 0 })
        else { return nil }
        return ElementIndexPath(section: indexPath[0], item: indexPath[1])
    }

    @MainActor
    private func takesNeighbors(in list: any ModelAssociation) -> Bool {
        guard role == .selected else { return role == .firstVisible }
        return switch resolution?.step {
        case .neighbor?: true
        case .pending?, .unresolved?: false
        default: list.selectsNeighbors
        }
    }
}
