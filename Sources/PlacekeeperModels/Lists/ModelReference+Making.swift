public import PlacekeeperArchive

extension ModelReference {
    /// Creates a reference to the element at an index path, including its neighbors. `nil` if the data source has no
    /// element there.
    ///
    /// Reads a list of up to 10,000 elements to find out which aliases several elements share. For many references,
    /// `encode(elementsAt:of:in:role:forKey:)` reads it once.
    @MainActor
    public init?(
        elementAt indexPath: ElementIndexPath, of dataSource: any DataSourceModelAssociation,
        in view: (any ElementView)? = nil, role: Role
    ) {
        self.init(elementAt: indexPath, of: dataSource, by: ListIndex(dataSource, in: view), role: role)
    }

    /// - Parameter index: the index of `dataSource`, which several references share.
    @MainActor
    package init?(
        elementAt indexPath: ElementIndexPath, of dataSource: any DataSourceModelAssociation, by index: ListIndex,
        role: Role
    ) {
        guard let identifier = dataSource.modelIdentifierForElement(at: indexPath, in: index.view) else { return nil }
        self.init(identifier, at: indexPath, of: dataSource, by: index, role: role)
    }

    /// Creates a reference to the element with an identifier, including its neighbors if it is in the list.
    @MainActor
    public init(
        _ identifier: String, of dataSource: any DataSourceModelAssociation, in view: (any ElementView)? = nil,
        role: Role
    ) {
        self.init(identifier, by: ListIndex(dataSource, in: view), role: role)
    }

    /// Creates a reference to an element of a list, including its neighbors if the list has index paths.
    @MainActor
    public init(_ identifier: String, in list: any ModelAssociation, role: Role) {
        self.init(identifier, by: ListIndex(list, in: nil), role: role)
    }

    /// - Parameter index: an index of the list, which several references share.
    @MainActor
    package init(_ identifier: String, by index: ListIndex, role: Role) {
        guard let dataSource = index.list as? any DataSourceModelAssociation else {
            self.init(dataSource: index.list.dataSourceName, element: index.savedElement(identifier), role: role)
            return
        }
        let indexPath = dataSource.indexPathForElement(withModelIdentifier: identifier, in: index.view)
        self.init(identifier, at: indexPath, of: dataSource, by: index, role: role)
    }

    @MainActor
    private init(
        _ identifier: String, at indexPath: ElementIndexPath?, of dataSource: any DataSourceModelAssociation,
        by index: ListIndex, role: Role
    ) {
        self.init(dataSource: dataSource.dataSourceName, element: index.savedElement(identifier), role: role)
        guard let indexPath else { return }
        let counts = dataSource.elementCounts(in: index.view)
        func neighbors(_ direction: Neighbors.Direction) -> [Element] {
            Neighbors(of: indexPath, counts: counts, direction)
                .prefix(ModelReference.maximumNeighborCount)
                .compactMap { dataSource.modelIdentifierForElement(at: $0, in: index.view).map(index.savedElement) }
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
