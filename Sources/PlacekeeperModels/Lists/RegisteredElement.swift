public import PlacekeeperArchive

/// An element that a device registers with the service. In the archives that it serves to this device, the service
/// replaces other devices' identifiers for the element with the identifier registered here.
public struct RegisteredElement: Sendable, Hashable {
    /// The element's model identifier on this device. Compared by its UTF-8 bytes.
    public var identifier: String {
        get { name.text }
        set { name = ByteText(newValue) }
    }
    private var name: ByteText
    /// The element's aliases: evidence of its identity that is the same on every device.
    public var aliases: [String]
    /// A number that increases in list order. Only the order matters; gaps are allowed.
    public var position: Int64

    /// Creates a registered element.
    public init(_ identifier: String, aliases: [String] = [], position: Int64) {
        name = ByteText(identifier)
        self.aliases = aliases
        self.position = position
    }
}

extension DataSourceModelAssociation {
    /// Returns all elements of the list, in order. An element that appears twice is included once, at its first index
    /// path. The data source must implement `elementCounts(in:)`, or the result is empty.
    ///
    /// - Parameters:
    ///   - view: The view that shows the list, if the data source serves several views.
    ///   - earlier: The elements that this device registered before. Elements in the same order as before keep their
    ///     positions, so the device sends fewer changes, and the position of a removed element still shows where it
    ///     was.
    public func registeredElements(
        in view: (any ElementView)? = nil, after earlier: [RegisteredElement] = []
    ) -> [RegisteredElement] {
        listElements(in: view).registeredElements(after: earlier)
    }

    /// Returns a registered element for each of the given elements, which must be in list order.
    fileprivate func registered(
        _ elements: [(identifier: String, place: Int)], after told: [ByteText: Int64]
    ) -> [RegisteredElement] {
        let positions = ListPositions(
            places: elements.map(\.place), keeping: elements.map { told[ByteText($0.identifier)] })
        return zip(elements, positions.numbers).map { element, position in
            RegisteredElement(
                element.identifier, aliases: modelAliases(forElementWithModelIdentifier: element.identifier),
                position: position)
        }
    }
}

extension [ListElement] {
    /// Returns a registered element for each of these elements, which must be in list order. Duplicates are left out.
    /// - Parameter earlier: The elements that this device registered before. Elements in the same order as before keep
    ///   their positions.
    public func registeredElements(after earlier: [RegisteredElement] = []) -> [RegisteredElement] {
        var taken: Set<ByteText> = []
        let elements = enumerated().filter { taken.insert(ByteText($0.element.identifier)).inserted }
        let told = earlier.positions
        let positions = ListPositions(
            places: elements.map(\.offset), keeping: elements.map { told[ByteText($0.element.identifier)] })
        return zip(elements, positions.numbers).map { element, position in
            RegisteredElement(element.element.identifier, aliases: element.element.aliases, position: position)
        }
    }
}

extension [RegisteredElement] {
    fileprivate var positions: [ByteText: Int64] {
        Dictionary(map { (ByteText($0.identifier), $0.position) }) { first, _ in first }
    }
}

extension StateArchive {
    /// Returns, in list order, the elements of `dataSource` that this archive refers to, their saved neighbors, and the
    /// elements of `earlier`. Elements that are not in the list now are left out. Use this for a list that is too long
    /// to register completely; the archive must be from this device.
    ///
    /// Asks the data source at most once for the index path and aliases of each of these elements, and for no others,
    /// however long the list is. The data source need not implement `elementCounts(in:)`.
    ///
    /// - Parameters:
    ///   - dataSource: The data source of the elements.
    ///   - view: The view that shows the list, if the data source serves several views.
    ///   - earlier: The elements that this device registered before, including those from other archives. Those in the
    ///     same order as before keep their positions. An earlier element that is missing from the result was removed
    ///     from the list; an element of the result that is not in `earlier` must be registered.
    @MainActor
    public func registeredElements(
        of dataSource: any DataSourceModelAssociation, in view: (any ElementView)? = nil,
        after earlier: [RegisteredElement] = []
    ) -> [RegisteredElement] {
        let counts = dataSource.elementCounts(in: view)
        let references = references.lazy.filter { $0.dataSource == dataSource.dataSourceName }
        let referred = references.flatMap { [$0.itself] + $0.before + $0.after }.compactMap(\.identifier)
        var found: [(identifier: String, indexPath: ElementIndexPath)] = []
        for identifier in Set((referred + earlier.map(\.identifier)).map(ByteText.init)) {
            guard let indexPath = dataSource.indexPathForElement(withModelIdentifier: identifier.text, in: view),
                counts.isEmpty || counts.indices.contains(indexPath.section)
            else { continue }
            found.append((identifier.text, indexPath))
        }
        found.sort { $0.indexPath < $1.indexPath }
        let starts = counts.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }
        var elements = found.enumerated().map { index, element in
            let indexPath = element.indexPath
            let place = counts.isEmpty ? index : starts[indexPath.section] + indexPath.item
            return (identifier: element.identifier, place: place)
        }
        // If the counts are out of date, places may be in a different order than index paths.
        elements.sort { $0.place < $1.place }
        return dataSource.registered(elements, after: earlier.positions)
    }
}
