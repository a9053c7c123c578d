public import PlacekeeperArchive

extension ModelReference {
    /// Creates a reference to the element at an index path, including its neighbors. `nil` if the data source has no
    /// element there.
    @MainActor
    public init?(
        elementAt indexPath: ElementIndexPath, of dataSource: any DataSourceModelAssociation,
        in view: (any RestorableView)? = nil, role: Role
    ) {
        guard let identifier = dataSource.modelIdentifierForElement(at: indexPath, in: view) else { return nil }
        self.init(identifier, at: indexPath, of: dataSource, in: view, role: role)
    }

    /// Creates a reference to the element with an identifier, including its neighbors if it is in the list.
    @MainActor
    public init(
        _ identifier: String, of dataSource: any DataSourceModelAssociation, in view: (any RestorableView)? = nil,
        role: Role
    ) {
        let indexPath = dataSource.indexPathForElement(withModelIdentifier: identifier, in: view)
        self.init(identifier, at: indexPath, of: dataSource, in: view, role: role)
    }

    /// Creates a reference to an element of a list, including its neighbors if the list has index paths.
    @MainActor
    public init(_ identifier: String, in list: any ModelAssociation, role: Role) {
        if let dataSource = list as? any DataSourceModelAssociation {
            self.init(identifier, of: dataSource, role: role)
            return
        }
        let aliases = list.modelAliases(forElementWithModelIdentifier: identifier)
        self.init(dataSource: list.dataSourceName, element: Element(identifier, aliases: aliases), role: role)
    }

    @MainActor
    private init(
        _ identifier: String, at indexPath: ElementIndexPath?, of dataSource: any DataSourceModelAssociation,
        in view: (any RestorableView)?, role: Role
    ) {
        func element(_ identifier: String) -> Element {
            Element(identifier, aliases: dataSource.modelAliases(forElementWithModelIdentifier: identifier))
        }
        self.init(dataSource: dataSource.dataSourceName, element: element(identifier), role: role)
        guard let indexPath else { return }
        let counts = dataSource.elementCounts(in: view)
        func neighbors(_ direction: Neighbors.Direction) -> [Element] {
            Neighbors(of: indexPath, counts: counts, direction)
                .prefix(ModelReference.maximumNeighborCount)
                .compactMap { dataSource.modelIdentifierForElement(at: $0, in: view).map(element) }
        }
        before = neighbors(.before)
        after = neighbors(.after)
    }
}

/// The index paths before or after an index path, nearest first.
package struct Neighbors: Sequence, IteratorProtocol {
    package enum Direction { case before, after }

    private let counts: [Int]
    private let direction: Direction
    private var place: ElementIndexPath

    package init(of place: ElementIndexPath, counts: [Int], _ direction: Direction) {
        self.place = place
        self.counts = counts
        self.direction = direction
    }

    package mutating func next() -> ElementIndexPath? {
        guard counts.indices.contains(place.section) else { return nil }
        place.item += direction == .after ? 1 : -1
        while !(0..<counts[place.section]).contains(place.item) {
            place.section += direction == .after ? 1 : -1
            guard counts.indices.contains(place.section) else { return nil }
            place.item = direction == .after ? 0 : counts[place.section] - 1
        }
        return place
    }
}
