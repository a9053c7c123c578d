/// The complete content of an archive in Placekeeper's format (docs/archive-format.md), for reading and writing.
public struct StateArchive: Sendable, Hashable {
    /// The app's bundle version.
    public var bundleVersion: String?
    /// The number of the user interface idiom, as in `ArchiveSummary.idiom`.
    public var idiom: Int64?
    /// The time when the state was saved, in seconds since the start of 2001, UTC.
    public var timestamp: Double?
    /// The system's version.
    public var systemVersion: String?
    /// The version number that the app gives to its interface.
    public var stateVersion: Int64?
    /// The horizontal size class that the screens were laid out for.
    public var layout: ArchiveLayout?
    /// The state that the app saved for itself, in addition to the state of its objects.
    public var application: [String: StateValue]
    /// The restorable objects. Roots come first.
    public var objects: [RestorableObject]
    /// The saved copies of the app's objects.
    public var instances: [SavedInstance]
    /// The model references of the state and the place.
    public var references: [ModelReference]
    /// The place. Nil if the app gave no place.
    public var place: Place?

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
