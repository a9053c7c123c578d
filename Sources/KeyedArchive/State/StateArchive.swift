/// Everything that an archive of Placekeeper's own format holds (docs/archive-format.md), to be read and written.
public struct StateArchive: Sendable, Hashable {
    /// The app's bundle version.
    public var bundleVersion: String?
    /// The number of a user interface idiom, as in `ArchiveSummary.idiom`.
    public var idiom: Int64?
    /// When the state was saved, in seconds since the start of 2001, UTC.
    public var timestamp: Double?
    /// The system's version.
    public var systemVersion: String?
    /// The app's own number for its interface.
    public var stateVersion: Int64?
    /// The horizontal size class that the screens were laid out for.
    public var layout: ArchiveLayout?
    /// What the app saved with its own coder, beside its objects.
    public var application: [String: StateValue]
    /// The objects, roots first.
    public var objects: [RestorableObject]
    /// Objects of the app's own that were saved by copy.
    public var instances: [SavedInstance]
    /// The elements of data sources that state and place refer to.
    public var references: [ModelReference]
    /// The route, when the app gave one.
    public var place: Place?

    /// Makes an archive of what it is to hold.
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
