extension Placekeeper {
    /// The state of a client, to show or to log.
    public struct Status: Sendable, Hashable {
        /// The account of the device.
        public enum Account: Sendable, Hashable {
            /// The client has not read the account in this process yet. It reads the account at its first work, such as a
            /// launch, a save, or the first value of `statuses`.
            case unknown
            /// The device is not registered yet.
            case unregistered
            /// The device is locked since it was started, so the account cannot be read.
            case locked
            /// The device belongs to an anonymous user.
            case anonymous
            /// The device belongs to an account of the app.
            case signedIn
            /// The service ended the registration of a device with an account. The person must sign in again.
            case signInNeeded
            /// The person signed out, or was erased. Nothing is registered and sent until a sign-in, a link or a link code,
            /// or until somebody works in the app, if `Options.registersAnonymously` is true.
            case signedOut
        }

        /// The account of the device.
        public var account = Account.unknown
        /// The number of states that wait for the service.
        public var pendingCount = 0
        /// The number of states that wait for the next sign-in of another user of this device.
        public var keptCount = 0
        /// The number of kept states that were removed in this process, because the person did not sign in again for 30
        /// days.
        public var expiredCount = 0
        /// Whether the account of this device was lost in this process, because its file was damaged. The states that
        /// waited are kept for their user (`keptCount`).
        public var hasLostAccount = false
        /// Whether the service found, during this process, that another device used this device's identity. For example, a
        /// backup of this device was restored on it. Now each has its own identity, for the same user.
        public var wasCopied = false
        /// Whether this device has an account with a service at another address, for the same key. If the service has only
        /// moved, add the other address to `Options.formerly`. Otherwise the device is a new one for the service.
        public var hasAccountAtOtherAddress = false
        /// The scenes in which the person, as far as the app tells, never does anything: the app has saved several
        /// different states of the scene with `Interaction.none` after a restore, and never noted an interaction. These
        /// states are view-only captures, which never replace the restored state. Save the person's work with the default.
        public var scenesWithoutInteractions: [String] = []
        /// The parts of the scenes' newest states that this process left out, because of a filter or a limit.
        public var omissions: [Omission] = []
        /// The last problem. Nil after the next success.
        public var problem: PlacekeeperError?

        init() {}
    }
}
