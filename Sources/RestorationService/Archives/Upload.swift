/// An uploaded archive.
package struct Upload: Sendable {
    package var id: ArchiveID
    package var scene: String
    package var bytes: [UInt8]
    /// The context from the query. The archive's own values must not contradict it.
    package var idiom: Idiom?
    package var layout: Layout?
    package var bundleVersion: String?
    package var systemVersion: String?
    package var stateVersion: Int64?
    /// When the first bytes arrived. Nil means now.
    package var arrivedAt: Timestamp?
    /// The time from the user's last interaction that changed the state to the arrival.
    package var interactionAge = Duration.zero
    /// The `Capture-Sequence`.
    package var sequence: Int64?
    /// The revision that the state was restored from, if the user has not interacted since.
    package var restoredFrom: Revision?
    /// The precondition `If-Head`.
    package var precondition: HeadPrecondition?

    package init(id: ArchiveID, scene: String, bytes: [UInt8]) {
        self.id = id
        self.scene = scene
        self.bytes = bytes
    }
}
