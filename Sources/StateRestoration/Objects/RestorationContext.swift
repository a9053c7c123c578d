public import KeyedArchive

/// What a device is and runs, as every archive tells of it (row 27).
public struct RestorationContext: Sendable, Hashable {
    /// How it is used.
    public var idiom: UserInterfaceIdiom
    /// The app's bundle version.
    public var bundleVersion: String?
    /// The system's version.
    public var systemVersion: String?
    /// The app's own number for its interface.
    public var stateVersion: Int64?
    /// The horizontal size class that the screens are laid out for.
    public var layout: ArchiveLayout?

    /// Tells what a device is and runs.
    public init(
        idiom: UserInterfaceIdiom, bundleVersion: String? = nil, systemVersion: String? = nil,
        stateVersion: Int64? = nil,
        layout: ArchiveLayout? = nil
    ) {
        self.idiom = idiom
        self.bundleVersion = bundleVersion
        self.systemVersion = systemVersion
        self.stateVersion = stateVersion
        self.layout = layout
    }
}
