/// The reason why an operation of the client failed.
public struct PlacekeeperError: Error, Sendable, Hashable {
    /// The kind of the error. The set is open: a code of the service that this version does not know is kept.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The code, in kebab case.
        public var rawValue: String
        /// Creates a code.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The service did not answer: there is no connection, or the answer did not come from the service.
        public static let offline = Code(rawValue: "offline")
        /// The service asks to try again later (`retryAfter`).
        public static let busy = Code(rawValue: "busy")
        /// The device is locked, so the client cannot read its account yet.
        public static let locked = Code(rawValue: "locked")
        /// The file system has no space left, or refuses to write.
        public static let storageFailed = Code(rawValue: "storage-failed")
        /// The device has no account with the service yet, or not any more.
        public static let notRegistered = Code(rawValue: "not-registered")
        /// The app registers devices only with a sign-in token.
        public static let signInRequired = Code(rawValue: "sign-in-required")
        /// The service refuses the sign-in token.
        public static let signInTokenInvalid = Code(rawValue: "sign-in-token-invalid")
        /// The device is signed in to another account. Sign out first.
        public static let signedIn = Code(rawValue: "signed-in")
        /// The device is not signed in.
        public static let notSignedIn = Code(rawValue: "not-signed-in")
        /// The link code is unknown, expired or used.
        public static let linkCodeInvalid = Code(rawValue: "link-code-invalid")
        /// The account changed. What the app has in memory belongs to the account before: launch the scene again.
        public static let accountChanged = Code(rawValue: "account-changed")
        /// The service at a new address does not know this device. Nothing was sent to it, and nothing was removed.
        public static let deviceUnknown = Code(rawValue: "device-unknown")
        /// State that waits was not sent before the deadline. It is sent later. A sign-out leaves the device signed in.
        public static let pendingNotSent = Code(rawValue: "pending-not-sent")
        /// The state cannot be encoded, or the service refuses it. The state is kept for inspection.
        public static let stateRefused = Code(rawValue: "state-refused")
        /// A file of the client was damaged, and its state is lost.
        public static let fileDamaged = Code(rawValue: "file-damaged")
        /// States that were kept for a person who signed out were removed after 30 days.
        public static let keptStateExpired = Code(rawValue: "kept-state-expired")
        /// The service ended this device's registration. State that waited for its user is kept for this user.
        public static let revoked = Code(rawValue: "revoked")
        /// The scene's name has other characters than `A–Z a–z 0–9 . _ -`, or more than 64.
        public static let sceneNameInvalid = Code(rawValue: "scene-name-invalid")
        /// A list's name has other characters than `A–Z a–z 0–9 . _ -`, or more than 64.
        public static let listNameInvalid = Code(rawValue: "list-name-invalid")
        /// The items of a list on this device and those of the service differ again and again. The client compares them
        /// again at the next launch of the process.
        public static let listDiffers = Code(rawValue: "list-differs")
        /// Only the app may do this, and no extension.
        public static let processIsExtension = Code(rawValue: "process-is-extension")
        /// The task that waited for the operation was canceled.
        public static let canceled = Code(rawValue: "canceled")
        /// The answer of the service cannot be read.
        public static let answerUnreadable = Code(rawValue: "answer-unreadable")
    }

    /// The kind of the error.
    public var code: Code
    /// A sentence that says what failed, for developers.
    public var message: String
    /// The seconds after which the service asks to try again.
    public var retryAfter: Double?

    /// Creates an error.
    public init(_ code: Code, _ message: String, retryAfter: Double? = nil) {
        self.code = code
        self.message = message
        self.retryAfter = retryAfter
    }
}

extension PlacekeeperError: CustomStringConvertible {
    /// The code and the message.
    public var description: String { "\(code.rawValue): \(message)" }
}
