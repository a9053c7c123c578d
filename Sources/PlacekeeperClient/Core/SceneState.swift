import PlacekeeperArchive

/// The state of a scene in this process. A class, because each step of the core reads the states of all scenes.
final class SceneState {
    var folder: SceneFolder
    /// The uptime at which to send the pending captures.
    var dueAt: Double?
    /// The uptime of the first unsent capture, which limits how long later captures can delay the upload.
    var firstSavedAt: Double?
    /// Whether a request with a capture or an outcome of this scene is in flight.
    var isSending = false
    /// The state that this process restored, until the user interacts.
    var restored: Served?
    /// Whether the outcome of restoring `restored` was reported.
    var hasReported = false
    /// The restore of this process, while it is at most 30 seconds old.
    var watch: RestoreWatch?
    /// The time of the user's last interaction with the scene in this process.
    var interactedAt: ClockReading?
    /// The service's refusal of a pending capture for lack of room.
    var noRoom: PlacekeeperError?
    /// Whether the user has interacted with the scene since it was launched or restored.
    var hasInteracted = false
    /// Whether the app has ever reported an interaction with the scene since the app was installed, as far as this
    /// process knows.
    var knowsInteraction = false
    /// The state that this process last restored, saved or reported as shown.
    var shownContent: StateArchive?
    /// The first screen, which the app saved while a launch was in progress.
    var heldSave: (archive: StateArchive, snapshot: [UInt8]?, at: ClockReading)?
    /// The content of the last view-only capture that was counted.
    var lastViewOnly: StateArchive?
    /// Whether the user has interacted with the scene since its state was saved.
    var hasUnsavedInteraction = false
    /// Whether the newest state is the user's work in this process.
    var hasSavedWork = false
    /// Whether, after the user's work was saved, the app went to the background or another screen opened on its own. A
    /// save without an interaction is then a view-only capture of this work.
    var wasLeft = false
    /// The content of the newest capture, ignoring its time. Loaded lazily.
    var newest: StateArchive?
    /// Whether `newest` was saved without an interaction after a restore.
    var newestIsViewOnly = false
    /// Whether this device's newest archive is also the newest of all devices. `nil` if unknown.
    var headIsOwn: Bool?
    /// The current offer to the app.
    var offer: Placekeeper.Offer?
    /// Whether the offered state was not restored because the user was already working. That work is newer, but does
    /// not withdraw the offer.
    var offerIsOvertaken = false
    /// The archive that the service served for the offer.
    var offered: Served?
    /// The id of the place that the client is reading, to compare it with this device's own place before offering it.
    var proposed: String?
    /// The id of the place that could not be read for a comparison.
    var unread: String?
    /// The id of a place that the client has read but does not offer, because it is behind this device's own place.
    var withheld: String?
    /// The revision of the scene's head when the offer was made. The offer is a different archive if the head may not
    /// be restored here.
    var offeredHead: Int64?

    /// The archives that this process restored. They are not offered again while it runs.
    var shown: Set<String> = []

    init(folder: SceneFolder) { self.folder = folder }

    /// Until the next interaction, saves count as view-only captures of the saved work.
    func endSession() {
        guard hasSavedWork, !hasUnsavedInteraction else { return }
        (hasInteracted, hasSavedWork, wasLeft) = (false, false, true)
    }
}
