/// What `latest` answers: the archive that may be restored, or why none may.
package enum Selection: Sendable {
    case served(Served, bytes: [UInt8])
    /// The requesting device has this one already (its entity tag was given).
    case notModified(Served)
    case nothingStored
    /// The candidates with their reasons, from the head backwards, and how many more were refused.
    case incompatible([Explanation.Candidate], omitted: Int, head: Revision)

    package struct Served: Sendable {
        package var archive: Archive
        package var fidelity: Fidelity
        package var entityTag: String
        package var head: Revision
        /// nil when it is the head; the asked device's head, where one device's archives were asked for.
        package var superseded: Superseded?
        /// How many references were resolved by each step; nil where none had to be.
        package var references: [ItemResolution.Step: Int]?
        /// What it knew of the user's identities; nil when it depends on none.
        var identity: IdentityVersions.Stamp?
    }
}

/// That an answer is not the head, and so is never applied by itself.
package struct Superseded: Sendable, Hashable {
    /// The revision of the head that could not be served.
    package var head: Revision
    /// How much older than that head the answer is.
    package var by: Duration

    package init(head: Revision, by: Duration) {
        self.head = head
        self.by = by
    }
}

/// Why one candidate is not served in full: a stable code and the two values compared.
package struct Reason: Sendable, Hashable {
    /// Such as `bundle-version-newer`.
    package var code: String
    /// What the archive has.
    package var archive: String?
    /// What the requesting device has, or the policy asks for.
    package var required: String?
    /// What it stands in the way of: full state, or the archive altogether.
    package var blocks: Fidelity

    package init(code: String, archive: String? = nil, required: String? = nil, blocks: Fidelity) {
        self.code = code
        self.archive = archive
        self.required = required
        self.blocks = blocks
    }
}

/// The selection told step by step, without the bytes.
package struct Explanation: Sendable {
    package struct Candidate: Sendable {
        package var archive: Archive
        /// nil when it may not be restored at all.
        package var fidelity: Fidelity?
        package var reasons: [Reason]

        /// Whether it was refused for want of a version of the asking app to compare by.
        package func lacksVersion(of asked: Context) -> Bool {
            asked.bundleVersion == nil && reasons.contains { $0.code == Reason.Code.bundleVersionNewer.rawValue }
        }
    }

    package var asked: Context
    /// The candidate that is served; nil when none is.
    package var served: ArchiveID?
    /// From the head backwards.
    package var candidates: [Candidate]
    package var head: Revision?
    /// Of the archive that is served, the first `Limits.explainedReferences`, or those that `Limits.explained` bytes tell.
    package var references: [ReferenceExplanation]
    /// How many there are.
    package var referenceCount: Int
    /// The user's devices, the one that asks, and the one that made the archive that is served.
    package var devices: [DeviceID: Device]
    package var asking: DeviceID
    package var source: DeviceID?
}
