public import PlacekeeperArchive

/// The idiom, layout and versions of a device. Each archive contains those of the device that saved it (seed row 27).
public struct RestorationContext: Sendable, Hashable {
    /// The device's idiom.
    public var idiom: UserInterfaceIdiom
    /// The app's bundle version.
    public var bundleVersion: String?
    /// The system version.
    public var systemVersion: String?
    /// The version number of the app's state format.
    public var stateVersion: Int64?
    /// The horizontal size class of the layout.
    public var layout: ArchiveLayout?

    /// Creates a context.
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
