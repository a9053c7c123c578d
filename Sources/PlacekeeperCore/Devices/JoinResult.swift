/// The result of adding a device to a user, or moving it there.
package enum JoinResult: Sendable, Hashable {
    case joined(Device)
    /// The link code is unknown, expired or used by another device, or the device doesn't belong to the user that it
    /// should leave.
    case codeInvalid
    /// The user already has the maximum number of devices (`Quotas.devices`). The link code isn't used up, but becomes
    /// invalid if a device is revoked to make room.
    case tooManyDevices
    /// The device's archives would bring the user over the quota `userScenes`: too many scenes with archives, or too
    /// many known to the store. The link code isn't used up.
    case tooManyScenes
    /// The app has the maximum number of users or devices. The link code isn't used up.
    case quotaExceeded(QuotaExcess)
    /// The device's user has another account. The device must sign out first, so archives never pass from one account
    /// to another.
    case signedIn
    /// The installation is registered with another secret.
    case installationCloned
    /// Another device uses the installation's identity (`CountedLaunch`).
    case installationCopied
    /// The installation is unknown, and the device may not be new (`NewDevice.mayBeNew`).
    case installationUnknown
    /// The device's sign-in has expired, so its user must sign in again.
    case signInRequired
    /// The device doesn't belong to the user anymore.
    case deviceGone

    package var device: Device? { if case .joined(let device) = self { device } else { nil } }
}

/// The result of signing out.
package enum SigningOut: Sendable, Hashable {
    case signedOut
    /// The device's user has no account.
    case notSignedIn
    /// The device doesn't belong to the user anymore.
    case deviceGone
}
