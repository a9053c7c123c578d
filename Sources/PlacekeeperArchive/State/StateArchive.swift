/// The complete content of an archive in Placekeeper's format (docs/archive-format.md), for reading and writing.
public struct StateArchive: Sendable, Hashable {
    /// The app's bundle version.
    public var bundleVersion: String?
    /// The number of the user interface idiom, as in `ArchiveSummary.idiom`.
    public var idiom: Int64?
    /// When the state was saved, in seconds since the start of 2001, UTC.
    public var timestamp: Double?
    /// The system version.
    public var systemVersion: String?
    /// The version number of the app's state format.
    public var stateVersion: Int64?
    /// The horizontal size class of the screens' layout.
    public var layout: ArchiveLayout?
    /// State that belongs to the app as a whole, in addition to the state of its objects.
    public var application: [String: StateValue]
    /// The restorable objects, roots first.
    public var objects: [RestorableObject]
    /// The saved copies of the app's objects.
    public var instances: [SavedInstance]
    /// The model references in the state and the place.
    public var references: [ModelReference]
    /// The place, if the app saved one.
    public var place: Place?
    /// Whether the state was left out because it was too large to send. Only the place can then be restored.
    public var isPlaceOnly = false

    /// Creates an archive from its content.
    public init(
        bundleVersion: String? = nil, idiom: Int64? = nil, timestamp: Double? = nil, systemVersion: String? = nil,
        stateVersion: Int64? = nil, layout: ArchiveLayout? = nil, application: [String: StateValue] = [:],
        objects: [RestorableObject] = [], instances: [SavedInstance] = [], references: [ModelReference] = [],
        place: Place? = nil
    ) {
        self.bundleVersion = bundleVersion
        self.idiom = idiom
        self.timestamp = timestamp
        self.systemVersion = systemVersion
        self.stateVersion = stateVersion
        self.layout = layout
        self.application = application
        self.objects = objects
        self.instances = instances
        self.references = references
        self.place = place
    }
}

extension StateArchive {
    /// Returns a copy without the state, and the copy's bytes. If the copy exceeds `limit` bytes, it keeps only the
    /// references of the place. `nil` if it is still too large or cannot be written.
    /// - Parameters:
    ///   - limit: The limit.
    ///   - mayDropValues: Whether to keep only the screens and their titles, rather than nothing.
    package func placeOnly(
        within limit: Int, mayDropValues: Bool = false
    ) -> (archive: StateArchive, bytes: [UInt8])? {
        let place = [withoutState, withoutState.withReferencesOfPlaceOnly]
        for archive in place + (mayDropValues ? [withoutState.withScreensOnly] : []) {
            if let bytes = try? archive.encoded(), bytes.count <= limit { return (archive, bytes) }
        }
        return nil
    }

    private var withoutState: StateArchive {
        var archive = self
        (archive.application, archive.objects, archive.instances, archive.isPlaceOnly) = ([:], [], [], true)
        return archive
    }

    private var withScreensOnly: StateArchive {
        var archive = self
        archive.references = []
        archive.place?.steps = place?.steps.map { Place.Step(screen: $0.screen, title: $0.title) } ?? []
        return archive
    }

    private var withReferencesOfPlaceOnly: StateArchive {
        var archive = self
        var kept: [ModelReference] = []
        var indices: [Int: Int] = [:]
        for step in archive.place?.steps.indices ?? 0..<0 {
            archive.place?.steps[step].moveReferences { index in
                if let known = indices[index] { return known }
                guard references.indices.contains(index) else { return nil }
                kept.append(references[index])
                indices[index] = kept.count - 1
                return kept.count - 1
            }
        }
        archive.references = kept
        return archive
    }
}

extension Place.Step {
    /// Renumbers the references. References without a new index are dropped.
    fileprivate mutating func moveReferences(_ index: (Int) -> Int?) {
        references = references.compactMap(index)
        parameters = parameters.compactMapValues { $0.movingReferences(index) }
    }
}

extension StateValue {
    /// Renumbers the references in a value. `nil` for a reference without a new index.
    package func movingReferences(_ index: (Int) -> Int?) -> StateValue? {
        switch self {
        case .reference(let old): index(old).map { .reference($0) }
        case .array(let elements): .array(elements.compactMap { $0.movingReferences(index) })
        case .dictionary(let entries): .dictionary(entries.compactMapValues { $0.movingReferences(index) })
        default: self
        }
    }
}
