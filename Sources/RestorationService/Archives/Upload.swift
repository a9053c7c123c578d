/// An archive as it was uploaded.
package struct Upload: Sendable {
    package var id: ArchiveID
    package var scene: String
    package var bytes: [UInt8]
    /// Context from the query; what the archive says itself must not contradict it.
    package var idiom: Idiom?
    package var layout: Layout?
    package var bundleVersion: String?
    package var systemVersion: String?
    package var stateVersion: Int64?
    /// When its first bytes came; nil for now.
    package var arrivedAt: Timestamp?
    /// How long before that the user last did something that changed the state.
    package var interactionAge = Duration.zero
    /// `Capture-Sequence`.
    package var sequence: Int64?
    /// The revision that the state was restored from, when the user did nothing since.
    package var restoredFrom: Revision?
    /// `If-Head`.
    package var precondition: HeadPrecondition?

    package init(id: ArchiveID, scene: String, bytes: [UInt8]) {
        self.id = id
        self.scene = scene
        self.bytes = bytes
    }
}
