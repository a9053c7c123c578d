package import PlacekeeperCore

/// A place where the user can continue: a device's newest archive in a scene.
package struct PlaceEntry: Sendable {
    package var archive: Archive
    /// The device that made the archive. Nil if the device was revoked: its archives are kept.
    package var device: Device?
    /// The fidelity at which the requesting device may restore the archive, or nil if it may not.
    package var fidelity: Fidelity?
    /// Whether the archive is the scene's head across all devices.
    package var isHead: Bool

    /// An entry's position among the user's places. Restorable places come first. Among the restorable places, and
    /// among the others, newer places come first.
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
