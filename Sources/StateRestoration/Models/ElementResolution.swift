public import KeyedArchive

/// The element that a reference was resolved to, and how it was found.
public struct ElementResolution: Sendable, Hashable {
    /// The element's current index path.
    public var indexPath: ElementIndexPath
    /// The element's model identifier on this device.
    public var identifier: String
    /// How it was found.
    public var step: Step

    /// Creates a resolution.
    public init(indexPath: ElementIndexPath, identifier: String, step: Step) {
        (self.indexPath, self.identifier, self.step) = (indexPath, identifier, step)
    }

    /// How an element was found, from the strongest evidence to the weakest.
    public enum Step: Sendable, Hashable {
        /// The element's identifier.
        case identifier
        /// One of the element's aliases.
        case alias
        /// The nearest neighbor: the element itself is gone or has not arrived yet.
        case neighbour
        /// The element's index path, in a list that never changes.
        case indexPath
    }
}

extension ModelReference {
    /// Finds the element in the list. Nil if it is gone or has not arrived yet: then nothing is selected and the list
    /// is not scrolled. It never falls back to the first row (seed row 40).
    ///
    /// The element itself is always looked for first. If it is not found and was the first visible element, a
    /// neighbor replaces it: the nearest first, and at equal distance the following one first. The last candidate is
    /// the neighbor that the service chose.
    ///
    /// A neighbor replaces a selected element only if the service chose a neighbor, or if the data source selects
    /// neighbors and the service did not leave the reference pending or unresolved. An element with another role is
    /// never replaced.
    @MainActor
    public func resolve(
        in dataSource: any DataSourceModelAssociation, view: (any RestorableView)? = nil
    ) -> ElementResolution? {
        let search = ElementSearch(
            dataSource: dataSource, view: view, trustsIdentifiers: resolution != nil, ambiguousAliases: ambiguousAliases
        )
        if let found = search.find(itself) ?? search.find(at: staticIndexPath) { return found }
        guard takesNeighbours(in: dataSource) else { return nil }
        for distance in 0..<max(before.count, after.count) {
            for side in [after, before] where distance < side.count {
                guard var found = search.find(side[distance]) else { continue }
                found.step = .neighbour
                return found
            }
        }
        return standIn.flatMap { search.find($0, .neighbour) }
    }

    /// The element itself, without the identifier of a neighbor that the service chose.
    var itself: Element { Element(standIn == nil ? element.identifier : nil, aliases: element.aliases) }

    /// The ambiguous aliases: two elements of the reference have them, so they are evidence for neither.
    private var ambiguousAliases: Set<String> {
        var seen: Set<String> = []
        // A list may contain an element twice.
        return Set([itself] + before + after).reduce(into: []) { ambiguousAliases, element in
            for alias in Set(element.aliases) where !seen.insert(alias).inserted { ambiguousAliases.insert(alias) }
        }
    }

    /// The identifier of the neighbor that the service chose.
    var standIn: String? { resolution?.step == .neighbour ? element.identifier : nil }

    /// The index path of an element without identifier and aliases, from a list that never changes.
    private var staticIndexPath: ElementIndexPath? {
        guard element == Element(nil), let indexPath, indexPath.count == 2, indexPath.allSatisfy({ $0 >= 0 })
        else { return nil }
        return ElementIndexPath(section: indexPath[0], item: indexPath[1])
    }

    @MainActor
    private func takesNeighbours(in dataSource: any DataSourceModelAssociation) -> Bool {
        guard role == .selected else { return role == .firstVisible }
        return switch resolution?.step {
        case .neighbour?: true
        case .pending?, .unresolved?: false
        default: dataSource.selectsNeighbours
        }
    }
}
