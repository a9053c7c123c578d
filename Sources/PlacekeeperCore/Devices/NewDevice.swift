/// A device that registers, possibly again.
package struct NewDevice: Sendable {
    /// The device, with a new id. Its owner is a new user, unless the device joins another.
    package var device: Device
    package var token: Digest
    package var installation: Installation?
    package var joins: Joins
    /// Whether the device may be new. If not, only a known installation can register again.
    package var mayBeNew: Bool
    /// How many archives a scene keeps per idiom, in case the device moves to another user.
    package var retention: Int
    /// The app's quotas, which limit the registration.
    package var quotas = App.Settings.Quotas.none
    /// Sign-ins of devices that were last seen before this time have expired. Nil if none has.
    package var unusedSince: Timestamp?

    /// The user that the device joins.
    package enum Joins: Sendable {
        /// The owner in `device`: usually a new anonymous user.
        case newUser
        /// The user of a link code.
        case linkCode(Digest)
        /// The user of an account, created if the account has none.
        case account(Account)
        /// The user of the installation whose identity the device copied.
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

/// One installation of an app on one device. The client makes the id and the secret when the app first starts. A client
/// that missed the response sends the same id and secret again, and gets the same device.
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
    /// The id for the account's user, if there is none yet.
    package var newUser: UserID
    /// When the account was last erased. Its next user counts as created no earlier, so the erasure doesn't apply to
    /// that user.
    package var erasedAt: Timestamp?
    /// Seals the account's subject for a user.
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

    /// Returns when a user that gets the account at `time` counts as created.
    package func creation(at time: Timestamp) -> Timestamp { max(time, erasedAt ?? time) }
}
