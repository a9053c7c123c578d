import PlacekeeperAlignment
import PlacekeeperArchive

/// Finds a list's elements by their aliases and by their places. It reads the list at most once, when an alias is first
/// looked up, so an index is only used as long as the list cannot change.
@MainActor
package final class ListIndex {
    let list: any ModelAssociation
    let view: (any RestorableView)?
    private lazy var elements = list.elements(in: view)
    private lazy var aliases = AliasTable(elements)
    private lazy var places = Dictionary(
        elements.enumerated().map { (ByteText($1.identifier), $0) }, uniquingKeysWith: { first, _ in first })

    package init(_ list: any ModelAssociation, in view: (any RestorableView)?) {
        self.list = list
        self.view = view
    }

    private var dataSource: (any DataSourceModelAssociation)? { list as? any DataSourceModelAssociation }

    func contains(_ identifier: String) -> Bool {
        guard let dataSource else { return list.containsElement(withModelIdentifier: identifier) }
        return dataSource.indexPathForElement(withModelIdentifier: identifier, in: view) != nil
    }

    /// Returns the identifier of the only element with an alias. `nil` if no element has it, or if several do.
    func identifierOfSoleElement(withAlias alias: String) -> String? {
        guard let identifiers = list.modelIdentifiers(forElementsWithAlias: alias) else {
            guard let place = aliases.places[alias], place >= 0 else { return nil }
            return elements[place].identifier
        }
        return Set(identifiers.map(ByteText.init)).count == 1 ? identifiers[0] : nil
    }

    /// Whether several elements have an alias.
    func isShared(_ alias: String) -> Bool {
        guard let identifiers = list.modelIdentifiers(forElementsWithAlias: alias) else {
            return aliases.places[alias] == AliasTable.several
        }
        return Set(identifiers.map(ByteText.init)).count > 1
    }

    /// Whether the list has an alias of the same kind that several elements share. False if the app looks aliases up.
    func sharesAliases(ofKindOf alias: String) -> Bool {
        guard list.modelIdentifiers(forElementsWithAlias: alias) == nil else { return false }
        return aliases.sharesKind(of: alias)
    }

    /// Whether the list is read, so that places are known.
    func hasPlaces(_ alias: String) -> Bool { list.modelIdentifiers(forElementsWithAlias: alias) == nil }

    func place(of identifier: String) -> Int? { places[ByteText(identifier)] }

    /// The elements around a place, and the place of the first of them.
    func window(around place: Int) -> (elements: ArraySlice<ListElement>, start: Int) {
        let start = max(0, place - Neighborhood.windowReach)
        let end = min(elements.count, place + Neighborhood.windowReach + 1)
        return (elements[start..<end], start)
    }
}

/// The places of a list's elements by alias.
private struct AliasTable {
    static let several = -1
    /// The place of the only element with each alias, or `several`.
    private(set) var places: [String: Int] = [:]
    private var kinds = AliasKinds()
    private var sharedKinds: Set<Int> = []

    init(_ elements: [ListElement]) {
        places.reserveCapacity(elements.count)
        for (place, element) in elements.enumerated() {
            for alias in element.aliases {
                guard let known = places.updateValue(place, forKey: alias) else { continue }
                if known >= 0, ByteText(elements[known].identifier) == ByteText(element.identifier) {
                    places[alias] = known
                    continue
                }
                places[alias] = Self.several
                if known >= 0 { sharedKinds.insert(kinds.number(of: alias)) }
            }
        }
    }

    func sharesKind(of alias: String) -> Bool {
        var kinds = kinds
        return sharedKinds.contains(kinds.number(of: alias))
    }
}

extension ModelAssociation {
    /// Returns all elements of the list that a view shows.
    package func elements(in view: (any RestorableView)?) -> [ListElement] {
        (self as? any DataSourceModelAssociation)?.listElements(in: view) ?? listElements
    }
}
