import KeyedArchive

/// Finds elements in a data source by identifier, by aliases, or by index path.
@MainActor
struct ElementSearch {
    let dataSource: any DataSourceModelAssociation
    let view: (any RestorableView)?
    /// Whether the service has resolved the reference. If not, the search also compares the aliases, because an
    /// identifier may have been reused for another element.
    let trustsIdentifiers: Bool
    /// The aliases that are not evidence, because several elements of the reference have them.
    let ambiguousAliases: Set<String>

    func find(_ element: ModelReference.Element) -> ElementResolution? {
        let aliases = element.aliases.filter { !ambiguousAliases.contains($0) }
        guard let identifier = element.identifier, let named = find(identifier, .identifier) else {
            return find(havingMost: aliases)
        }
        if trustsIdentifiers || aliases.isEmpty { return named }
        let known = dataSource.modelAliases(forElementWithModelIdentifier: identifier)
        if known.contains(where: aliases.contains) { return named }
        // If the element with the identifier has no aliases now, the element is accepted, unless another element has
        // one of the saved aliases.
        return find(havingMost: aliases) ?? (known.isEmpty ? named : nil)
    }

    func find(_ identifier: String, _ step: ElementResolution.Step) -> ElementResolution? {
        dataSource.indexPathForElement(withModelIdentifier: identifier, in: view)
            .map { ElementResolution(indexPath: $0, identifier: identifier, step: step) }
    }

    /// Returns the element at an index path, with the step `indexPath`. Nil if `indexPath` is nil, or if the data
    /// source has no element at this index path.
    func find(at indexPath: ElementIndexPath?) -> ElementResolution? {
        guard let indexPath, let name = dataSource.modelIdentifierForElement(at: indexPath, in: view) else {
            return nil
        }
        return ElementResolution(indexPath: indexPath, identifier: name, step: .indexPath)
    }

    /// Returns the element that has the largest number of the given aliases. If several elements have this number,
    /// returns the element whose alias comes first in `aliases`. An alias is skipped if an adjacent element also has
    /// this alias.
    private func find(havingMost aliases: [String]) -> ElementResolution? {
        var best: (found: ElementResolution, count: Int)?
        for alias in aliases {
            guard let identifier = dataSource.modelIdentifierForElement(withAlias: alias),
                let found = find(identifier, .alias), !isSharedWithAdjacentElement(alias, found)
            else { continue }
            guard aliases.count > 1 else { return found }
            let known = dataSource.modelAliases(forElementWithModelIdentifier: identifier)
            let count = aliases.count(where: known.contains)
            if best.map({ $0.count < count }) ?? true { best = (found, count) }
        }
        return best?.found
    }

    /// Returns whether the element before or after `found` in the list also has `alias`. Such an alias is not evidence:
    /// for example, an app may give the same default alias to several rows.
    private func isSharedWithAdjacentElement(_ alias: String, _ found: ElementResolution) -> Bool {
        let counts = dataSource.elementCounts(in: view)
        return [Neighbours.Direction.before, .after].contains { direction in
            var places = Neighbours(of: found.indexPath, counts: counts, direction)
            guard let place = places.next(), let name = dataSource.modelIdentifierForElement(at: place, in: view),
                name != found.identifier
            else { return false }
            return dataSource.modelAliases(forElementWithModelIdentifier: name).contains(alias)
        }
    }
}
