public import KeyedArchive

/// Where an element is that was referred to, and how it was found.
public struct ElementResolution: Sendable, Hashable {
    /// Where it stands now.
    public var indexPath: ElementIndexPath
    /// What it is called here.
    public var identifier: String
    /// How it was found.
    public var step: Step

    /// Says where an element is.
    public init(indexPath: ElementIndexPath, identifier: String, step: Step) {
        (self.indexPath, self.identifier, self.step) = (indexPath, identifier, step)
    }

    /// A step of the ladder, the best first.
    public enum Step: Sendable, Hashable {
        /// By its identifier.
        case identifier
        /// By an alias.
        case alias
        /// It is gone, or not there yet: this is the nearest that is left.
        case neighbour
        /// By its place in a list that never changes.
        case indexPath
    }
}

extension ModelReference {
    /// Finds the element in a list as it is now. Nil when it is gone, or not there yet: then nothing is selected, and the
    /// list is not scrolled; never the first row by default (seed row 40).
    ///
    /// The neighbours stand in for what was the first visible element, the nearest first, those after it before those
    /// before it, and last the one that the service has chosen. For a selection they do only where the service says so
    /// or, if it has not been asked, the data source. The element itself is looked for first, each time.
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

    /// The element by names of its own.
    var itself: Element { Element(standIn == nil ? element.identifier : nil, aliases: element.aliases) }

    /// Aliases that two elements bear: they are evidence for none.
    private var ambiguousAliases: Set<String> {
        var seen: Set<String> = []
        // An element may be in a list twice.
        return Set([itself] + before + after).reduce(into: []) { ambiguousAliases, element in
            for alias in Set(element.aliases) where !seen.insert(alias).inserted { ambiguousAliases.insert(alias) }
        }
    }

    /// What the service chose in the element's place.
    var standIn: String? { resolution?.step == .neighbour ? element.identifier : nil }

    /// The place of an element that has no names, since its list never changes.
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
