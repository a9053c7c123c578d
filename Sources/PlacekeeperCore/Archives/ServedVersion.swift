/// The facts that determine which bytes and which fidelity a device was served. Two responses with equal versions are
/// the same to the device.
package struct ServedVersion: Sendable, Hashable {
    package var revision: Revision
    /// The digest of the archive as uploaded.
    package var digest: Digest
    /// The digest of the served bytes. Nil if they are the bytes as uploaded.
    package var rewritten: Digest?
    package var fidelity: Fidelity
    package var superseded: Superseded?
    /// Whether the app may only offer the archive (`JudgedArchive.caution`).
    package var isOnlyOffered: Bool
    /// The requesting device's context.
    package var asked: Context

    package init(
        revision: Revision, digest: Digest, rewritten: Digest? = nil, fidelity: Fidelity,
        superseded: Superseded? = nil, isOnlyOffered: Bool = false, asked: Context
    ) {
        self.revision = revision
        self.digest = digest
        self.rewritten = rewritten
        self.fidelity = fidelity
        self.superseded = superseded
        self.isOnlyOffered = isOnlyOffered
        self.asked = asked
    }
}

/// An archive that is not its scene's head over all devices, even if only one device's archives were requested. A
/// client never restores a superseded archive automatically.
package struct Superseded: Sendable, Hashable {
    /// The revision of the scene's head.
    package var head: Revision
    /// The time from the capture of the archive to the capture of the head.
    package var by: Duration

    package init(head: Revision, by: Duration) {
        self.head = head
        self.by = by
    }

    /// Nil unless the archive is below the head of its scene.
    package init?(_ archive: Archive, below head: Archive.Position) {
        guard archive.position < head else { return nil }
        self.init(head: head.revision, by: max(head.capturedAt - archive.stateTime, .zero))
    }
}
