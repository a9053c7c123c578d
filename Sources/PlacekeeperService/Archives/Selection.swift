package import PlacekeeperCore
package import PlacekeeperMatching

/// The result of `latest`: the archive that may be restored, or why there is none.
package enum Selection: Sendable {
    case served(Served, bytes: [UInt8])
    /// The requesting device already has this version of the archive.
    case notModified(Served)
    case nothingStored
    /// The refused candidates with their reasons, newest first, and the number of further refused candidates.
    case incompatible([JudgedArchive], omitted: Int, head: Revision)

    package struct Served: Sendable {
        package var archive: Archive
        package var fidelity: Fidelity
        package var head: Revision
        /// Nil if the archive is the scene's head.
        package var superseded: Superseded?
        /// Why the app should only offer the archive. Nil if the app may restore it without asking.
        package var caution: Reason?
        /// The number of references resolved by each step. Nil if no reference had to be resolved.
        package var references: [ItemResolution.Step: Int]?
        /// The digest of the served bytes, or nil if they are the uploaded bytes.
        package var rewritten: Digest?
        /// The requesting device's context.
        package var asked: Context
        /// Until when the same request gets the same response, provided that the user's version (`UserVersion.version`)
        /// doesn't change. Nil if the response must not be reused.
        package var expiry: Timestamp?

        package var version: ServedVersion {
            ServedVersion(
                revision: archive.revision, digest: archive.digest, rewritten: rewritten, fidelity: fidelity,
                superseded: superseded, isOnlyOffered: caution != nil, asked: asked)
        }
    }
}

/// A step-by-step explanation of the selection, without the archives' bytes.
package struct Explanation: Sendable {
    package var asked: Context
    /// The served candidate, or nil if there is none.
    package var served: ArchiveID?
    /// The candidates, newest first.
    package var candidates: [JudgedArchive]
    package var head: Revision?
    /// The first references of the served archive, at most `Limits.explainedReferences`. `Limits.explained` limits the
    /// bytes of their texts.
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
