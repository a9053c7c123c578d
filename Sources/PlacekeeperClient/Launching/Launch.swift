public import PlacekeeperArchive
public import PlacekeeperRuntime

/// The result of launching a scene: the state to restore, and an offer to the user.
public struct Launch: Sendable, Equatable {
    /// The state to restore without asking. `nil` if the scene starts fresh.
    public var restore: Served?
    /// A place to offer to the user, never to restore without asking. It is from another device, or from this device
    /// after a crash. Later offers arrive through `KeptScene.offers`.
    public var offer: Offer?
    /// The reason for `restore`.
    public var reason: Reason
    /// The number of the owner for whom the scene was launched.
    package var owner = 0

    /// Whether the scene starts without a saved state.
    public var isFresh: Bool { restore == nil }

    /// Why a state is restored or not: a stable code, and the two compared values.
    public struct Reason: Sendable, Hashable {
        /// The code. The set is open: if a state may not be restored here, the code comes from the service, such as
        /// `state-version-newer`.
        public struct Code: RawRepresentable, Sendable, Hashable {
            /// The code, in kebab case.
            public var rawValue: String
            /// Creates a code.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// This device's own state is restored, and no newer place is known. If one arrives later, it is offered.
            public static let ownState = Code(rawValue: "own-state")
            /// The scene was never used on this device, so the state of another device is restored.
            public static let freshInstallation = Code(rawValue: "fresh-installation")
            /// Another device's place is newer, so it is offered.
            public static let otherDevice = Code(rawValue: "other-device")
            /// The latest place is from another device, and was already restored, taken or dismissed on this device.
            public static let alreadyOffered = Code(rawValue: "already-offered")
            /// Another device's place is newer, but behind this device's own place in the same item. It is not offered,
            /// because of `Options.placesBehind` or because the user dismissed such a place before.
            public static let behind = Code(rawValue: "behind")
            /// The user moved on before the state arrived, so it is offered instead of restored.
            public static let overtaken = Code(rawValue: "overtaken")
            /// A newer state exists, but it may not be restored here. An older state of this device is restored, or an
            /// older place of another device is offered, or both.
            public static let superseded = Code(rawValue: "superseded")
            /// The service did not answer before the deadline.
            public static let deadline = Code(rawValue: "deadline")
            /// The service cannot be reached.
            public static let offline = Code(rawValue: "offline")
            /// Nothing is stored.
            public static let nothingStored = Code(rawValue: "nothing-stored")
            /// The state crashed the app, may have crashed it, or was discarded.
            ///
            /// - The process died before the last restore of the state had succeeded, or processes died repeatedly
            ///   within 30 seconds of restoring it: this version of the app does not restore it again
            ///   (`KeptScene.launch(_:)`).
            /// - This version crashed in two launches within the last seven days, so it only offers states.
            /// - The user discarded the state.
            public static let crashed = Code(rawValue: "crashed")
            /// This device's state crashed another device with the same version of the app, so it is only offered.
            public static let crashedElsewhere = Code(rawValue: "crashed-elsewhere")
            /// The operator turned restoration off.
            public static let restorationOff = Code(rawValue: "restoration-off")
            /// The operator's settings allow states to be offered, but not restored.
            public static let restorationOffered = Code(rawValue: "restoration-offered")
            /// The device is locked, so nothing can be read. Save nothing until the next launch.
            public static let locked = Code(rawValue: "locked")
            /// The process is an extension. An extension cannot launch scenes.
            public static let processIsExtension = Code(rawValue: "process-is-extension")
            /// The service's response cannot be read.
            public static let answerUnreadable = Code(rawValue: "answer-unreadable")
            /// The state cannot be read.
            public static let unreadable = Code(rawValue: "unreadable")
            /// The state is not compatible with this device.
            public static let incompatible = Code(rawValue: "incompatible")
        }

        /// The code.
        public var code: Code
        /// The archive's value, if one was compared.
        public var archive: String?
        /// The value that this device requires.
        public var required: String?

        /// Creates a reason.
        public init(_ code: Code, archive: String? = nil, required: String? = nil) {
            self.code = code
            self.archive = archive
            self.required = required
        }
    }
}

/// A state to restore, and how much of it may be restored.
public struct Served: Sendable, Equatable {
    /// The archive's id, a UUID.
    public var id: String
    /// The scene.
    public var scene: String
    /// The content of the archive. Its model references use this device's identifiers.
    public var archive: StateArchive
    /// The part of the archive that may be restored. Pass it to `RestorableApplication.launch(served:)`.
    public var fidelity: RestorationFidelity
    /// Whether this device captured the archive.
    public var isOwn: Bool
    /// The archive's revision. `nil` if the service has not stored the state yet.
    public var revision: Int64?
    let context: RestorationContext
    var bytes: [UInt8]
    /// If the state is a view-only capture of this device: the archive that it shows.
    var origin: Capture.Restored?
    /// The user's last interaction before the capture, for a state of this device that the service did not serve.
    var interactedAt: ClockReading?
    /// The number of the state's owner.
    package var owner = 0
    /// The paths of the objects to leave out, because an earlier process ended while it restored them.
    var leftOut: [String] = []
}
