package import PlacekeeperCore

/// An uploaded archive.
package struct Upload: Sendable {
    package var id: ArchiveID
    package var scene: String
    package var bytes: [UInt8]
    /// The context from the query: idiom, layout and versions. It must not contradict the archive's own values.
    package var idiom: Idiom?
    package var layout: Layout?
    package var bundleVersion: String?
    package var systemVersion: String?
    package var stateVersion: Int64?
    /// The uptime (`Clock`) when the request head arrived. Nil means now.
    package var arrivedAt: Duration?
    /// The time between the last interaction that changed the state and the arrival of the upload.
    package var interactionAge = Duration.zero
    /// The value of the `Capture-Sequence` field.
    package var sequence: Int64?
    /// The revision from which the state was restored, if the user hasn't interacted since then.
    package var restoredFrom: Revision?
    /// The `If-Head` precondition.
    package var precondition: HeadPrecondition?

    package init(id: ArchiveID, scene: String, bytes: [UInt8]) {
        self.id = id
        self.scene = scene
        self.bytes = bytes
    }
}
