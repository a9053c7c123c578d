/// The time of the person's last interaction with a scene before its state was captured. The service orders the states
/// of a scene by this time.
public struct Interaction: Sendable, Hashable {
    enum Time: Sendable, Hashable {
        case none
        case ago(seconds: Double)
    }

    let time: Time

    /// The person interacts now.
    public static let now = Interaction(time: .ago(seconds: 0))
    /// The person interacted some seconds ago.
    public static func ago(seconds: Double) -> Interaction { Interaction(time: .ago(seconds: seconds)) }
    /// The person has not interacted since the scene was launched. The state never replaces newer work of another
    /// device.
    public static let none = Interaction(time: .none)
}
