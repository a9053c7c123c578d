public import KeyedArchive

/// An element as a device tells the service of it, so that references to it are found under its name here.
public struct RegisteredElement: Sendable, Hashable {
    /// What this device calls it.
    public var identifier: String
    /// Evidence of its identity that is the same on every device.
    public var aliases: [String]
    /// How many elements of the list stand before it.
    public var position: Int

    /// Makes an element of its names and its place.
    public init(_ identifier: String, aliases: [String] = [], position: Int) {
        self.identifier = identifier
        self.aliases = aliases
        self.position = position
    }
}

extension DataSourceModelAssociation {
    /// All elements of the list, in its order. One that is in it twice is told once, where it stands first: the service
    /// takes each once.
    public func registeredElements(in view: (any RestorableView)? = nil) -> [RegisteredElement] {
        var taken: Set<String> = []
        var elements: [RegisteredElement] = []
        var position = 0
        for (section, count) in elementCounts(in: view).enumerated() {
            for item in 0..<count {
                if let identifier = modelIdentifierForElement(at: .init(section: section, item: item), in: view),
                    taken.insert(identifier).inserted
                {
                    let aliases = modelAliases(forElementWithModelIdentifier: identifier)
                    elements.append(RegisteredElement(identifier, aliases: aliases, position: position))
                }
                position += 1
            }
        }
        return elements
    }
}

extension StateArchive {
    /// The elements of a data source that the archive of this device refers to, and their neighbours: what a device tells
    /// of a list that is too long to tell all of it. Those that are not in the list now are left out.
    @MainActor
    public func registeredElements(
        of dataSource: any DataSourceModelAssociation, in view: (any RestorableView)? = nil
    ) -> [RegisteredElement] {
        var starts: [Int] = []
        var count = 0
        for length in dataSource.elementCounts(in: view) {
            starts.append(count)
            count += length
        }
        var taken: Set<String> = []
        var elements: [RegisteredElement] = []
        for reference in references where reference.dataSource == dataSource.dataSourceName {
            for element in [reference.itself] + reference.before + reference.after {
                guard let identifier = element.identifier, taken.insert(identifier).inserted,
                    let place = dataSource.indexPathForElement(withModelIdentifier: identifier, in: view),
                    starts.indices.contains(place.section)
                else { continue }
                let aliases = dataSource.modelAliases(forElementWithModelIdentifier: identifier)
                let position = starts[place.section] + place.item
                elements.append(RegisteredElement(identifier, aliases: aliases, position: position))
            }
        }
        return elements
    }
}
