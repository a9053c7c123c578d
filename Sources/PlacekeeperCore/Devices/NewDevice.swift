/// A device that registers.
package struct NewDevice: Sendable {
    /// The device with a new id. Its owner is a new user, unless the device joins another user.
    package var device: Device
    package var token: Digest
    package var installation: Installation?
    package var joins: Joins
    /// Whether the device may be new. If false, only the device of a known installation can register again.
    package var mayBeNew: Bool
    /// The number of archives that a scene keeps for each idiom, for a device that moves to another user.
    package var retention: Int
    /// The quotas of the app. They limit the registration.
    package var quotas = App.Settings.Quotas.none

    /// The user that a device gets when it registers.
    package enum Joins: Sendable {
        /// The owner in `device`: usually a new anonymous user.
        case newUser
        /// The user of a link code.
        case linkCode(Digest)
        /// The user of an account. The user is created if it does not exist.
        case account(Account)
        /// The user of an installation whose identity the device has copied.
        case copy(of: Installation)
    }

    package init(
        _ device: Device, token: Digest, installation: Installation? = nil, joins: Joins = .newUser,
        mayBeNew: Bool = true, retention: Int = 20
    ) {
        self.device = device
        self.token = token
        self.installation = installation
        self.joins = joins
        self.mayBeNew = mayBeNew
        self.retention = retention
    }
}

/// The identity of one installation of an app on one device. The client makes the id and the secret when the app first
/// starts. With the same id and secret, a client that missed an answer gets the same device again.
package struct Installation: Sendable, Hashable {
    package var id: InstallationID
    /// The digest of the secret.
    package var secret: Digest

    package init(id: InstallationID, secret: Digest) {
        self.id = id
        self.secret = secret
    }
}

/// An account of an app, for a device that signs in.
package struct Account: Sendable {
    /// The keyed hash of the account's subject.
    package var digest: Digest
    /// The id that the account's user gets if the account has no user yet.
    package var newUser: UserID
    /// The time of the account's last erasure. The account's next user counts as created at this time at the earliest, so
    /// that the erasure does not concern it.
    package var erasedAt: Timestamp?
    /// Returns the account's subject, sealed for a user.
    package var sealedSubject: @Sendable (UserKey) -> [UInt8]

    package init(
        digest: Digest, newUser: UserID, erasedAt: Timestamp? = nil,
        sealedSubject: @escaping @Sendable (UserKey) -> [UInt8]
    ) {
        self.digest = digest
        self.newUser = newUser
        self.erasedAt = erasedAt
        self.sealedSubject = sealedSubject
    }

    /// Returns the time at which a user counts as created that gets the account at `time`.
    package func creation(at time: Timestamp) -> Timestamp { max(time, erasedAt ?? time) }
}
