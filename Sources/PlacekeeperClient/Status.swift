extension Placekeeper {
    /// The client's status, to show or to log.
    public struct Status: Sendable, Equatable {
        /// The device's account.
        public enum Account: Sendable, Hashable {
            /// The client has not read the account in this process yet. It does so at its first work, such as a launch,
            /// a save or the first value of `statuses`.
            case unknown
            /// The device is not registered yet.
            case unregistered
            /// The device has been locked since it started, so the account cannot be read.
            case locked
            /// The device belongs to an anonymous user.
            case anonymous
            /// The device belongs to an account of the app.
            case signedIn
            /// The service ended the registration of a device with an account. The user must sign in again.
            case signInNeeded
            /// The user signed out or was erased. Nothing is registered or sent until the next sign-in, link or link
            /// code. If `Configuration.registersAnonymously` is true, work in the app also registers a user.
            case signedOut
        }

        /// The device's account.
        public var account = Account.unknown
        /// The number of states that have not been sent yet.
        public var unsentCount = 0
        /// The number of states kept on this device for other users, until they sign in again.
        package var keptCount = 0
        /// The number of kept states that this process removed, because their user did not sign in again within 30
        /// days.
        package var expiredCount = 0
        /// Whether the account of this device was lost in this process, because its file was damaged. Pending states
        /// are kept for their user (`keptCount`).
        package var hasLostAccount = false
        /// Whether the service found, during this process, that another device used this device's identity, for example
        /// after a backup of this device was restored there. Now each has its own identity, for the same user.
        package var wasCopied = false
        /// Whether this device has an account for the same key at another address of the service. If the service has
        /// only moved, add the other address to `Configuration.formerServers`. Otherwise, this device is new to the service.
        package var hasAccountAtOtherAddress = false
        /// The scenes in which the app never reports an interaction: it has saved several different states with
        /// `Interaction.viewing` after a restore, and never called `noteInteraction()`.
        ///
        /// Such states are view-only captures, which never replace the restored state. Save the user's work with the
        /// default.
        package var scenesWithoutInteractions: [String] = []
        /// The parts that this process left out of the scenes' newest states, because of a filter or a limit.
        public var omissions: [Omission] = []
        /// The last problem. `nil` after the next success.
        public var problem: PlacekeeperError?

        init() {}
    }
}
