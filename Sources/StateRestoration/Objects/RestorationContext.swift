public import KeyedArchive

/// What a device is and runs, as every archive tells of it (row 27).
public struct RestorationContext: Sendable, Hashable {
    /// The number of a user interface idiom: unspecified −1, phone 0, pad 1, tv 2, carPlay 3, mac 5, vision 6.
    public var idiom: Int64
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
        idiom: Int64, bundleVersion: String? = nil, systemVersion: String? = nil, stateVersion: Int64? = nil,
        layout: ArchiveLayout? = nil
    ) {
        self.idiom = idiom
        self.bundleVersion = bundleVersion
        self.systemVersion = systemVersion
        self.stateVersion = stateVersion
        self.layout = layout
    }
}
