/// The result of adding a device to a user.
package enum Joining: Sendable, Hashable {
    case joined(Device)
    /// The link code is unknown, used or expired, or the device does not belong to the user that it is moved from.
    case codeInvalid
    /// The user already has `Limits.devices` devices. The link code is not used up. However, the code becomes invalid
    /// if a device is revoked to make room.
    case tooManyDevices
    /// With the device's archives, more than `Limits.scenes` scenes of the user would hold archives, or the store would
    /// know more than `Limits.knownScenes` scenes of the user. The link code is not used up.
    case tooManyScenes

    package var device: Device? { if case .joined(let device) = self { device } else { nil } }
}
