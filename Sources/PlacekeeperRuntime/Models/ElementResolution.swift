public import PlacekeeperArchive

/// The element that a reference was resolved to, and how it was found.
public struct ElementResolution: Sendable, Hashable {
    /// The element's current index path.
    public var indexPath: ElementIndexPath
    /// The element's model identifier on this device.
    public var identifier: String
    /// How the element was found.
    public var step: Step
    /// Whether the result is a neighbor that replaces the element only until the element arrives. True if the step is
    /// `neighbor`, and the service reported the element as pending.
    public var isProvisional: Bool

    /// Creates a resolution.
    public init(indexPath: ElementIndexPath, identifier: String, step: Step, isProvisional: Bool = false) {
        (self.indexPath, self.identifier, self.step) = (indexPath, identifier, step)
        self.isProvisional = isProvisional
    }

    /// The evidence by which an element was found. The cases are ordered from the strongest evidence to the weakest.
    public enum Step: Sendable, Hashable {
        /// The element's identifier.
        case identifier
        /// One of the element's aliases.
        case alias
        /// The nearest neighbor is the result, because the element itself was removed or has not arrived yet.
        case neighbor
        /// The element's index path, in a list that never changes.
        case indexPath
    }
}

/// The element that a reference was resolved to in a list without index paths, and how it was found.
public struct IdentifiedElement: Sendable, Hashable {
    /// The element's model identifier on this device.
    public var identifier: String
    /// How the element was found.
    public var step: ElementResolution.Step
    /// Whether the result is a neighbor that replaces the element only until the element arrives (see
    /// `ElementResolution.isProvisional`).
    public var isProvisional: Bool

    /// Creates a found element.
    public init(identifier: String, step: ElementResolution.Step, isProvisional: Bool = false) {
        (self.identifier, self.step, self.isProvisional) = (identifier, step, isProvisional)
    }
}

extension ModelReference {
    /// Finds the element, or a neighbor that replaces the element, in the list of the data source. Nil if neither is
    /// found: in this case, do not select or show the first row instead (seed row 40).
    ///
    /// The rules are those of `find(in:)`. In addition, a reference to an element of a list that never changes is
    /// resolved by its index path.
    @MainActor
    public func resolve(
        in dataSource: any DataSourceModelAssociation, view: (any RestorableView)? = nil
    ) -> ElementResolution? {
        func located(_ found: IdentifiedElement?) -> ElementResolution? {
            guard let found,
                let indexPath = dataSource.indexPathForElement(withModelIdentifier: found.identifier, in: view)
            else { return nil }
            return ElementResolution(
                indexPath: indexPath, identifier: found.identifier, step: found.step,
                isProvisional: found.isProvisional)
        }
        let search = search(in: dataSource, view)
        if let found = located(search.find(itself)) { return found }
        if let place = staticIndexPath, let name = dataSource.modelIdentifierForElement(at: place, in: view) {
            return ElementResolution(indexPath: place, identifier: name, step: .indexPath)
        }
        return located(neighbor(in: dataSource, search))
    }

    /// Finds the element, or a neighbor that replaces the element, in a list. Nil if neither is found. Look again when
    /// data has arrived.
    ///
    /// This method looks for the element itself first. If the element is not found and its role is `firstVisible`, the
    /// nearest neighbor that is found replaces the element. Of two neighbors at the same distance, the neighbor after
    /// the element takes precedence. The last candidate is the neighbor that the service chose. If the service reported
    /// the element as pending, the neighbor is provisional: look again when data has arrived.
    ///
    /// A neighbor replaces a selected element only in two cases: the service chose a neighbor, or the list's
    /// `selectsNeighbors` is true and the step of the service's resolution is neither `pending` nor `unresolved`. A
    /// neighbor never replaces an element whose role is neither `firstVisible` nor `selected`.
    @MainActor
    public func find(in list: any ModelAssociation) -> IdentifiedElement? {
        if let dataSource = list as? any DataSourceModelAssociation {
            return resolve(in: dataSource).map {
                IdentifiedElement(identifier: $0.identifier, step: $0.step, isProvisional: $0.isProvisional)
            }
        }
        let search = search(in: list, nil)
        return search.find(itself) ?? neighbor(in: list, search)
    }

    @MainActor
    private func search(in list: any ModelAssociation, _ view: (any RestorableView)?) -> ElementSearch {
        ElementSearch(
            list: list, view: view, trustsIdentifiers: resolution != nil, ambiguousAliases: ambiguousAliases)
    }

    /// Finds a neighbor that replaces the element. Of two neighbors at the same distance, the neighbor after the element
    /// takes precedence.
    @MainActor
    private func neighbor(in list: any ModelAssociation, _ search: ElementSearch) -> IdentifiedElement? {
        guard takesNeighbors(in: list),
            var found = nearestNeighbor(search) ?? chosenNeighbor.flatMap({ search.find($0, .neighbor) })
        else { return nil }
        found.step = .neighbor
        found.isProvisional = resolution?.step == .pending
        return found
    }

    /// Finds the nearest neighbor that was saved with the element.
    @MainActor
    private func nearestNeighbor(_ search: ElementSearch) -> IdentifiedElement? {
        for distance in 0..<max(before.count, after.count) {
            for side in [after, before] where distance < side.count {
                if let found = search.find(side[distance]) { return found }
            }
        }
        return nil
    }

    /// The element itself. If the service chose a neighbor, `element.identifier` is the neighbor's identifier and is
    /// left out.
    var itself: Element { Element(standIn == nil ? element.identifier : nil, aliases: element.aliases) }

    /// The aliases that more than one element of the reference has. Such an alias is not evidence for any of these
    /// elements. The elements of a reference are the element itself and its saved neighbors.
    private var ambiguousAliases: Set<String> {
        var seen: Set<String> = []
        // A list may contain an element twice. `Set` removes the second copy. Otherwise, all aliases of this element
        // would be ambiguous.
        return Set([itself] + before + after).reduce(into: []) { ambiguousAliases, element in
            for alias in Set(element.aliases) where !seen.insert(alias).inserted { ambiguousAliases.insert(alias) }
        }
    }

    /// The identifier of the neighbor that the service chose for an element that is gone. Nil if the service chose no
    /// such neighbor.
    private var standIn: String? { resolution?.step == .neighbor ? element.identifier : nil }

    /// The identifier of the neighbor that the service chose for a first visible element that is pending. Nil if the
    /// service chose no such neighbor.
    var provisionalNeighbor: String? {
        role == .firstVisible && resolution?.step == .pending ? resolution?.neighbor : nil
    }

    /// The identifier of the neighbor that the service chose. Nil if the service chose no neighbor.
    var chosenNeighbor: String? { standIn ?? provisionalNeighbor }

    /// The saved index path, if the reference has neither an identifier nor aliases. Such a reference is to an element
    /// of a list that never changes.
    private var staticIndexPath: ElementIndexPath? {
        guard element == Element(nil), let indexPath, indexPath.count == 2, indexPath.allSatisfy({ $0 >= 0 })
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
