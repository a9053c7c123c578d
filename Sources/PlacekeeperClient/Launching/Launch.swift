package import PlacekeeperArchive
package import PlacekeeperModels

/// The result of launching a scene: the state to restore, and an offer to the user.
package struct Launch: Sendable, Equatable {
    /// The state to restore without asking. `nil` if the scene starts fresh.
    package var restore: Served?
    /// A place to offer to the user, never to restore without asking. It is from another device, or from this device
    /// after a crash. Later offers arrive through `KeptScene.offers`.
    package var offer: Placekeeper.Offer?
    /// The reason for `restore`.
    package var reason: Placekeeper.Reason
    /// The number of the owner for whom the scene was launched.
    package var owner = 0

    /// Whether the scene starts without a saved state.
    package var isFresh: Bool { restore == nil }
}

extension Placekeeper.Reason.Code {
    /// This device's own state is restored, and no newer place is known. If one arrives later, it is offered.
    package static let ownState = Self(rawValue: "own-state")
    /// The scene was never used on this device, so the state of another device is restored.
    package static let freshInstallation = Self(rawValue: "fresh-installation")
    /// Another device's place is newer, so it is offered.
    package static let otherDevice = Self(rawValue: "other-device")
    /// The latest place is from another device, and was already restored, taken or dismissed on this device.
    package static let alreadyOffered = Self(rawValue: "already-offered")
    /// Another device's place is newer, but behind this device's own place in the same item. It is not offered,
    /// because of `Configuration.placesBehind` or because the user dismissed such a place before.
    package static let behind = Self(rawValue: "behind")
    /// The user moved on before the state arrived, so it is offered instead of restored.
    package static let overtaken = Self(rawValue: "overtaken")
    /// A newer state exists, but it may not be restored here. An older state of this device is restored, or an
    /// older place of another device is offered, or both.
    package static let superseded = Self(rawValue: "superseded")
    /// The service did not answer before the deadline.
    package static let deadline = Self(rawValue: "deadline")
    /// The service cannot be reached.
    package static let offline = Self(rawValue: "offline")
    /// Nothing is stored.
    package static let nothingStored = Self(rawValue: "nothing-stored")
    /// The state crashed the app, may have crashed it, or was discarded.
    ///
    /// - The process died before the last restore of the state had succeeded, or processes died repeatedly
    ///   within 30 seconds of restoring it: this version of the app does not restore it again
    ///   (`KeptScene.launch(_:)`).
    /// - This version crashed in two launches within the last seven days, so it only offers states.
    /// - The user discarded the state.
    package static let crashed = Self(rawValue: "crashed")
    /// This device's state crashed another device with the same version of the app, so it is only offered.
    package static let crashedElsewhere = Self(rawValue: "crashed-elsewhere")
    /// The operator turned restoration off.
    package static let restorationOff = Self(rawValue: "restoration-off")
    /// The operator's settings allow states to be offered, but not restored.
    package static let restorationOffered = Self(rawValue: "restoration-offered")
    /// The device is locked, so nothing can be read. Save nothing until the next launch.
    package static let locked = Self(rawValue: "locked")
    /// The process is an extension. An extension cannot launch scenes.
    package static let processIsExtension = Self(rawValue: "process-is-extension")
    /// The service's response cannot be read.
    package static let answerUnreadable = Self(rawValue: "answer-unreadable")
    /// The state cannot be read.
    package static let unreadable = Self(rawValue: "unreadable")
    /// The state is not compatible with this device.
    package static let incompatible = Self(rawValue: "incompatible")
}

/// A state to restore, and how much of it may be restored.
package struct Served: Sendable, Equatable {
    /// The archive's id, a UUID.
    package var id: String
    /// The scene.
    package var scene: String
    /// The content of the archive. Its model references use this device's identifiers.
    package var archive: StateArchive
    /// The part of the archive that may be restored. Pass it to `RestorableApplication.launch(served:)`.
    package var fidelity: RestorationFidelity
    /// Whether this device captured the archive.
    package var isOwn: Bool
    /// The archive's revision. `nil` if the service has not stored the state yet.
    package var revision: Int64?
    let context: RestorationContext
    package var bytes: [UInt8]
    /// If the state is a view-only capture of this device: the archive that it shows.
    var origin: Capture.Restored?
    /// The user's last interaction before the capture, for a state of this device that the service did not serve.
    var interactedAt: ClockReading?
    /// The number of the state's owner.
    package var owner = 0
    /// The paths of the objects to leave out, because an earlier process ended while it restored them.
    package var leftOut: [String] = []
}
