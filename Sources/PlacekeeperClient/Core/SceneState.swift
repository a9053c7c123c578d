import PlacekeeperArchive

/// The state of a scene in this process. It is a class, because each step of the core reads the states of all scenes.
final class SceneState {
    var folder: SceneFolder
    /// The uptime at which the captures that wait are sent.
    var dueAt: Double?
    /// The uptime of the first capture that was not sent. The delay for later captures does not grow without limit.
    var firstSavedAt: Double?
    /// Whether a request with a capture or an outcome of this scene is on its way.
    var isSending = false
    /// The state that this process restored, while the person has not interacted since.
    var restored: Served?
    /// Whether the end of the restore of `restored` was reported.
    var hasReported = false
    /// The restore of this process, while it is at most 30 seconds old.
    var watch: RestoreWatch?
    /// The time of the person's last interaction with the scene in this process.
    var interactedAt: ClockReading?
    /// The reason why the service has no room for a capture that waits.
    var noRoom: PlacekeeperError?
    /// Whether the person has interacted with the scene since it was launched or restored.
    var hasInteracted = false
    /// Whether the app has told an interaction with the scene since it was installed, as far as this process knows.
    var knowsInteraction = false
    /// The state that was last restored, saved or reported as shown in this process.
    var shownContent: StateArchive?
    /// The first screen, which the app saved while a launch waited.
    var heldSave: (archive: StateArchive, snapshot: [UInt8]?, at: ClockReading)?
    /// The content of the last view-only capture that was counted.
    var lastViewOnly: StateArchive?
    /// Whether the person has interacted with the scene since its state was saved.
    var hasUnsavedInteraction = false
    /// Whether the newest state is the person's work in this process.
    var hasSavedWork = false
    /// Whether the app went to the background after the person's work was saved, or another screen opened without the
    /// person. A save without an interaction is then a view-only capture of this work.
    var wasLeft = false
    /// The content of the newest capture, without its time. Read when it is first needed.
    var newest: StateArchive?
    /// Whether `newest` was saved without an interaction after a restore.
    var newestIsViewOnly = false
    /// Whether the newest archive of all devices is the newest archive of this device. Nil if it is not known.
    var headIsOwn: Bool?
    /// The offer that the app has.
    var offer: Offer?
    /// Whether the offer is a state that this process could not restore, because the person's work overtook it. This
    /// work is newer, and does not end the offer.
    var offerIsOvertaken = false
    /// The archive that the service served for the offer.
    var offered: Served?
    /// The id of the place that the client reads, to compare it with this device's own place before it is offered.
    var proposed: String?
    /// The place that could not be read for a comparison.
    var unread: String?
    /// The id of a place that the client has read, and does not offer, because it is behind.
    var withheld: String?
    /// The revision of the scene's head for which the offer was made. The head is another archive than the offer if the
    /// head may not be restored here.
    var offeredHead: Int64?

    /// The archives that this process restored, which are not offered while it runs.
    var shown: Set<String> = []

    init(folder: SceneFolder) { self.folder = folder }

    /// Takes what is saved next for view-only captures at the saved work, until the person interacts again.
    func endSession() {
        guard hasSavedWork, !hasUnsavedInteraction else { return }
        (hasInteracted, hasSavedWork, wasLeft) = (false, false, true)
    }
}
