/// A place of another device where the person may continue.
public struct Offer: Sendable, Hashable {
    /// The place.
    public var place: ResumePoint
    /// This device's own newest place, to show it beside the offered one. Nil if there is none, and for an offer of this
    /// device's own state.
    public var ownPlace: ResumePoint?
    /// Whether the place is ahead of this device's own place or behind it, and by how much. Nil if the two places are not in
    /// the same item, or if the app gave no progress (`Place.Step.progress`).
    public var progress: Progress?
    /// Whether the place is behind, and the app wants such places quietly (`Placekeeper.Options.placesBehind`): show the
    /// offer without interrupting the person.
    public var isQuiet = false

    /// How far the offered place and this device's own place are in the same item.
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
