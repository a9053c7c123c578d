/// An installation of the app for one user.
package struct Device: Sendable, Hashable {
    package var id: DeviceID
    package var owner: UserKey
    package var idiom: Idiom
    /// Such as `iPhone16,1`; what a person is offered a place by, since names are generic.
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

/// A code that joins a device to a user: eight characters, ten minutes, one use. Only its digest is kept.
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
