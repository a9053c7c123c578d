/// The time of the person's last interaction with a scene before its state was captured. The service orders the states
/// of a scene by this time.
public struct Interaction: Sendable, Hashable {
    enum Time: Sendable, Hashable {
        case none
        case ifChanged
        case ago(seconds: Double)
    }

    let time: Time

    /// The person interacts now if the state shows something else than the state that was restored or saved before, and
    /// otherwise does not: the default. Titles, scroll positions, the layout and the versions of app and system do not
    /// count, because they change without the person. A step's progress counts.
    ///
    /// After a restore of the place alone, the first state is compared by its place without the progress, because the rest
    /// belongs to another layout.
    public static let ifChanged = Interaction(time: .ifChanged)
    /// The person interacts now, also if the state has not changed.
    public static let now = Interaction(time: .ago(seconds: 0))
    /// The person interacted some seconds ago.
    public static func ago(seconds: Double) -> Interaction { Interaction(time: .ago(seconds: seconds)) }
    /// The person has not interacted since the scene was launched. The state never replaces newer work of another
    /// device.
    public static let none = Interaction(time: .none)
}
