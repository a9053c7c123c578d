/// The header of an archive file: a capture that has not been sent yet, or the last state of a scene.
struct Capture: Sendable, Equatable, Codable {
    /// The archive's id, a lowercase UUID.
    var archive: String
    /// The capture's number in its scene. Later captures have greater numbers.
    var sequence: Int64
    /// The number of a later capture that was sent but not kept: a view-only capture of another place. `nil` if there
    /// was none. The service knows this number, so the next capture needs a greater one.
    var laterSequence: Int64?
    /// The time of the user's last interaction before the capture.
    var interactedAt: ClockReading
    /// The archive that was restored before the capture, if the user has not interacted since. The capture is then a
    /// view-only capture of this archive.
    var restored: Restored?
    /// True if the app showed this screen before it restored anything and before the user interacted. `nil` otherwise.
    var isFirstScreen: Bool?
    /// True for a view-only capture of a place other than the restored one, such as a screen opened by a notification.
    /// It is sent, but never becomes the scene's last state. `nil` otherwise.
    var looksAway: Bool?
    /// The fidelity that the service allowed for another device's archive. `nil` for an archive of this device.
    var servedFidelity: String?

    /// An archive that the service served and this device restored.
    struct Restored: Sendable, Equatable, Codable {
        var archive: String
        var revision: Int64

        init(archive: String, revision: Int64) {
            self.archive = archive
            self.revision = revision
        }
    }

    /// Whether the state is not the user's work.
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

/// The header of an outcome file that has not been reported yet.
struct QueuedOutcome: Sendable, Equatable, Codable {
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
    /// The duration of the restore, in seconds.
    var duration: Double?
}

/// The header of the file that marks a process's restore. If the process dies, the next launch reads it.
struct BegunRestore: Sendable, Equatable, Codable {
    /// The outcome to report if the restore crashed the app.
    var outcome: QueuedOutcome
    /// The time of the restore.
    var at: ClockReading?
    /// True if the restore has succeeded, but the process is still watched because the restore is at most 30 seconds
    /// old.
    var hasEndedWell: Bool?
    /// Related archives: the restored archive's origin, if it is a view-only capture, and the newest state saved since
    /// the restore.
    var related: [String]?
}
