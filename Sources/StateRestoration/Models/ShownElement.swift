public import KeyedArchive

/// The element that a screen shows, such as the photo that is open. On another device, or before the app has its data, it
/// may have yet to arrive: the screen is there and waits for it.
@MainActor
public struct ShownElement {
    /// What has the element.
    public let dataSource: any DataSourceModelAssociation
    /// What it is called here; nil until it has arrived.
    public private(set) var identifier: String?
    private let saved: ModelReference?

    /// Names an element that is there.
    public init(_ identifier: String, of dataSource: any DataSourceModelAssociation) {
        self.dataSource = dataSource
        self.identifier = identifier
        saved = nil
    }

    /// Finds an element. Nil when it is gone.
    /// - Parameters:
    ///   - reference: what the state says of it.
    ///   - dataSource: what knows the elements.
    ///   - mayArrive: whether the app is still loading its data, so that what is not there is not gone for that. The service
    ///     knows better where it was asked: what it calls pending may always arrive, and what it could not find is gone.
    public init?(_ reference: ModelReference, of dataSource: any DataSourceModelAssociation, mayArrive: Bool = false) {
        self.dataSource = dataSource
        saved = reference
        identifier = reference.identifier(in: dataSource)
        if identifier == nil, !reference.mayArrive(mayArrive) { return nil }
    }

    /// A reference to it, to be saved.
    public var reference: ModelReference? {
        if let identifier { return ModelReference(identifier, of: dataSource, role: saved?.role ?? .selected) }
        return saved?.savedAgain
    }

    /// Asks the data source to load it while it is not there. Look again then.
    public func reveal() async {
        if identifier == nil { _ = await saved?.reveal(in: dataSource) }
    }

    /// Looks again, when data has arrived.
    /// - Returns: whether it was found just now.
    public mutating func lookAgain() -> Bool {
        guard identifier == nil else { return false }
        identifier = saved?.identifier(in: dataSource)
        return identifier != nil
    }
}

extension ModelReference {
    /// What the element itself is called. No neighbour is shown in its place: what a person typed is not for that.
    @MainActor
    fileprivate func identifier(in dataSource: any DataSourceModelAssociation) -> String? {
        guard let found = resolve(in: dataSource), found.step != .neighbour else { return nil }
        return found.identifier
    }

    fileprivate func mayArrive(_ isLoading: Bool) -> Bool {
        switch resolution?.step {
        case .pending?: true
        case .neighbour?, .unresolved?: false
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
    /// The element that a screen showed. Nil when it is gone.
    /// - Parameters:
    ///   - dataSource: what knows the elements.
    ///   - mayArrive: whether the app is still loading its data, so that what is not there is not gone for that.
    ///   - key: what it was saved under.
    public func decodeShownElement(
        of dataSource: any DataSourceModelAssociation, mayArrive: Bool = false, forKey key: String
    ) -> ShownElement? {
        decodeReferences(forKey: key).first.flatMap { ShownElement($0, of: dataSource, mayArrive: mayArrive) }
    }
}
