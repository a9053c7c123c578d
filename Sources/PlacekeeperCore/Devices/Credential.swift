/// A bearer token's device, and the access that the token gives.
package struct Credential: Sendable, Hashable {
    package var device: Device
    package var access: TokenAccess
    /// The time from which the token is invalid. Nil if the token has no such time.
    package var expiresAt: Timestamp?

    package init(device: Device, access: TokenAccess = .full, expiresAt: Timestamp? = nil) {
        self.device = device
        self.access = access
        self.expiresAt = expiresAt
    }

    /// The time for which a replaced token stays valid, so that a device that missed the answer with the new token can
    /// ask again.
    package static let grace = Duration.seconds(60)
}

/// The requests that a bearer token allows.
package enum TokenAccess: Int64, Sendable, Hashable, CaseIterable {
    case full = 0
    /// Only requests that change nothing. For example, an app gives such a token to its widget.
    case readOnly = 1
}

/// A new token of a device. It replaces the device's token with the same access.
package struct NewToken: Sendable, Hashable {
    package var digest: Digest
    package var access: TokenAccess
    /// The token of the request. It stays valid for `Credential.grace` even if an earlier request already replaced it,
    /// because the device may have missed the earlier answer. Nil if the request had no token.
    package var presented: Digest?
    /// Whether the replaced token becomes invalid at once. If the new token has full access, the device's read-only
    /// tokens become invalid as well.
    package var revokesPrevious: Bool

    package init(
        digest: Digest, access: TokenAccess = .full, presented: Digest? = nil, revokesPrevious: Bool = false
    ) {
        self.digest = digest
        self.access = access
        self.presented = presented
        self.revokesPrevious = revokesPrevious
    }
}
