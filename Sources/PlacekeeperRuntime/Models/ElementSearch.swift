import PlacekeeperArchive

/// Finds elements in a list by identifier and by aliases.
@MainActor
struct ElementSearch {
    let list: any ModelAssociation
    let view: (any RestorableView)?
    /// Whether the service has resolved the reference. If not, the search also compares aliases, because the app may
    /// have reused an identifier for another element.
    let trustsIdentifiers: Bool
    /// Aliases that do not identify an element, because several elements of the reference have them.
    let ambiguousAliases: Set<String>

    func find(_ element: ModelReference.Element) -> IdentifiedElement? {
        let aliases = element.aliases.filter { !ambiguousAliases.contains($0) }
        guard let identifier = element.identifier, let named = find(identifier, .identifier) else {
            return find(havingMost: aliases)
        }
        if trustsIdentifiers || aliases.isEmpty { return named }
        let known = list.modelAliases(forElementWithModelIdentifier: identifier)
        if known.contains(where: aliases.contains) { return named }
        // If this element has no aliases now, accept it, unless another element has one of the saved aliases.
        return find(havingMost: aliases) ?? (known.isEmpty ? named : nil)
    }

    func find(_ identifier: String, _ step: ElementResolution.Step) -> IdentifiedElement? {
        contains(identifier) ? IdentifiedElement(identifier: identifier, step: step) : nil
    }

    private func contains(_ identifier: String) -> Bool {
        guard let dataSource else { return list.containsElement(withModelIdentifier: identifier) }
        return dataSource.indexPathForElement(withModelIdentifier: identifier, in: view) != nil
    }

    private var dataSource: (any DataSourceModelAssociation)? { list as? any DataSourceModelAssociation }

    /// Returns the element that has the most of the given aliases. On a tie, the element whose alias comes first in
    /// `aliases`. An alias that an adjacent element has too is skipped.
    private func find(havingMost aliases: [String]) -> IdentifiedElement? {
        var best: (found: IdentifiedElement, count: Int)?
        for alias in aliases {
            guard let identifier = list.modelIdentifierForElement(withAlias: alias),
                let found = find(identifier, .alias), !isSharedWithAdjacentElement(alias, identifier)
            else { continue }
            guard aliases.count > 1 else { return found }
            let known = list.modelAliases(forElementWithModelIdentifier: identifier)
            let count = aliases.count(where: known.contains)
            if best.map({ $0.count < count }) ?? true { best = (found, count) }
        }
        return best?.found
    }

    /// Returns whether the element before or after also has `alias`. Such an alias does not identify an element: for
    /// example, an app may give several rows the same default alias.
    private func isSharedWithAdjacentElement(_ alias: String, _ identifier: String) -> Bool {
        guard let dataSource,
            let indexPath = dataSource.indexPathForElement(withModelIdentifier: identifier, in: view)
        else { return false }
        let counts = dataSource.elementCounts(in: view)
        return [Neighbors.Direction.before, .after].contains { direction in
            var places = Neighbors(of: indexPath, counts: counts, direction)
            guard let place = places.next(), let name = dataSource.modelIdentifierForElement(at: place, in: view),
                name != identifier
            else { return false }
            return dataSource.modelAliases(forElementWithModelIdentifier: name).contains(alias)
        }
    }
}
