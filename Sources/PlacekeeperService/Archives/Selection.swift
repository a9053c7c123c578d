/// The answer of `latest`: the archive that may be restored, or the reasons against all archives.
package enum Selection: Sendable {
    case served(Served, bytes: [UInt8])
    /// The requesting device already has this version of the archive.
    case notModified(Served)
    case nothingStored
    /// The refused candidates with their reasons, the newest first, and the number of further refused candidates.
    case incompatible([Explanation.Candidate], omitted: Int, head: Revision)

    package struct Served: Sendable {
        package var archive: Archive
        package var fidelity: Fidelity
        package var head: Revision
        /// Nil if the archive is the head of the scene.
        package var superseded: Superseded?
        /// The number of references that each step resolved. Nil if no reference had to be resolved.
        package var references: [ItemResolution.Step: Int]?
        /// The digest of the served bytes. Nil if the served bytes are the archive's uploaded bytes.
        package var rewritten: Digest?
        /// The requesting device's context.
        package var asked: Context
        /// The last time at which the service gives the same answer to the same request, as long as the user's version
        /// (`Freshness.version`) is the same. Nil if the service must answer each request anew.
        package var expiry: Timestamp?

        package var version: ServedVersion {
            ServedVersion(
                revision: archive.revision, digest: archive.digest, rewritten: rewritten, fidelity: fidelity,
                superseded: superseded, asked: asked)
        }
    }
}

/// The facts that determine the bytes and the fidelity that a device was served. Two answers with equal versions are
/// the same for the device.
package struct ServedVersion: Sendable, Hashable {
    package var revision: Revision
    /// The digest of the archive as it was uploaded.
    package var digest: Digest
    /// The digest of the served bytes. Nil if the served bytes are the archive's uploaded bytes.
    package var rewritten: Digest?
    package var fidelity: Fidelity
    package var superseded: Superseded?
    /// The requesting device's context.
    package var asked: Context

    package init(
        revision: Revision, digest: Digest, rewritten: Digest? = nil, fidelity: Fidelity,
        superseded: Superseded? = nil, asked: Context
    ) {
        self.revision = revision
        self.digest = digest
        self.rewritten = rewritten
        self.fidelity = fidelity
        self.superseded = superseded
        self.asked = asked
    }
}

/// Shows that an archive is not its scene's head, also if only one device's archives were requested. A client never
/// restores a superseded archive automatically.
package struct Superseded: Sendable, Hashable {
    /// The revision of the scene's head.
    package var head: Revision
    /// The time between the capture of the archive and the capture of the head.
    package var by: Duration

    package init(head: Revision, by: Duration) {
        self.head = head
        self.by = by
    }

    /// Nil if the archive is not below the head of its scene.
    package init?(_ archive: Archive, below head: Archive.Position) {
        guard archive.position < head else { return nil }
        self.init(head: head.revision, by: head.capturedAt - archive.capturedAt)
    }
}

/// A reason against serving a candidate in full: a stable code and the two compared values.
package struct Reason: Sendable, Hashable {
    /// The code, such as `bundle-version-newer`.
    package var code: String
    /// The archive's value.
    package var archive: String?
    /// The requesting device's value, or the value that the policy requires.
    package var required: String?
    /// The fidelity that the reason excludes: `full` excludes only the full state, and `place` excludes the whole
    /// archive.
    package var blocks: Fidelity
    /// The details of the failed restore, if the archive is quarantined.
    package var details: Outcome.Details

    package init(
        code: String, archive: String? = nil, required: String? = nil, blocks: Fidelity,
        details: Outcome.Details = Outcome.Details()
    ) {
        self.code = code
        self.archive = archive
        self.required = required
        self.blocks = blocks
        self.details = details
    }
}

/// An explanation of the selection, step by step, without the archives' bytes.
package struct Explanation: Sendable {
    package struct Candidate: Sendable {
        package var archive: Archive
        /// Nil if the archive may not be restored at all.
        package var fidelity: Fidelity?
        package var reasons: [Reason]

        /// Returns whether the archive was refused because the requesting app gave no bundle version.
        package func lacksVersion(of asked: Context) -> Bool {
            asked.bundleVersion == nil && reasons.contains { $0.code == Reason.Code.bundleVersionNewer.rawValue }
        }
    }

    package var asked: Context
    /// The served candidate. Nil if no candidate is served.
    package var served: ArchiveID?
    /// The candidates, the newest first.
    package var candidates: [Candidate]
    package var head: Revision?
    /// The first references of the served archive: at most `Limits.explainedReferences` references. `Limits.explained`
    /// limits the bytes of their texts.
    package var references: [ReferenceExplanation]
    /// The number of references in the served archive.
    package var referenceCount: Int
    /// The user's devices. Empty if `references` is empty.
    package var devices: [DeviceID: Device]
    /// The requesting device.
    package var asking: DeviceID
    /// The device that made the served archive.
    package var source: DeviceID?
}
