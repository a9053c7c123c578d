extension Placekeeper {
    /// The time of the user's last interaction with a scene before its state was saved. The service orders the states of
    /// a scene by this time.
    public struct Interaction: Sendable, Hashable {
        enum Time: Sendable, Hashable {
            case viewing
            case ifChanged
            case ago(seconds: Double)
        }

        let time: Time

        /// Counts as an interaction now if the state shows something else than the last restored or saved state, and as
        /// viewing otherwise. The default.
        ///
        /// Titles, scroll positions, the layout, and the versions of the app and the system are ignored, because they
        /// change without the user. The progress counts.
        public static let ifChanged = Interaction(time: .ifChanged)
        /// The user is interacting now, even if the state hasn't changed.
        public static let now = Interaction(time: .ago(seconds: 0))
        /// The user last interacted some time ago.
        public static func ago(_ time: Duration) -> Interaction { Interaction(time: .ago(seconds: time.seconds)) }
        /// The user hasn't interacted since the scene was restored. The state never replaces newer work of another
        /// device.
        public static let viewing = Interaction(time: .viewing)
    }
}

extension Duration {
    /// The duration in seconds.
    package var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
