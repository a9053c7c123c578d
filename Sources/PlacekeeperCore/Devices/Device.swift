/// An installation of the app for one user.
package struct Device: Sendable, Hashable {
    package var id: DeviceID
    package var owner: UserKey
    package var idiom: Idiom
    /// The model, such as `iPhone16,1`. In an offer it shows which device the place is from, because device names are
    /// generic.
    package var model: String?
    package var name: String?
    /// The operating system's version, such as `18.1`.
    package var systemVersion: String?
    /// Whether the user has an account of the app. If not, the user is anonymous.
    package var isSignedIn: Bool
    package var createdAt: Timestamp
    package var lastSeenAt: Timestamp
    /// The app's last launch on the device. Nil if the device doesn't count its launches.
    package var launch: CountedLaunch?

    package init(
        id: DeviceID, owner: UserKey, idiom: Idiom, model: String? = nil, name: String? = nil,
        systemVersion: String? = nil, isSignedIn: Bool = false, createdAt: Timestamp, lastSeenAt: Timestamp,
        launch: CountedLaunch? = nil
    ) {
        self.id = id
        self.owner = owner
        self.idiom = idiom
        self.model = model
        self.name = name
        self.systemVersion = systemVersion
        self.isSignedIn = isSignedIn
        self.createdAt = createdAt
        self.lastSeenAt = lastSeenAt
        self.launch = launch
    }

    /// Takes the idiom, model, name and system version from another device value.
    package mutating func describe(as other: Device) {
        (idiom, model, name, systemVersion) = (other.idiom, other.model, other.name, other.systemVersion)
    }
}

/// A code with which a device joins a user. It has eight characters, expires after ten minutes and works for one
/// device. Only its digest is stored.
package struct LinkCode: Sendable, Hashable {
    package var digest: Digest
    package var owner: UserKey
    package var expiresAt: Timestamp
    /// The device that asked for the code. Nil if an operator made it.
    package var maker: DeviceID?
    package init(digest: Digest, owner: UserKey, expiresAt: Timestamp, maker: DeviceID? = nil) {
        self.digest = digest
        self.owner = owner
        self.expiresAt = expiresAt
        self.maker = maker
    }
}
