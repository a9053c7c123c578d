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
    /// The number of rows before each section.
    private lazy var starts =
        dataSource?.elementCounts(in: view).reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) } ?? []
    private var questionCount = 0
    private lazy var places = Dictionary(
        elements.enumerated().map { (ByteText($1.identifier), $0) }, uniquingKeysWith: { first, _ in first })

    package init(_ list: any ModelAssociation, in view: (any RestorableView)?) {
        self.list = list
        self.view = view
    }

    private var dataSource: (any DataSourceModelAssociation)? { list as? any DataSourceModelAssociation }

    func contains(_ identifier: String) -> Bool {
        guard let dataSource else {
            return isRead ? places[ByteText(identifier)] != nil : list.containsElement(withModelIdentifier: identifier)
        }
        return dataSource.indexPathForElement(withModelIdentifier: identifier, in: view) != nil
    }

    func aliases(of identifier: String) -> [String] {
        guard isRead, let place = places[ByteText(identifier)] else {
            return list.modelAliases(forElementWithModelIdentifier: identifier)
        }
        return elements[place].aliases
    }

    /// Whether to answer from the elements, which are read once. A list without index paths answers the first questions
    /// itself: it may have a faster way. By default, it reads all its elements each time.
    private var isRead: Bool {
        guard dataSource == nil else { return false }
        questionCount += 1
        return questionCount > 2 && !elements.isEmpty
    }

    /// Returns the identifier of the only element with an alias. `nil` if no element has it, or if several do.
    func identifierOfSoleElement(withAlias alias: String) -> String? {
        guard let identifiers = list.modelIdentifiers(forElementsWithAlias: alias) else {
            guard let place = aliases.places[alias], place >= 0 else { return nil }
            return elements[place].identifier
        }
        return Self.sole(identifiers)
    }

    /// Returns the only identifier. `nil` if there is none, or if there are several.
    static func sole(_ identifiers: [String]) -> String? {
        Set(identifiers.map(ByteText.init)).count == 1 ? identifiers[0] : nil
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

    /// Returns the place of an element among all elements.
    func place(of identifier: String) -> Int? {
        if let dataSource,
            let path = dataSource.indexPathForElement(withModelIdentifier: identifier, in: view),
            starts.indices.contains(path.section)
        {
            let place = starts[path.section] + path.item
            // Rows without an identifier are no elements.
            if elements.indices.contains(place), ByteText(elements[place].identifier) == ByteText(identifier) {
                return place
            }
        }
        return places[ByteText(identifier)]
    }

    /// Returns the place of the only element with an alias. `nil` if no element has it, or if several do.
    func placeOfSoleElement(withAlias alias: String) -> Int? {
        aliases.places[alias].flatMap { $0 == AliasTable.several ? nil : $0 }
    }

    /// The elements around a place, and the place of the first of them.
    func window(around place: Int) -> (elements: ArraySlice<ListElement>, start: Int) {
        let start = max(0, place - Neighborhood.windowReach)
        let end = min(elements.count, place + Neighborhood.windowReach)
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
