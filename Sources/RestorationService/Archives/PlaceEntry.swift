/// A person's place that may be continued: a device's head in a scene.
package struct PlaceEntry: Sendable {
    package var archive: Archive
    /// nil when the device was revoked: its archives stay.
    package var device: Device?
    /// For the requesting device; nil when nothing of it may be restored.
    package var fidelity: Fidelity?
    /// Whether it is the scene's head over all devices.
    package var isHead: Bool

    /// Where it stands among the user's places: first what may be restored, the newest foremost.
    package struct Position: Sendable, Hashable {
        package var isRestorable: Bool
        package var archive: Archive.Position

        package init(isRestorable: Bool, archive: Archive.Position) {
            self.isRestorable = isRestorable
            self.archive = archive
        }

        func isBehind(_ other: Position) -> Bool {
            isRestorable == other.isRestorable ? archive < other.archive : other.isRestorable
        }
    }

    package var position: Position { Position(isRestorable: fidelity != nil, archive: archive.position) }
}
