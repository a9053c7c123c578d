/// The header of a file with an archive: a capture of a scene that waits to be sent, or the last state of a scene.
struct Capture: Sendable, Hashable, Codable {
    /// The archive's id: a UUID in lower case.
    var archive: String
    /// The number of the capture in its scene. A later capture has a greater number.
    var sequence: Int64
    /// The number of a later capture that was sent and not kept: a view-only capture of another place. Nil if there was none. The
    /// service knows this number, so the next capture must have a greater one.
    var laterSequence: Int64?
    /// The time of the person's last interaction before the capture.
    var interactedAt: ClockReading
    /// The archive that was restored before the capture, if the person has not interacted since. The capture is then a
    /// view-only capture of this archive.
    var restored: Restored?
    /// True for a screen that the app showed before it restored anything and before the person interacted. Nil otherwise.
    var isFirstScreen: Bool?
    /// True for a view-only capture of another place than the restored one, such as a screen that a notification opened. Such a
    /// view-only capture is sent, and never becomes the scene's last state. Nil otherwise.
    var looksAway: Bool?
    /// The fidelity that the service gave for an archive of another device. Nil for an archive of this device.
    var servedFidelity: String?

    /// An archive that the service served and that this device restored.
    struct Restored: Sendable, Hashable, Codable {
        var archive: String
        var revision: Int64

        init(archive: String, revision: Int64) {
            self.archive = archive
            self.revision = revision
        }
    }

    /// Whether the state is not the person's work.
    var isView: Bool { restored != nil || isFirstScreen == true }

    init(
        archive: String, sequence: Int64, interactedAt: ClockReading, restored: Restored? = nil,
        isFirstScreen: Bool? = nil,
        looksAway: Bool? = nil, servedFidelity: String? = nil
    ) {
        self.archive = archive
        self.sequence = sequence
        self.interactedAt = interactedAt
        self.restored = restored
        self.isFirstScreen = isFirstScreen
        self.looksAway = looksAway
        self.servedFidelity = servedFidelity
    }
}

/// The header of a file with an outcome that waits to be reported.
struct QueuedOutcome: Sendable, Hashable, Codable {
    var result: String
    var archive: String
    /// The launch that restored the archive.
    var launch: String
    var idiom: Int64
    var layout: String?
    var bundleVersion: String?
    var systemVersion: String?
    var stateVersion: Int64?
    var path: String?
    var step: Int?
    /// The seconds that restoring took.
    var duration: Double?
}

/// The header of a file that marks a restore of a process. If the process dies, the next launch reads it.
struct BegunRestore: Sendable, Hashable, Codable {
    /// The report if the restore crashed the app.
    var outcome: QueuedOutcome
    /// The time of the restore.
    var at: ClockReading?
    /// True if the restore has ended well, and the process is watched because the restore is at most 30 seconds old.
    var hasEndedWell: Bool?
    /// The archives with the same content: the archive at which the restored one is a view-only capture, and the newest state that
    /// the process has saved since.
    var related: [String]?
}
