/// A person's place that may be continued: a device's head in a scene.
package struct Place: Sendable {
    package var archive: Archive
    /// nil when the device was revoked: its archives stay.
    package var device: Device?
    /// For the asker; nil when nothing of it may be restored.
    package var fidelity: Fidelity?
    /// Whether it is the scene's head over all devices.
    package var isHead: Bool
}
