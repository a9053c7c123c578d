public import PlacekeeperArchive
public import PlacekeeperRuntime

/// The result of launching a scene: the state to restore, and an offer for the person.
public struct Launch: Sendable, Hashable {
    /// The state that the app restores without asking. Nil if the scene starts fresh.
    public var restore: Served?
    /// A place that the app offers to the person, and never restores without asking: of another device, or of this device
    /// after a crash. A place that the service tells later is in `KeptScene.offers`.
    public var offer: Offer?
    /// The reason for `restore`.
    public var reason: Reason
    /// The number of the owner for whom the scene was launched.
    package var owner = 0

    /// Whether the scene starts without saved state.
    public var isFresh: Bool { restore == nil }

    /// The reason why a state is restored, or not restored: a stable code, and the two compared values.
    public struct Reason: Sendable, Hashable {
        /// The code. The set is open: for a state that may not be restored here, it is a code of the service, such as
        /// `state-version-newer`.
        public struct Code: RawRepresentable, Sendable, Hashable {
            /// The code, in kebab case.
            public var rawValue: String
            /// Creates a code.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// This device's own state is restored. No newer place is known. If one arrives later, it is offered.
            public static let ownState = Code(rawValue: "own-state")
            /// The scene was never used on this device, so the state of another device is restored.
            public static let freshInstallation = Code(rawValue: "fresh-installation")
            /// Another device's place is newer, so it is offered.
            public static let otherDevice = Code(rawValue: "other-device")
            /// Another device's place is the latest. It was restored, taken or dismissed on this device before.
            public static let alreadyOffered = Code(rawValue: "already-offered")
            /// Another device's place is newer, and behind this device's own place in the same item. It is not offered:
            /// `Options.placesBehind` says so, or the person dismissed such a place before.
            public static let behind = Code(rawValue: "behind")
            /// The person went elsewhere before the state arrived, so it is offered, and not restored.
            public static let overtaken = Code(rawValue: "overtaken")
            /// A newer state may not be restored here. An older state of this device is restored, or an older place of
            /// another device is offered, or both.
            public static let superseded = Code(rawValue: "superseded")
            /// The service did not answer before the deadline.
            public static let deadline = Code(rawValue: "deadline")
            /// The service cannot be reached.
            public static let offline = Code(rawValue: "offline")
            /// Nothing is stored.
            public static let nothingStored = Code(rawValue: "nothing-stored")
            /// The process died before the last restore of the state had ended well, or processes died repeatedly within
            /// 30 seconds of restoring it (`KeptScene.launch(_:)`), so this version of the app does not restore it again. Or
            /// this version crashed in two launches of the last seven days, so it only offers states. Or the person
            /// discarded the state.
            public static let crashed = Code(rawValue: "crashed")
            /// The state of this device crashed on another device with the same version of the app, so it is offered.
            public static let crashedElsewhere = Code(rawValue: "crashed-elsewhere")
            /// The operator turned restoration off.
            public static let restorationOff = Code(rawValue: "restoration-off")
            /// The operator lets every state be offered, and none be restored.
            public static let restorationOffered = Code(rawValue: "restoration-offered")
            /// The device is locked, so nothing can be read. Save nothing until the next launch.
            public static let locked = Code(rawValue: "locked")
            /// Extensions launch no scenes.
            public static let processIsExtension = Code(rawValue: "process-is-extension")
            /// The answer of the service cannot be read.
            public static let answerUnreadable = Code(rawValue: "answer-unreadable")
            /// The state cannot be read.
            public static let unreadable = Code(rawValue: "unreadable")
            /// The state is not compatible with this device.
            public static let incompatible = Code(rawValue: "incompatible")
        }

        /// The code.
        public var code: Code
        /// The value of the archive that was compared.
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

/// A state that the app may restore, and the part of it that may be restored.
public struct Served: Sendable, Hashable {
    /// The id of the archive: a UUID.
    public var id: String
    /// The scene.
    public var scene: String
    /// The content of the archive. Its model references have this device's identifiers.
    public var archive: StateArchive
    /// The part of the archive that may be restored: pass it to `RestorableApplication.launch(served:)`.
    public var fidelity: RestorationFidelity
    /// Whether this device captured the archive.
    public var isOwn: Bool
    /// The archive's revision. Nil for a state that the service has not stored yet.
    public var revision: Int64?
    let context: RestorationContext
    var bytes: [UInt8]
    /// The archive that the state is a view-only capture of, for a view-only capture of this device.
    var origin: Capture.Restored?
    /// The person's last interaction before the capture, for a state of this device that was not served.
    var interactedAt: ClockReading?
    /// The number of the owner whose state it is.
    package var owner = 0
}
