import PlacekeeperAlignment
package import PlacekeeperArchive

/// Finds a list's elements by their aliases and by their places. It reads the list at most once, when an alias is first
/// looked up, so an index is only used as long as the list cannot change.
@MainActor
package final class ListIndex {
    package let list: any ModelAssociation
    let view: (any ElementView)?
    private lazy var elements = list.elements(in: view)
    private lazy var aliases = AliasTable(elements)
    private lazy var places = Dictionary(
        elements.enumerated().map { (ByteText($1.identifier), $0) }, uniquingKeysWith: { first, _ in first })
    private var questionCount = 0
    /// Whether the app looks aliases up itself. `nil` until the first lookup.
    private var looksUp: Bool?

    package init(_ list: any ModelAssociation, in view: (any ElementView)?) {
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
        if let identifiers = lookUp(alias) { return Self.sole(identifiers) }
        return placeOfSoleElement(withAlias: alias).map { elements[$0].identifier }
    }

    /// Returns the only identifier. `nil` if there is none, or if there are several.
    static func sole(_ identifiers: [String]) -> String? {
        Set(identifiers.map(ByteText.init)).count == 1 ? identifiers[0] : nil
    }

    private func lookUp(_ alias: String) -> [String]? {
        if looksUp == false { return nil }
        let identifiers = list.modelIdentifiers(forElementsWithAlias: alias)
        looksUp = identifiers != nil
        return identifiers
    }

    // MARK: - Places, in a list that is read

    /// Whether the list may be read. If the app looks aliases up, reading it would take too long.
    /// - Parameter alias: An alias to ask the app about, if it has not been asked yet.
    func mayBeRead(_ alias: String) -> Bool { !(looksUp ?? (lookUp(alias) != nil)) }

    /// Whether several elements have an alias.
    func isShared(_ alias: String) -> Bool {
        if case .several? = aliases.find(alias) { true } else { false }
    }

    /// Whether the list declares that different elements never share an alias of this kind.
    package func isUnique(_ alias: String) -> Bool {
        AliasKinds.kind(of: alias).map { list.uniqueAliases.contains(String($0)) } ?? false
    }

    /// Whether several elements share this alias, or another one of its kind.
    func sharesKind(of alias: String) -> Bool { aliases.sharesKind(of: alias) }

    func place(of identifier: String) -> Int? { places[ByteText(identifier)] }

    /// Returns the place of the only element with an alias. `nil` if no element has it, or if several do.
    func placeOfSoleElement(withAlias alias: String) -> Int? {
        if case .sole(let place)? = aliases.find(alias) { place } else { nil }
    }

    /// Returns the places of the elements with an alias, and whether this is a single element. No places if there are
    /// more than four.
    func places(withAlias alias: String) -> (places: [Int], isSole: Bool) {
        switch aliases.find(alias) {
        case .sole(let place)?: ([place], true)
        case .several(let places)?: (places, false)
        case nil: ([], false)
        }
    }

    func element(at place: Int) -> ListElement { elements[place] }

    /// The elements around a place, and the place of the first of them.
    func window(around place: Int) -> (elements: ArraySlice<ListElement>, start: Int) {
        let start = max(0, place - Neighborhood.windowReach)
        let end = min(elements.count, place + Neighborhood.windowReach)
        return (elements[start..<end], start)
    }

    // MARK: - References

    /// The maximum number of elements that are read to save one of them. Their aliases are compared in about 4 ms, on
    /// the main actor.
    private static let longestReadToSave = 10_000

    private lazy var isReadToSave: Bool = {
        guard let dataSource else { return elements.count <= Self.longestReadToSave }
        var room = Self.longestReadToSave
        for count in dataSource.elementCounts(in: view) where count > 0 {
            guard count <= room else { return false }
            room -= count
        }
        return true
    }()

    /// Returns an element for a reference. In a list that isn't too long, the aliases that other elements have too are
    /// listed apart.
    package func savedElement(_ identifier: String) -> ModelReference.Element {
        let aliases = aliases(of: identifier)
        // Nothing needs to be looked up for an alias of a unique kind.
        guard let alias = aliases.first(where: { !isUnique($0) }), mayBeRead(alias), isReadToSave,
            self.aliases.find(alias) != nil
        else {
            return ModelReference.Element(identifier, aliases: aliases)
        }
        let shared = aliases.filter(isShared)
        if shared.isEmpty { return ModelReference.Element(identifier, aliases: aliases) }
        return ModelReference.Element(
            identifier, aliases: aliases.filter { !isShared($0) }, sharedAliases: shared)
    }
}

/// The places of a list's elements by alias.
private struct AliasTable {
    /// The place of the only element with each alias or, for an alias that several elements share, `-1 - index` with
    /// the alias's index in `shared`.
    private var places: [String: Int] = [:]
    /// The places of the elements that share an alias, up to four. Empty if there are more.
    private var shared: [[Int]] = []
    private var kinds = AliasKinds()
    private var sharedKinds: Set<Int> = []

    init(_ elements: [ListElement]) {
        places.reserveCapacity(elements.count)
        for (place, element) in elements.enumerated() {
            for alias in element.aliases {
                guard let known = places.updateValue(place, forKey: alias) else { continue }
                // An element may be in the list twice.
                func isElement(_ other: Int) -> Bool {
                    ByteText(elements[other].identifier) == ByteText(element.identifier)
                }
                if known >= 0, !isElement(known) {
                    places[alias] = -1 - shared.count
                    shared.append([known, place])
                    sharedKinds.insert(kinds.number(of: alias))
                    continue
                }
                places[alias] = known
                if known < 0 {
                    let others = shared[-1 - known]
                    if others.isEmpty || others.contains(where: isElement) { continue }
                    shared[-1 - known] = others.count < 4 ? others + [place] : []
                }
            }
        }
    }

    /// The place of the only element with an alias, or the places of the elements that share it.
    enum Found {
        case sole(Int)
        case several([Int])
    }

    func find(_ alias: String) -> Found? {
        places[alias].map { $0 >= 0 ? .sole($0) : .several(shared[-1 - $0]) }
    }

    func sharesKind(of alias: String) -> Bool {
        var kinds = kinds
        return sharedKinds.contains(kinds.number(of: alias))
    }
}

extension ModelAssociation {
    /// Returns all elements of the list that a view shows.
    package func elements(in view: (any ElementView)?) -> [ListElement] {
        (self as? any DataSourceModelAssociation)?.listElements(in: view) ?? listElements
    }
}
