/// A place on another device where the user may continue.
public struct Offer: Sendable, Hashable {
    /// The place.
    public var place: ResumePoint
    /// This device's own newest place, to show beside the offered one. `nil` if there is none, or if this device's own
    /// state is offered.
    public var ownPlace: ResumePoint?
    /// How far the place is ahead of this device's own place, or behind it. `nil` if the two places are in different
    /// items, or if the app did not set the progress (`Place.Step.progress`).
    public var progress: Progress?
    /// Whether the place is behind and `Placekeeper.Options.placesBehind` is `quiet`: show the offer without
    /// interrupting the user.
    public var isQuiet = false

    /// The progress of the offered place and of this device's own place in the same item.
    public struct Progress: Sendable, Hashable {
        /// The progress of the offered place, from 0 to 1.
        public var offered: Double
        /// The progress of this device's own place, from 0 to 1.
        public var own: Double

        /// Whether the offered place is ahead of this device's own place.
        public var isAhead: Bool { offered > own }
        /// Whether the offered place is behind this device's own place.
        public var isBehind: Bool { offered < own }
        /// The distance between the two places, from 0 to 1.
        public var distance: Double { abs(offered - own) }
    }
}

/// The newest state of one device in one scene, without its content.
public struct ResumePoint: Sendable, Hashable {
    /// The archive's id, a UUID.
    public var id: String
    /// The scene.
    public var scene: String
    /// The titles of the screens, from the first to the frontmost. Empty if the archive has no place.
    public var titles: [String]
    /// The name of the device that captured the archive, unless the device keeps it private.
    public var deviceName: String?
    /// The model of the device that captured the archive, such as `iPad13,1`.
    public var deviceModel: String?
    /// Whether this device captured the archive.
    public var isOwn: Bool
    /// Whether the archive is the newest of its scene.
    public var isLatest: Bool
    /// Whether this device may restore the archive, or at least its place.
    public var isRestorable: Bool
    /// The seconds between the user's last interaction and the service's response.
    public var age: Double
    /// Whether a screenshot is stored with the archive.
    public var hasSnapshot: Bool
    /// The number of the place's owner.
    package let owner: Int
}
