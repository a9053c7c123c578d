extension ClientHistory {
    /// A state that a device saved.
    struct Save: Hashable {
        var text: String
        var device: Int
        /// The part of the device's life in which the state was saved. A sign-out and a revocation begin a new part.
        var epoch: Int
        /// The account that the device was signed in to by the service. Nil for an anonymous user.
        var account: String?
        /// The user of the device, or the user who must sign in again.
        var user: String?
        /// Whether the state waits until this user signs in again.
        var waits: Bool
        /// Whether the file was surely written.
        var isCertain: Bool
    }
}
