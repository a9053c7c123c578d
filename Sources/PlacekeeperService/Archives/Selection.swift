package import PlacekeeperCore
package import PlacekeeperMatching

/// The answer of `latest`: the archive that may be restored, or the reasons against all archives.
package enum Selection: Sendable {
    case served(Served, bytes: [UInt8])
    /// The requesting device already has this version of the archive.
    case notModified(Served)
    case nothingStored
    /// The refused candidates with their reasons, the newest first, and the number of further refused candidates.
    case incompatible([JudgedArchive], omitted: Int, head: Revision)

    package struct Served: Sendable {
        package var archive: Archive
        package var fidelity: Fidelity
        package var head: Revision
        /// Nil if the archive is the head of the scene.
        package var superseded: Superseded?
        /// The reason for which the app only offers the archive. Nil if it may restore the archive without asking.
        package var caution: Reason?
        /// The number of references that each step resolved. Nil if no reference had to be resolved.
        package var references: [ItemResolution.Step: Int]?
        /// The digest of the served bytes. Nil if the served bytes are the archive's uploaded bytes.
        package var rewritten: Digest?
        /// The requesting device's context.
        package var asked: Context
        /// The last time at which the service gives the same answer to the same request, as long as the user's version
        /// (`UserVersion.version`) is the same. Nil if the service must answer each request anew.
        package var expiry: Timestamp?

        package var version: ServedVersion {
            ServedVersion(
                revision: archive.revision, digest: archive.digest, rewritten: rewritten, fidelity: fidelity,
                superseded: superseded, isOnlyOffered: caution != nil, asked: asked)
        }
    }
}

/// An explanation of the selection, step by step, without the archives' bytes.
package struct Explanation: Sendable {
    package var asked: Context
    /// The served candidate. Nil if no candidate is served.
    package var served: ArchiveID?
    /// The candidates, the newest first.
    package var candidates: [JudgedArchive]
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
