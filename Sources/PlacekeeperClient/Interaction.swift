/// The time of the user's last interaction with a scene before its state was captured. The service orders the states of
/// a scene by this time.
public struct Interaction: Sendable, Hashable {
    enum Time: Sendable, Hashable {
        case none
        case ifChanged
        case ago(seconds: Double)
    }

    let time: Time

    /// Counts as an interaction now if the state shows something other than the last restored or saved state, and as
    /// none otherwise. The default.
    ///
    /// Titles, scroll positions, the layout, and the versions of the app and the system are ignored, because they
    /// change without the user. A step's progress counts.
    ///
    /// After a restore of the place alone, the first state is compared by its place without the progress, because the
    /// rest belongs to another layout.
    public static let ifChanged = Interaction(time: .ifChanged)
    /// The user is interacting now, even if the state has not changed.
    public static let now = Interaction(time: .ago(seconds: 0))
    /// The user's last interaction was some seconds ago.
    public static func ago(seconds: Double) -> Interaction { Interaction(time: .ago(seconds: seconds)) }
    /// The user has not interacted since the scene was launched. The state never replaces newer work of another device.
    public static let none = Interaction(time: .none)
}
