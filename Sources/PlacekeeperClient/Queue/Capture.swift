/// The header of a file with an archive: a capture of a scene that waits to be sent, or the last state of a scene.
package struct Capture: Sendable, Hashable, Codable {
    /// The archive's id: a UUID in lower case.
    package var archive: String
    /// The number of the capture in its scene. A later capture has a greater number.
    package var sequence: Int64
    /// The time of the person's last interaction before the capture.
    package var interactedAt: Moment
    /// The archive that was restored before the capture, if the person has not interacted since. The capture is then a
    /// glance at this archive.
    package var restored: Restored?
    /// The fidelity that the service gave for an archive of another device. Nil for an archive of this device.
    package var servedFidelity: String?

    /// An archive that the service served and that this device restored.
    package struct Restored: Sendable, Hashable, Codable {
        package var archive: String
        package var revision: Int64

        package init(archive: String, revision: Int64) {
            self.archive = archive
            self.revision = revision
        }
    }

    package init(
        archive: String, sequence: Int64, interactedAt: Moment, restored: Restored? = nil,
        servedFidelity: String? = nil
    ) {
        self.archive = archive
        self.sequence = sequence
        self.interactedAt = interactedAt
        self.restored = restored
        self.servedFidelity = servedFidelity
    }
}

/// The header of a file with an outcome that waits to be reported.
package struct QueuedOutcome: Sendable, Hashable, Codable {
    package var result: String
    package var archive: String
    /// The launch that restored the archive.
    package var launch: String
    package var idiom: Int64
    package var layout: String?
    package var bundleVersion: String?
    package var systemVersion: String?
    package var stateVersion: Int64?
    package var path: String?
    package var step: Int?
    /// The seconds that restoring took.
    package var duration: Double?
}

/// The header of a file that marks a restore that has begun and not ended.
package struct BegunRestore: Sendable, Hashable, Codable {
    package var outcome: QueuedOutcome
}
