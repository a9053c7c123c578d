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
    /// What the user has done in the scene since it was launched or restored.
    var work = Work.none
    /// Whether the app has ever reported an interaction with the scene since the app was installed, as far as this
    /// process knows.
    var knowsInteraction = false
    /// The state that this process last restored, saved or reported as shown.
    var shownContent: StateArchive?
    /// The first screen, which the app saved while a launch was in progress.
    var heldSave: (archive: StateArchive, snapshot: [UInt8]?, at: ClockReading)?
    /// The content of the last view-only capture that was counted.
    var lastViewOnly: StateArchive?
    /// The content of the newest capture, ignoring its time, and whether it is a view-only capture. Loaded lazily.
    var newest: (content: StateArchive, isViewOnly: Bool)?
    /// Whether this device's newest archive is also the newest of all devices. `nil` if unknown.
    var headIsOwn: Bool?
    /// The current offer to the app, with what the core knows about it.
    var offered: Offered?
    /// The id of the place that the client is reading, to compare it with this device's own place before offering it.
    var proposed: String?
    /// The id of the place that could not be read for a comparison.
    var unread: String?
    /// The id of a place that the client has read but does not offer, because it is behind this device's own place.
    var withheld: String?
    /// The archives that this process restored. They are not offered again while it runs.
    var shown: Set<String> = []
    /// The archives that this version of the app must not restore again, as of the launch. They are not offered either.
    var refused: Set<String> = []

    init(folder: SceneFolder) { self.folder = folder }

    /// Whether the user has interacted with the scene since it was launched or restored.
    var hasInteracted: Bool {
        switch work {
        case .unsaved, .saved: true
        case .none, .marked, .left: false
        }
    }

    /// Until the next interaction, saves count as view-only captures of the saved work.
    func endSession() {
        switch work {
        case .saved, .marked: work = .left
        case .none, .unsaved, .left: break
        }
    }
}

extension SceneState {
    /// What the user has done in a scene since it was launched or restored.
    enum Work {
        case none
        /// An interaction that no state contains yet.
        case unsaved
        /// The newest state contains the user's interactions.
        case saved
        /// The app said that the newest state is the user's work, and no interaction was noted.
        case marked
        /// After the work was saved, the app went to the background or another screen opened on its own. A save without
        /// an interaction is then a view-only capture of this work.
        case left
    }

    struct Offered {
        var offer: Placekeeper.Offer
        /// The archive that the service served for the offer.
        var served: Served?
        /// The revision of the scene's head when the offer was made. The offer is a different archive if the head may
        /// not be restored here.
        var head: Int64?
        /// Whether the state was not restored because the user was already working. That work is newer, but does not
        /// withdraw the offer.
        var isOvertaken = false
    }
}
