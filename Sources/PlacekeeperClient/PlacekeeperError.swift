public import Foundation

/// An error of the client. A canceled call throws `CancellationError` instead.
public struct PlacekeeperError: LocalizedError, Sendable, Hashable {
    /// The kind of the error. The set is open, so codes that this version does not know are kept.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The code, in kebab case.
        public let rawValue: String
        /// Creates a code.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The service did not answer: there is no connection, or something else answered in its place.
        public static let offline = Code(rawValue: "offline")
        /// The service asked the client to try again later (`retryAfter`).
        public static let busy = Code(rawValue: "busy")
        /// The device is locked, so the client cannot read its account yet.
        public static let locked = Code(rawValue: "locked")
        /// The disk is full or cannot be written.
        public static let storageFailed = Code(rawValue: "storage-failed")
        /// The device is not registered with the service.
        public static let notRegistered = Code(rawValue: "not-registered")
        /// The app registers devices only with a sign-in token.
        public static let signInRequired = Code(rawValue: "sign-in-required")
        /// The service rejected the sign-in token.
        public static let signInTokenInvalid = Code(rawValue: "sign-in-token-invalid")
        /// The device is signed in to another account. Sign out first.
        public static let signedIn = Code(rawValue: "signed-in")
        /// The device is not signed in.
        public static let notSignedIn = Code(rawValue: "not-signed-in")
        /// The link code is unknown, expired or already used.
        public static let linkCodeInvalid = Code(rawValue: "link-code-invalid")
        /// The account changed. What the app has in memory belongs to the old account: launch the scene again.
        public static let accountChanged = Code(rawValue: "account-changed")
        /// The service at a new address does not know this device. Nothing was sent to it, and nothing was removed.
        public static let deviceUnknown = Code(rawValue: "device-unknown")
        /// Pending states were not sent before the deadline. They are sent later. If a sign-out fails with this error,
        /// the device is still signed in.
        public static let unsentStates = Code(rawValue: "unsent-states")
        /// The state cannot be encoded, or the service refused it. A refused state is kept for inspection.
        public static let stateRefused = Code(rawValue: "state-refused")
        /// A file of the client was damaged, and the state in it is lost.
        public static let fileDamaged = Code(rawValue: "file-damaged")
        /// States that were kept for a signed-out user were removed after 30 days.
        public static let keptStateExpired = Code(rawValue: "kept-state-expired")
        /// The service ended this device's registration. Pending states are kept for the user.
        public static let revoked = Code(rawValue: "revoked")
        /// The scene's name is not 1 to 64 characters from `A–Z a–z 0–9 . _ -`.
        public static let sceneNameInvalid = Code(rawValue: "scene-name-invalid")
        /// The list's name is not 1 to 64 characters from `A–Z a–z 0–9 . _ -`.
        public static let listNameInvalid = Code(rawValue: "list-name-invalid")
        /// The items of a list keep differing between this device and the service. The client compares them again at
        /// the next launch of the process.
        public static let listDiffers = Code(rawValue: "list-differs")
        /// Only the app may do this, not an extension.
        public static let processIsExtension = Code(rawValue: "process-is-extension")
        /// The task that waited for the operation was canceled. The app gets `CancellationError` instead.
        package static let canceled = Code(rawValue: "canceled")
        /// The service's response cannot be read.
        public static let answerUnreadable = Code(rawValue: "answer-unreadable")
    }

    /// The kind of the error.
    public let code: Code
    /// What failed, in a sentence for developers.
    public let message: String
    /// How long to wait before trying again, if the service asked for a pause.
    public let retryAfter: Duration?

    /// Creates an error.
    package init(_ code: Code, _ message: String, retryAfter: Duration? = nil) {
        self.code = code
        self.message = message
        self.retryAfter = retryAfter
    }
}

extension PlacekeeperError {
    /// The message.
    public var errorDescription: String? { message }
}

extension PlacekeeperError: CustomStringConvertible {
    /// The code and the message.
    public var description: String { "\(code.rawValue): \(message)" }
}

/// Runs a call of the app, which throws `CancellationError` if its task was canceled.
package func throwing<Result>(_ call: () async throws(PlacekeeperError) -> Result) async throws -> Result {
    do throws(PlacekeeperError) { return try await call() } catch {
        throw error.code == .canceled ? CancellationError() : error
    }
}
