public import PlacekeeperArchive

/// The idiom, layout and versions of a device. An archive holds these values of the device that saved the archive
/// (seed row 27).
public struct RestorationContext: Sendable, Hashable {
    /// The device's idiom.
    public var idiom: UserInterfaceIdiom
    /// The app's bundle version.
    public var bundleVersion: String?
    /// The system's version.
    public var systemVersion: String?
    /// The app's version number for its state format.
    public var stateVersion: Int64?
    /// The horizontal size class of the screens' layout.
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
