/// The result of adding a device to a user.
package enum JoinResult: Sendable, Hashable {
    case joined(Device)
    /// The link code is unknown, expired, or used by another device, or the device does not belong to the user that it
    /// is moved from.
    case codeInvalid
    /// The user already has the maximum number of devices (`Quotas.devices`). The link code is not used up. However, the code becomes invalid
    /// if a device is revoked to make room.
    case tooManyDevices
    /// With the device's archives, more scenes of the user would hold archives, or the store would know more scenes of
    /// the user, than the quota `userScenes` allows. The link code is not used up.
    case tooManyScenes
    /// The app has the maximum number of users or devices. The link code is not used up.
    case quotaExceeded(QuotaExcess)
    /// The device's user is the user of another account. The device must sign out first, so that no archive of one
    /// account becomes an archive of another account.
    case signedIn
    /// The installation is registered with another secret.
    case installationCloned
    /// Another device uses the identity of the installation (`CountedLaunch`).
    case installationCopied
    /// The installation is not known, and the device may not be new (`NewDevice.mayBeNew`).
    case installationUnknown
    /// The device no longer belongs to the user.
    case deviceGone

    package var device: Device? { if case .joined(let device) = self { device } else { nil } }
}

/// The result of signing out.
package enum SigningOut: Sendable, Hashable {
    case signedOut
    /// The device's user has no account.
    case notSignedIn
    /// The device no longer belongs to the user.
    case deviceGone
}
