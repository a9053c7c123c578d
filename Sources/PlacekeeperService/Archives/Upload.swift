package import PlacekeeperCore

/// An uploaded archive.
package struct Upload: Sendable {
    package var id: ArchiveID
    package var scene: String
    package var bytes: [UInt8]
    /// The context from the query: the idiom, the layout and the versions. The archive's own values must not
    /// contradict these values.
    package var idiom: Idiom?
    package var layout: Layout?
    package var bundleVersion: String?
    package var systemVersion: String?
    package var stateVersion: Int64?
    /// The uptime (`Clock`) at which the request head arrived. Nil means the current uptime.
    package var arrivedAt: Duration?
    /// The time from the user's last interaction that changed the state to the arrival of the upload.
    package var interactionAge = Duration.zero
    /// The value of the field `Capture-Sequence`.
    package var sequence: Int64?
    /// The revision that the state was restored from, if the user has not interacted since the restore.
    package var restoredFrom: Revision?
    /// The precondition `If-Head`.
    package var precondition: HeadPrecondition?

    package init(id: ArchiveID, scene: String, bytes: [UInt8]) {
        self.id = id
        self.scene = scene
        self.bytes = bytes
    }
}
