public import KeyedArchive

/// Where an element is that was referred to, and how it was found.
public struct ElementResolution: Sendable, Hashable {
    /// Where it stands now.
    public var indexPath: ElementIndexPath
    /// What it is called here.
    public var identifier: String
    /// How it was found.
    public var step: Step

    /// A step of the ladder, the best first.
    public enum Step: Sendable, Hashable {
        /// By its identifier.
        case identifier
        /// By an alias.
        case alias
        /// It is gone: this is the nearest that is left.
        case neighbour
    }
}

extension ModelReference {
    /// Finds the element in a list as it is now. Nil when it is gone, or not there yet: then nothing is selected, and the
    /// list is not scrolled; never the first row by default (seed row 40).
    ///
    /// The neighbours stand in for what was the first visible element, the nearest first, those after it before those
    /// before it; for a selection only if the data source says so.
    @MainActor
    public func resolve(
        in dataSource: any DataSourceModelAssociation, view: (any RestorableView)? = nil
    ) -> ElementResolution? {
        if let found = element.resolve(in: dataSource, view) { return found }
        guard role == .firstVisible || (role == .selected && dataSource.selectsNeighbours) else { return nil }
        for distance in 0..<max(before.count, after.count) {
            for side in [after, before] where distance < side.count {
                guard var found = side[distance].resolve(in: dataSource, view) else { continue }
                found.step = .neighbour
                return found
            }
        }
        return nil
    }
}

extension ModelReference.Element {
    @MainActor
    fileprivate func resolve(
        in dataSource: any DataSourceModelAssociation, _ view: (any RestorableView)?
    ) -> ElementResolution? {
        if let identifier, let place = dataSource.indexPathForElement(withModelIdentifier: identifier, in: view) {
            return ElementResolution(indexPath: place, identifier: identifier, step: .identifier)
        }
        for alias in aliases {
            guard let identifier = dataSource.modelIdentifierForElement(withAlias: alias),
                let place = dataSource.indexPathForElement(withModelIdentifier: identifier, in: view)
            else { continue }
            return ElementResolution(indexPath: place, identifier: identifier, step: .alias)
        }
        return nil
    }
}
