/// A place of another device where the person may continue.
public struct Offer: Sendable, Hashable {
    /// The place.
    public var place: ResumePoint
}

/// The newest state of one device in one scene, without its content.
public struct ResumePoint: Sendable, Hashable {
    /// The id of the archive: a UUID.
    public var id: String
    /// The scene.
    public var scene: String
    /// The titles of the screens, from the first to the frontmost screen. Empty if the archive has no place.
    public var titles: [String]
    /// The name of the device that captured the archive, if the device tells it.
    public var deviceName: String?
    /// The model of the device that captured the archive, such as `iPad13,1`.
    public var deviceModel: String?
    /// Whether this device captured the archive.
    public var isOwn: Bool
    /// Whether the archive is the newest of its scene.
    public var isLatest: Bool
    /// Whether this device may restore the archive, in full or its place.
    public var isRestorable: Bool
    /// The seconds since the person's last interaction, when the service answered.
    public var age: Double
    /// Whether a snapshot of the screen is stored with the archive.
    public var hasSnapshot: Bool
    /// The number of the owner whose place it is.
    package let owner: Int
}
