import PlacekeeperArchive

/// Finds elements in a list by identifier and by aliases.
@MainActor
struct ElementSearch {
    let index: ListIndex
    /// Whether the service has resolved the reference. If not, the search also compares aliases, because the app may
    /// have reused an identifier for another element.
    let trustsIdentifiers: Bool
    /// Aliases that do not identify an element, because several elements of the reference have them.
    let ambiguousAliases: Set<String>

    func find(_ element: ModelReference.Element) -> IdentifiedElement? {
        let aliases = element.aliases.filter { !ambiguousAliases.contains($0) }
        let saved = element.allAliases.filter { !ambiguousAliases.contains($0) }
        guard let identifier = element.identifier, let named = find(identifier, .identifier) else {
            return find(havingMost: aliases)
        }
        if trustsIdentifiers || saved.isEmpty { return named }
        let known = Set(index.aliases(of: identifier))
        // An element that gained or lost aliases is still the same.
        if !known.isEmpty, known.isSubset(of: element.allAliases) || known.isSuperset(of: saved) { return named }
        // A title that several elements have does not prove that the identifier means the same element as before.
        if aliases.contains(where: { known.contains($0) && isSole($0, identifier) }) { return named }
        // If this element has no aliases now, accept it, unless another element has one of the saved aliases.
        return find(havingMost: aliases) ?? (known.isEmpty ? named : nil)
    }

    private func isSole(_ alias: String, _ identifier: String) -> Bool {
        index.identifierOfSoleElement(withAlias: alias).map(ByteText.init) == ByteText(identifier)
    }

    func find(_ identifier: String, _ step: ElementResolution.Step) -> IdentifiedElement? {
        index.contains(identifier) ? IdentifiedElement(identifier: identifier, step: step) : nil
    }

    /// Returns the element that has the most of the given aliases. On a tie, the element whose alias comes first in
    /// `aliases`. An alias that several elements have is skipped.
    private func find(havingMost aliases: [String]) -> IdentifiedElement? {
        var best: (found: IdentifiedElement, count: Int)?
        for alias in aliases {
            guard let identifier = index.identifierOfSoleElement(withAlias: alias),
                let found = find(identifier, .alias)
            else { continue }
            guard aliases.count > 1 else { return found }
            let known = index.aliases(of: identifier)
            let count = aliases.count(where: known.contains)
            if best.map({ $0.count < count }) ?? true { best = (found, count) }
        }
        return best?.found
    }
}
