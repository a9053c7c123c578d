public import KeyedArchive

/// An element as a device tells the service of it, so that references to it are found under its name here.
public struct RegisteredElement: Sendable, Hashable {
    /// What this device calls it.
    public var identifier: String
    /// Evidence of its identity that is the same on every device.
    public var aliases: [String]
    /// A number that rises with the list's order. It says nothing else: there is room between two.
    public var position: Int64

    /// Makes an element of its names and its place.
    public init(_ identifier: String, aliases: [String] = [], position: Int64) {
        self.identifier = identifier
        self.aliases = aliases
        self.position = position
    }
}

extension DataSourceModelAssociation {
    /// All elements of the list, in its order. One that is in it twice is told once, where it stands first: the service
    /// takes each once.
    ///
    /// - Parameters:
    ///   - view: the view that shows the list, where the data source serves several.
    ///   - earlier: what this device has told of the list before. What is still in order keeps its position, so that
    ///     little has to be told anew, and what is gone has its neighbours by those that are left.
    public func registeredElements(
        in view: (any RestorableView)? = nil, after earlier: [RegisteredElement] = []
    ) -> [RegisteredElement] {
        var taken: Set<String> = []
        var elements: [(identifier: String, place: Int)] = []
        var place = 0
        for (section, count) in elementCounts(in: view).enumerated() {
            for item in 0..<count {
                if let identifier = modelIdentifierForElement(at: .init(section: section, item: item), in: view),
                    taken.insert(identifier).inserted
                {
                    elements.append((identifier, place))
                }
                place += 1
            }
        }
        return registered(elements, after: earlier.positions)
    }

    /// Elements that stand at some places of the list, in its order.
    fileprivate func registered(
        _ elements: [(identifier: String, place: Int)], after told: [String: Int64]
    ) -> [RegisteredElement] {
        let positions = ListPositions(places: elements.map(\.place), keeping: elements.map { told[$0.identifier] })
        return zip(elements, positions.numbers).map { element, position in
            RegisteredElement(
                element.identifier, aliases: modelAliases(forElementWithModelIdentifier: element.identifier),
                position: position)
        }
    }
}

extension [RegisteredElement] {
    fileprivate var positions: [String: Int64] {
        Dictionary(map { ($0.identifier, $0.position) }) { first, _ in first }
    }
}

extension StateArchive {
    /// The elements of a data source that the archive of this device refers to, and their neighbours, in the list's order:
    /// what a device tells of a list that is too long to tell all of it. Those that are not in the list now are left out.
    /// The data source is asked for the place and the aliases of each of them, and of each that was told before, once: of
    /// no others, however long the list.
    ///
    /// - Parameters:
    ///   - dataSource: whose elements are asked for.
    ///   - view: the view that shows the list, where the data source serves several.
    ///   - earlier: what this device has told of the list before, with other archives as it may be. All of it that is
    ///     still there is in the result, and what is still in order keeps its position: what the result does not have of
    ///     it is gone, and what it has besides is to be told.
    @MainActor
    public func registeredElements(
        of dataSource: any DataSourceModelAssociation, in view: (any RestorableView)? = nil,
        after earlier: [RegisteredElement] = []
    ) -> [RegisteredElement] {
        var starts: [Int] = []
        var count = 0
        for length in dataSource.elementCounts(in: view) {
            starts.append(count)
            count += length
        }
        let references = references.lazy.filter { $0.dataSource == dataSource.dataSourceName }
        let referred = Set(references.flatMap { [$0.itself] + $0.before + $0.after }.compactMap(\.identifier))
        var elements: [(identifier: String, place: Int)] = []
        for identifier in referred.union(earlier.map(\.identifier)) {
            guard let place = dataSource.indexPathForElement(withModelIdentifier: identifier, in: view),
                starts.indices.contains(place.section)
            else { continue }
            elements.append((identifier, starts[place.section] + place.item))
        }
        elements.sort { $0.place < $1.place }
        return dataSource.registered(elements, after: earlier.positions)
    }
}
