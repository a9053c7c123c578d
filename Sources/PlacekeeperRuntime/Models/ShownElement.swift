public import PlacekeeperArchive

/// The element that a screen shows, such as a photo. On another device, or before the app has loaded its data, the data
/// source possibly does not have the element yet. In this case the screen exists and waits for the element.
@MainActor
public struct ShownElement {
    /// The data source of the element.
    public let dataSource: any ModelAssociation
    /// The element's model identifier on this device. Nil until the element has arrived.
    public private(set) var identifier: String?
    private let saved: ModelReference?

    /// Creates a shown element from an element that the app has loaded.
    public init(_ identifier: String, of dataSource: any ModelAssociation) {
        self.dataSource = dataSource
        self.identifier = identifier
        saved = nil
    }

    /// Finds the element of a saved reference. Nil if the element is not found and is not expected to arrive.
    /// - Parameters:
    ///   - reference: The saved reference.
    ///   - dataSource: The data source of the element.
    ///   - mayArrive: Whether the app is still loading its data, so that an element that is not found may still arrive.
    ///     The step of the service's resolution takes precedence over this parameter: with the step `pending`, the
    ///     element may still arrive, and with the step `unresolved` or `neighbor`, the element is not expected to
    ///     arrive.
    public init?(_ reference: ModelReference, of dataSource: any ModelAssociation, mayArrive: Bool = false) {
        self.dataSource = dataSource
        saved = reference
        identifier = reference.identifier(in: dataSource)
        if identifier == nil, !reference.mayArrive(mayArrive) { return nil }
    }

    /// A reference to the element, for saving.
    public var reference: ModelReference? {
        if let identifier { return ModelReference(identifier, in: dataSource, role: saved?.role ?? .selected) }
        return saved?.savedAgain
    }

    /// Asks the data source to load the element if the element has not arrived. Call `lookAgain()` afterward.
    public func reveal() async {
        if identifier == nil { _ = await saved?.revealElement(in: dataSource) }
    }

    /// Looks for the element again. Call this method when data has arrived.
    /// - Returns: Whether this call found the element.
    @discardableResult public mutating func lookAgain() -> Bool {
        guard identifier == nil else { return false }
        identifier = saved?.identifier(in: dataSource)
        return identifier != nil
    }
}

extension ModelReference {
    /// Returns the identifier of the element itself. Nil if the element is not found. A neighbor cannot replace the
    /// element, because a person's input belongs to the element.
    @MainActor
    fileprivate func identifier(in list: any ModelAssociation) -> String? {
        guard let found = find(in: list), found.step != .neighbor else { return nil }
        return found.identifier
    }

    fileprivate func mayArrive(_ isLoading: Bool) -> Bool {
        switch resolution?.step {
        case .pending?: true
        case .neighbor?, .unresolved?: false
        default: isLoading
        }
    }
}

extension StateEncoder {
    /// Saves a reference to the element that a screen shows.
    public func encode(_ element: ShownElement, forKey key: String) {
        encode(element.reference.map { .reference(index(of: $0)) } ?? .null, forKey: key)
    }
}

extension StateDecoder {
    /// Returns the element that a screen showed. Nil if no reference was saved under the key, or if the element is not
    /// found and is not expected to arrive.
    /// - Parameters:
    ///   - dataSource: The data source of the element.
    ///   - mayArrive: Whether the app is still loading its data, so that an element that is not found may still
    ///     arrive.
    ///   - key: The key of the saved reference.
    public func decodeShownElement(
        of dataSource: any ModelAssociation, mayArrive: Bool = false, forKey key: String
    ) -> ShownElement? {
        decodeReferences(forKey: key).first.flatMap { ShownElement($0, of: dataSource, mayArrive: mayArrive) }
    }
}
