public import PlacekeeperArchive

/// The element that a screen shows, such as a photo. On another device, or before the app has loaded its data, the
/// element may be missing; the screen then exists and waits for it.
@MainActor
public struct ShownElement {
    /// The data source of the element.
    public let dataSource: any ModelAssociation
    /// The element's model identifier on this device. `nil` until the element arrives.
    public private(set) var identifier: String?
    private let saved: ModelReference?

    /// Creates a shown element that the app has already loaded.
    public init(_ identifier: String, of dataSource: any ModelAssociation) {
        self.dataSource = dataSource
        self.identifier = identifier
        saved = nil
    }

    /// Finds the element of a saved reference. `nil` if it is not found and not expected to arrive.
    /// - Parameters:
    ///   - reference: The saved reference.
    ///   - dataSource: The data source of the element.
    ///   - mayArrive: Whether the app is still loading its data, so a missing element may still arrive. The service's
    ///     resolution takes precedence: with the step `pending`, the element may arrive; with `unresolved` or
    ///     `neighbor`, it will not.
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

    /// Asks the data source to load the element if it has not arrived. Call `lookAgain()` afterward.
    public func reveal() async {
        if identifier == nil { _ = await saved?.revealElement(in: dataSource) }
    }

    /// Searches for the element again. Call this when data has arrived.
    /// - Returns: Whether this call found the element.
    @discardableResult public mutating func lookAgain() -> Bool {
        guard identifier == nil else { return false }
        identifier = saved?.identifier(in: dataSource)
        return identifier != nil
    }
}

extension ModelReference {
    /// Returns the identifier of the element itself, if it is found. A neighbor cannot stand in, because a person's
    /// input belongs to the element.
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
    /// Saves a reference to the element on screen.
    public func encode(_ element: ShownElement, forKey key: String) {
        encode(element.reference.map { .reference(index(of: $0)) } ?? .null, forKey: key)
    }
}

extension StateDecoder {
    /// Returns the element that a screen showed. `nil` if no reference was saved under the key, or if the element is
    /// not found and not expected to arrive.
    /// - Parameters:
    ///   - dataSource: The data source of the element.
    ///   - mayArrive: Whether the app is still loading its data, so a missing element may still arrive.
    ///   - key: The key of the saved reference.
    public func decodeShownElement(
        of dataSource: any ModelAssociation, mayArrive: Bool = false, forKey key: String
    ) -> ShownElement? {
        decodeReferences(forKey: key).first.flatMap { ShownElement($0, of: dataSource, mayArrive: mayArrive) }
    }
}
