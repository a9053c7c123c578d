/// An installation of the app for one user.
package struct Device: Sendable, Hashable {
    package var id: DeviceID
    package var owner: UserKey
    package var idiom: Idiom
    /// The model, such as `iPhone16,1`. People recognize the device of an offered place by the model, because device
    /// names are generic.
    package var model: String?
    package var name: String?
    package var createdAt: Timestamp
    package var lastSeenAt: Timestamp

    package init(
        id: DeviceID, owner: UserKey, idiom: Idiom, model: String? = nil, name: String? = nil, createdAt: Timestamp,
        lastSeenAt: Timestamp
    ) {
        self.id = id
        self.owner = owner
        self.idiom = idiom
        self.model = model
        self.name = name
        self.createdAt = createdAt
        self.lastSeenAt = lastSeenAt
    }
}

/// A code that joins a device to a user. It has eight characters, expires after ten minutes, and can be used once.
/// Only its digest is stored.
package struct LinkCode: Sendable, Hashable {
    package var digest: Digest
    package var owner: UserKey
    package var expiresAt: Timestamp
    package init(digest: Digest, owner: UserKey, expiresAt: Timestamp) {
        self.digest = digest
        self.owner = owner
        self.expiresAt = expiresAt
    }
}
