package import PlacekeeperCore

/// A place that the user may continue: the newest archive of one device in one scene.
package struct PlaceEntry: Sendable {
    package var archive: Archive
    /// The device that made the archive. Nil if the device was revoked, because the archives of a revoked device stay.
    package var device: Device?
    /// The fidelity at which the requesting device may restore the archive. Nil if the device may not restore the
    /// archive.
    package var fidelity: Fidelity?
    /// Whether the archive is the scene's head over all devices.
    package var isHead: Bool

    /// The position of an entry among the user's places. Restorable places come before other places. Within each group,
    /// newer places come first.
    package struct Position: Sendable, Hashable {
        package var isRestorable: Bool
        package var archive: Archive.Position

        package init(isRestorable: Bool, archive: Archive.Position) {
            self.isRestorable = isRestorable
            self.archive = archive
        }
    }

    package var position: Position { Position(isRestorable: fidelity != nil, archive: archive.position) }
}
